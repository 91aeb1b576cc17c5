internal import CPango
package import WayreelCore

/// A drawing that is only read from now on, by any thread.
package struct FinishedDrawing: @unchecked Sendable {
    package let size: PixelSize
    package let byteCount: Int
    /// Keeps the pixels alive; nobody else holds it, and it is not drawn on again.
    private let surface: PixelSurface
    private let pixels: UnsafeRawPointer
    private let stride: Int

    /// Takes over `surface`, which must be of 32-bit pixels and have no canvas or other owner left.
    package init(_ surface: consuming PixelSurface) {
        precondition(surface.format == .argb32, "a finished drawing has colours")
        pixels = surface.withBytes { UnsafeRawPointer($0.baseAddress!) }
        size = surface.size
        byteCount = surface.byteCount
        stride = surface.stride
        self.surface = surface
    }

    /// The first of `size.width` premultiplied pixels of row `y`; alpha in the top byte, then red, green, blue.
    package func withRow<Result>(_ y: Int, _ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        precondition(y >= 0 && y < size.height, "a row of the drawing")
        return withExtendedLifetime(surface) {
            body((pixels + y * stride).assumingMemoryBound(to: UInt32.self))
        }
    }
}
