/// An image in memory: planes of 32-bit floats in the order red, green, blue and, optionally, alpha.
///
/// Values are sRGB-encoded (not linear), 0 for black to 1 for full. Filters may leave that range; encoders clamp.
/// Colour is premultiplied by alpha. Rows run from the top; each starts on a 64-byte boundary and is padded to a
/// multiple of sixteen values, which kernels may read and overwrite.
///
/// A value type: copies share memory until one of them is written to.
public struct Image: Sendable {
    public let size: PixelSize
    public let hasAlpha: Bool
    private var storage: ImageStorage

    public var width: Int { size.width }
    public var height: Int { size.height }
    /// 3, or 4 with alpha.
    public var planeCount: Int { hasAlpha ? 4 : 3 }
    /// Values from one row to the next: `width` rounded up to a multiple of sixteen.
    package var stride: Int { storage.stride }

    /// Creates a black (with alpha, transparent) image.
    ///
    /// Throws a `limit` error if memory is exhausted.
    public init(size: PixelSize, hasAlpha: Bool = false) throws(MediaError) {
        precondition(size.width > 0 && size.height > 0, "an image has at least one pixel")
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = try ImageStorage(size: size, planes: hasAlpha ? 4 : 3)
    }

    /// Creates an image without initialising its values, for a producer that sets all of them. The padding is zero.
    package init(unset size: PixelSize, hasAlpha: Bool) throws(MediaError) {
        precondition(size.width > 0 && size.height > 0, "an image has at least one pixel")
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = try ImageStorage(unset: size, planes: hasAlpha ? 4 : 3)
    }

    /// Reads row `y` of plane `index` (0 red, 1 green, 2 blue, 3 alpha): `width` values from the left.
    ///
    /// Traps if there is no such row or plane.
    public func withRow<Result, Failure: Error>(
        _ y: Int, plane index: Int, _ body: (Span<Float>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let row = UnsafeBufferPointer(start: start(of: y, plane: index), count: width)
        defer { withExtendedLifetime(storage) {} }
        return try body(row.span)
    }

    /// Writes row `y` of plane `index`, as ``withRow(_:plane:_:)`` reads it; first copies memory that is shared.
    public mutating func withMutableRow<Result, Failure: Error>(
        _ y: Int, plane index: Int, _ body: (inout MutableSpan<Float>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        makeUnique()
        let row = UnsafeMutableBufferPointer(start: start(of: y, plane: index), count: width)
        defer { withExtendedLifetime(storage) {} }
        var span = row.mutableSpan
        return try body(&span)
    }

    private func start(of y: Int, plane index: Int) -> UnsafeMutablePointer<Float> {
        precondition((0..<height).contains(y) && (0..<planeCount).contains(index), "the row is within the image")
        return planes.row(y, plane: index)
    }

    private var planes: ImagePlanes {
        ImagePlanes(
            base: storage.base, planeStride: storage.planeStride, stride: storage.stride, size: size, count: planeCount)
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
    }

    /// Reads the planes, which `body` must not write to: other images may share them.
    package func withPlanes<Result, Failure: Error>(
        _ body: (ImagePlanes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(planes)
    }

    /// Writes the planes; first copies memory that is shared.
    package mutating func withMutablePlanes<Result, Failure: Error>(
        _ body: (ImagePlanes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        makeUnique()
        return try body(planes)
    }
}

/// The memory of an image for kernels, valid only inside the closure that receives it.
package struct ImagePlanes {
    @usableFromInline let base: UnsafeMutablePointer<Float>
    @usableFromInline let planeStride: Int
    /// Values from one row to the next.
    package let stride: Int
    package let size: PixelSize
    /// 3, or 4 with alpha.
    package let count: Int

    @inlinable package var width: Int { size.width }
    @inlinable package var height: Int { size.height }

    /// Returns the first value of row `y` of plane `index` (0 red, 1 green, 2 blue, 3 alpha).
    @inlinable
    @inline(__always)
    package func row(_ y: Int, plane index: Int) -> UnsafeMutablePointer<Float> {
        base + (index * planeStride + y * stride)
    }
}

/// One allocation for all planes. Only a unique owner writes to it, so that sharing it for reading is safe.
private final class ImageStorage: @unchecked Sendable {
    let base: UnsafeMutablePointer<Float>
    let planeStride: Int
    let stride: Int
    private let size: PixelSize
    private let planes: Int
    private var count: Int { planeStride * planes }

    /// Allocates without initialising.
    private init(raw size: PixelSize, planes: Int) throws(MediaError) {
        let noMemory = MediaError(
            .limit, step: .memory, reason: "no memory for an image of \(size)",
            advice: "request a smaller one or run fewer tasks at once")
        // A pixel takes at most 256 bytes: sixteen padded values in four planes. The products below cannot overflow.
        guard size.pixels < Int.max >> 9 else { throw noMemory }
        self.size = size
        self.planes = planes
        stride = (size.width + 15) / 16 * 16
        planeStride = stride * size.height
        let values = planeStride * planes
        guard let memory = PlaneMemory.take(values * MemoryLayout<Float>.stride) else { throw noMemory }
        base = memory.bindMemory(to: Float.self, capacity: values)
    }

    /// Allocates zeroed memory.
    convenience init(size: PixelSize, planes: Int) throws(MediaError) {
        try self.init(raw: size, planes: planes)
        base.initialize(repeating: 0, count: count)
    }

    /// Initialises only the padding.
    convenience init(unset size: PixelSize, planes: Int) throws(MediaError) {
        try self.init(raw: size, planes: planes)
        for row in 0..<size.height * planes {
            (base + row * stride + size.width).initialize(repeating: 0, count: stride - size.width)
        }
    }

    /// Copies the values into new memory.
    ///
    /// Traps without memory: copy-on-write cannot throw.
    func copy() -> ImageStorage {
        guard let copy = try? ImageStorage(raw: size, planes: planes) else {
            preconditionFailure("no memory for a copy of an image")
        }
        copy.base.initialize(from: base, count: count)
        return copy
    }

    deinit { PlaneMemory.give(base, count * MemoryLayout<Float>.stride) }
}
