package import WayreelCore

/// The memory that preparing an image takes, estimated from its header before it is decoded.
package enum CaptureMemory {
    /// Row buffers, tables and libraries, in bytes.
    private static let fixedBytes = 16 << 20

    /// Returns the bytes that preparing `file` takes at most beside the file itself; nil where only its pixels tell, because
    /// what is left after trimming may be enlarged to any size. Only for formats, of the file and of
    /// overlays, whose header is read without a call that cannot be interrupted: see
    /// ``ImageProbe/isUninterruptible(beginningWith:choosesPage:)``.
    ///
    /// The factors are measured with images of 12 megapixels, and rounded up. Throws the errors of opening the file, and of
    /// an output that exceeds the limits.
    package static func estimate(
        _ file: MediaBytes, _ options: CaptureOptions, task: TaskContext
    ) throws(MediaError) -> Int? {
        let reader = try ImageDecoder.open(file, page: options.page, limits: options.limits, task: task)
        let header = reader.header
        let framing = options.framing
        let size = framing.upright(header)
        let layout = framing.layout(for: size)
        try options.limits.check(output: layout.image)
        try options.limits.check(output: layout.canvas)
        var (image, canvas) = (layout.image.pixels, layout.canvas.pixels)
        if framing.trim != nil {
            guard let most = framing.mostPixels(of: size) else { return nil }
            (image, canvas) = (max(image, most), max(canvas, most))
        }
        let plane = header.layout == .rgba || (options.background?.alpha ?? 1) < 1 ? 16 : 12
        // Windows, and images in linear light, are decoded at full size.
        let isReduced = framing.trim == nil && framing.crop == nil && !framing.inLinearLight && !framing.decodesFully
        let reduction = isReduced ? framing.plan(layout, for: size, orientation: .upright).reduction : 1
        var bytes = fixedBytes + decoding(header, file, reduction: reduction) + plane * image
        if layout.canvas != layout.image { bytes += plane * canvas }
        if !options.filters.isEmpty { bytes += plane * image }
        // The image as it is stored, beside the one that is turned.
        if header.uprightOrientation.then(framing.turning) != .upright { bytes += plane * image }
        for path in options.overlays.imagePaths {
            let overlay = try MediaBytes.read(path: path, limit: options.limits.inputBytes, task: task)
            let header = try ImageDecoder.open(overlay, limits: options.limits, task: task).header
            bytes += decoding(header, overlay, reduction: 1) + 16 * header.size.pixels
        }
        return bytes + options.encoding.bytesPerPixel * canvas
    }

    /// What a decoder keeps beside the rows that it returns.
    private static func decoding(_ header: ImageHeader, _ file: MediaBytes, reduction: Double) -> Int {
        let pixels = header.size.pixels
        switch header.format {
        // Coefficients of several scans, or a copy of the one and what it becomes.
        case .jpeg:
            let decoder = JPEGPlanes.Frame(file)?.decoderBytes(reduction: reduction) ?? 0
            return max(header.keptBytes, file.count + decoder)
        case .png: return header.isProgressive ? 3 * header.rowBytes * header.size.height : 0
        // The canvas and what was below the last frame.
        case .gif, .webp: return 10 * pixels
        // Tiles are decoded one after the other.
        default: return 32 << 20
        }
    }
}

extension Framing {
    /// The size of the image that is framed: upright, cropped and turned.
    fileprivate func upright(_ header: ImageHeader) -> PixelSize {
        let whole = header.uprightOrientation.upright(header.size)
        return turning.upright(crop?.area(in: whole)?.area.size ?? whole)
    }

    /// The max pixels of an image of `size`, framed after whatever is trimmed; nil if that depends on the shape of what is
    /// left.
    fileprivate func mostPixels(of size: PixelSize) -> Int? {
        guard let screen else { return layout(for: size).image.pixels }
        let own = enlarges ? nil : size.pixels
        guard screen.width > 0, screen.height > 0, fit != .width, fit != .height, !cropsToAttention else { return own }
        // One pixel more on each side, for rounding.
        func side(_ length: Int) -> Int { Int(min((Double(length) * scale).rounded(.up), 1e15)) + 1 }
        return min(PixelSize(width: side(screen.width), height: side(screen.height)).pixels, own ?? .max)
    }
}

extension Encoding {
    /// What encoding takes beside the image, with the result, in bytes per pixel.
    fileprivate var bytesPerPixel: Int {
        switch format {
        case .jpeg: 3
        case .png: 5
        case .webp: lossless ? 32 : 10
        case .avif: 40
        }
    }
}
