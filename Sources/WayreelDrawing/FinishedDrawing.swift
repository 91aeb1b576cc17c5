internal import CPango
package import WayreelCore

/// An immutable drawing, readable from any thread.
package struct FinishedDrawing: @unchecked Sendable {
    package let size: PixelSize
    package let byteCount: Int
    /// Keeps the pixels alive; no other owner draws on it.
    private let surface: PixelSurface
    private let pixels: UnsafeRawPointer
    private let stride: Int

    /// Adopts `surface`, which must have 32-bit pixels and no canvas or other owner.
    package init(_ surface: consuming PixelSurface) {
        precondition(surface.format == .argb32, "a finished drawing has colours")
        pixels = surface.withBytes { UnsafeRawPointer($0.baseAddress!) }
        size = surface.size
        byteCount = surface.byteCount
        stride = surface.stride
        self.surface = surface
    }

    /// Passes the first of `size.width` premultiplied pixels of row `y`: alpha in the top byte, then red, green, blue.
    package func withRow<Result>(_ y: Int, _ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        precondition(y >= 0 && y < size.height, "y is within the drawing")
        return withExtendedLifetime(surface) {
            body((pixels + y * stride).assumingMemoryBound(to: UInt32.self))
        }
    }
}
