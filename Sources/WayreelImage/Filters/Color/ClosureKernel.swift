/// A colour kernel defined by a closure.
struct ClosureKernel: ColorKernel {
    let body: @Sendable (ColorBlock) -> Void
    func apply(to block: ColorBlock) { body(block) }
}

extension ColorOp {
    static func each(_ body: @escaping @Sendable (ColorBlock) -> Void) -> ColorOp {
        .kernel(ClosureKernel(body: body))
    }

    /// Applies `body` to each plane.
    static func eachPlane(_ body: @escaping @Sendable (UnsafeMutablePointer<Float>, Int) -> Void) -> ColorOp {
        .each { $0.forEachPlane(body) }
    }
}
