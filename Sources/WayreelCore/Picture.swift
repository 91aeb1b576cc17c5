/// A picture in memory: planes of 32-bit floats, in the order red, green, blue and, where it has one, alpha.
///
/// Values are sRGB-encoded (not linear), 0 for black to 1 for full; a filter may leave them outside that range, an
/// encoder clamps them. Colour is premultiplied by alpha. Rows run from the top; each starts on a 64-byte boundary and is
/// padded to a multiple of sixteen values, which a kernel may read and overwrite.
///
/// A value type: copies share memory until one of them is written to.
public struct Picture: Sendable {
    public let size: PixelSize
    public let hasAlpha: Bool
    private var storage: PictureStorage

    public var width: Int { size.width }
    public var height: Int { size.height }
    /// 3, or 4 with alpha.
    public var planeCount: Int { hasAlpha ? 4 : 3 }
    /// Values from one row to the next; `width` rounded up to a multiple of sixteen.
    public var stride: Int { storage.stride }

    /// A picture of `size`, black (and, with alpha, transparent).
    ///
    /// Throws a `limit` error where the machine has no memory for it.
    public init(size: PixelSize, hasAlpha: Bool = false) throws(MediaError) {
        precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = try PictureStorage(size: size, planes: hasAlpha ? 4 : 3)
    }

    /// A picture of `size` whose values are not set yet, for a producer that sets them all; only the padding is zero.
    package init(unset size: PixelSize, hasAlpha: Bool) throws(MediaError) {
        precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = try PictureStorage(unset: size, planes: hasAlpha ? 4 : 3)
    }

    /// The planes, for reading.
    public func withPlanes<Result, Failure: Error>(
        _ body: (PicturePlanes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(
            PicturePlanes(
                base: storage.base, planeStride: storage.planeStride, stride: storage.stride, size: size,
                count: planeCount))
    }

    /// The planes, for writing; the picture stops sharing memory with its copies first.
    public mutating func withMutablePlanes<Result, Failure: Error>(
        _ body: (PicturePlanes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if !isKnownUniquelyReferenced(&storage) {
            storage = storage.copy()
        }
        return try body(
            PicturePlanes(
                base: storage.base, planeStride: storage.planeStride, stride: storage.stride, size: size,
                count: planeCount))
    }
}

/// The memory of a picture, valid only inside the closure that it was handed to.
public struct PicturePlanes {
    fileprivate let base: UnsafeMutablePointer<Float>
    fileprivate let planeStride: Int
    /// Values from one row to the next.
    public let stride: Int
    public let size: PixelSize
    /// 3, or 4 with alpha.
    public let count: Int

    public var width: Int { size.width }
    public var height: Int { size.height }

    /// The first value of row `y` of plane `index` (0 red, 1 green, 2 blue, 3 alpha).
    @inline(__always)
    public func row(_ y: Int, plane index: Int) -> UnsafeMutablePointer<Float> {
        base + (index * planeStride + y * stride)
    }
}

/// One block of memory for all planes. Written only by its single owner, hence safe to share for reading.
private final class PictureStorage: @unchecked Sendable {
    let base: UnsafeMutablePointer<Float>
    let planeStride: Int
    let stride: Int
    private let size: PixelSize
    private let planes: Int
    private var count: Int { planeStride * planes }

    /// Nothing is set.
    private init(raw size: PixelSize, planes: Int) throws(MediaError) {
        let noMemory = MediaError(
            .limit, step: "memory", reason: "no memory for a picture of \(size)",
            advice: "ask for a smaller one or run fewer at once")
        // A pixel takes at most 256 bytes: with its padding sixteen values, in four planes. The sums below stay in range.
        guard size.pixels < Int.max >> 9 else { throw noMemory }
        self.size = size
        self.planes = planes
        stride = (size.width + 15) / 16 * 16
        planeStride = stride * size.height
        let values = planeStride * planes
        guard let memory = PlaneMemory.take(values * MemoryLayout<Float>.stride) else { throw noMemory }
        base = memory.bindMemory(to: Float.self, capacity: values)
    }

    /// All zero.
    convenience init(size: PixelSize, planes: Int) throws(MediaError) {
        try self.init(raw: size, planes: planes)
        base.initialize(repeating: 0, count: count)
    }

    /// Only the padding is set.
    convenience init(unset size: PixelSize, planes: Int) throws(MediaError) {
        try self.init(raw: size, planes: planes)
        for row in 0..<size.height * planes {
            (base + row * stride + size.width).initialize(repeating: 0, count: stride - size.width)
        }
    }

    /// The same values in memory of their own.
    ///
    /// Without memory for it the process ends: a copy on write has no way to say so.
    func copy() -> PictureStorage {
        guard let copy = try? PictureStorage(raw: size, planes: planes) else {
            preconditionFailure("no memory for a copy of a picture")
        }
        copy.base.initialize(from: base, count: count)
        return copy
    }

    deinit { PlaneMemory.give(base, count * MemoryLayout<Float>.stride) }
}
