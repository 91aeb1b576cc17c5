internal import WayreelAV
internal import WayreelCore
internal import WayreelKernels

/// Decodes an image, or a frame of an image sequence, of a HEIC or AVIF file through libavcodec, one row of tiles at a
/// time.
///
/// Rows are in stored orientation. The header contains the rotation for display, and EXIF's orientation is ignored
/// (ISO/IEC 23008-12, section 6.5.10: readers obey the transforms). A tile that cannot be decoded counts as missing
/// area.
final class HEIFTileReader: SeekableRowReader {
    let header: ImageHeader

    private let image: HEIFImage
    private let color: TiledPlanes
    private let alpha: TiledPlanes?
    private var matrix: YCbCrMatrix?
    var nextRow = 0

    /// Loads no decoder before the first tile is needed. Throws a `limit` error if the image exceeds `limits`.
    init(
        _ file: HEIFFile, _ image: HEIFImage, format: ImageFormat, limits: Limits, task: TaskContext
    ) throws(MediaError) {
        try limits.check(size: image.tiles.size, isStreamed: image.isStreamed)
        try limits.check(size: image.tiles.tileSize)
        try file.checkCodedSizes(limits, task: task)
        self.image = image
        func planes(_ tiles: HEIFTiles, isAlpha: Bool, helpers: Int) throws(MediaError) -> TiledPlanes {
            let source = SharedTiles(tiles: tiles, file: file)
            let decoding = TileDecoding(tiles, helpers: helpers, task: task) {
                source.tiles.source(of: $0, in: source.file)
            }
            return try TiledPlanes(decoding, isAlpha: isAlpha)
        }
        let helpers = task.threads - 1
        let alphaHelpers = image.alpha == nil ? 0 : helpers / 2
        color = try planes(image.tiles, isAlpha: false, helpers: helpers - alphaHelpers)
        alpha = try image.alpha.map { (tiles) throws(MediaError) in
            try planes(tiles, isAlpha: true, helpers: alphaHelpers)
        }

        var header = ImageHeader(format: format, size: image.shown.size)
        header.orientation = image.orientation
        header.obeysEXIFOrientation = false
        header.layout = image.alpha == nil ? .rgb : .rgba
        header.depth = image.tiles.depth
        header.rowBits = image.tiles.depth > 8 ? 16 : 8
        header.model = image.tiles.isMonochrome ? .grey : image.codePoints?.matrix == 0 ? .rgb : .yCbCr
        header.subsampling = image.tiles.subsampling
        header.profile = image.profile
        header.codePoints = image.codePoints
        header.take(file)
        try limits.check(frames: header.frames)
        self.header = header
    }

    func prepare(reduction: Double) {
        for planes in [color, alpha] {
            planes?.prepare(image.shown.rows.lowerBound + nextRow, reduction: reduction)
        }
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        let y = image.shown.rows.lowerBound + nextRow
        nextRow += 1
        guard try color.readLuma(y), let layout = color.layout else {
            guard nextRow < header.size.height else {
                throw MediaError(
                    .decoding, step: .decode, reason: "no tile can be decoded (\(color.firstFault ?? "no data"))")
            }
            return header.fillMissing(row, count: header.rowBytes)
        }
        try color.readChroma(y)
        let left = image.shown.columns.lowerBound
        let luma = color.luma + left
        let (cb, cr) = layout.isMonochrome ? (luma, luma) : (color.cb + left, color.cr + left)
        let matrix = matrix(for: layout)
        let count = header.size.width
        let (bytes, words) = (row.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt16.self))
        switch (try alphaRow(y), header.rowBits) {
        case (nil, 8): wr_ycbcr_to_bytes_rgb(luma, cb, cr, matrix, bytes, count)
        case (nil, _): wr_ycbcr_to_words_rgb(luma, cb, cr, matrix, words, count)
        case (let alpha?, 8): wr_ycbcr_to_bytes_rgba(luma, cb, cr, alpha.row + left, alpha.scale, matrix, bytes, count)
        case (let alpha?, _): wr_ycbcr_to_words_rgba(luma, cb, cr, alpha.row + left, alpha.scale, matrix, words, count)
        }
        if image.isPremultiplied { header.straighten(row) }
    }

    /// The damage of the colours or of alpha, of which more is missing.
    var damage: Damage? {
        let parts = [(planes: color, name: ""), alpha.map { (planes: $0, name: " of alpha") }].compactMap(\.self)
        let damaged = parts.filter { $0.planes.firstFault != nil }
        guard let worst = damaged.max(by: { $0.planes.missingPixels < $1.planes.missingPixels }),
            let fault = worst.planes.firstFault
        else { return nil }
        let tiles = worst.planes.tileCount
        let whole = tiles == 1 ? "damaged data" : "\(worst.planes.damagedTiles) of \(tiles) tiles"
        return Damage(
            missingShare: min(Double(worst.planes.missingPixels) / Double(image.tiles.size.pixels), 1),
            description: whole + worst.name + (tiles == 1 ? " (\(fault))" : " are damaged (\(fault))"))
    }

    private var fullScale: Double { header.rowBits == 8 ? 255 : 65535 }

    /// Returns the conversion matrix for `layout`. The container's matrix and range override the coded data's.
    private func matrix(for layout: PlanarLayout) -> [Float] {
        if let matrix { return matrix.rows }
        let stated = [image.codePoints?.matrix, layout.matrix].lazy.compactMap(\.self).first { $0 != 2 } ?? 2
        // The identity matrix requires full-resolution chroma.
        let isIdentity = stated == 0 && !layout.halvesColumns && !layout.halvesRows
        let made = YCbCrMatrix(
            stated == 0 && !isIdentity ? 2 : stated,
            isFullRange: image.codePoints?.isFullRange ?? layout.isFullRange ?? true,
            isMonochrome: layout.isMonochrome, depth: layout.depth, fullScale: fullScale)
        matrix = made
        return made.rows
    }

    /// Alpha of row `y` and the factor to full scale; opaque for missing tiles.
    private func alphaRow(_ y: Int) throws(MediaError) -> (row: UnsafeMutablePointer<Float>, scale: Float)? {
        guard let alpha else { return nil }
        guard try alpha.readLuma(y), let layout = alpha.layout else {
            alpha.luma.update(repeating: 1, count: image.tiles.size.width)
            return (alpha.luma, Float(fullScale))
        }
        return (alpha.luma, Float(fullScale / Double(1 << layout.depth - 1)))
    }
}

extension HEIFTileReader: PlanarRowReader {
    var planar: (any PlanarRowReader)? { self }

    func chromaSampling() throws(MediaError) -> ChromaSampling? {
        guard alpha == nil, image.shown == PixelRectangle(image.tiles.size), try color.hold(rowOfTilesAt: nextRow),
            let layout = color.layout, layout.depth == 8, header.rowBits == 8, !layout.isMonochrome
        else { return nil }
        return ChromaSampling(
            columns: layout.halvesColumns ? layout.columnSiting.axis : .full,
            rows: layout.halvesRows ? layout.rowSiting.axis : .full)
    }

    func readRow(_ y: Int, ofPlane plane: Int, into row: UnsafeMutableRawPointer) throws(MediaError) {
        try color.readSamples(y, ofPlane: plane, into: row)
    }

    func convertToRGB(_ image: inout Image, rows: Range<Int>) {
        guard let layout = color.layout else { return }
        // The matrix is for codes and to codes.
        let matrix = matrix(for: layout).enumerated().map { $0 % 4 == 3 ? $1 / 255 : $1 }
        image.withMutablePlanes { planes in
            for y in rows {
                wr_matrix(
                    planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2), planes.width, matrix)
            }
        }
    }
}

extension PlanarLayout.Siting {
    fileprivate var axis: ChromaSampling.Axis { self == .cosited ? .cosited : .centered }
}

/// Tiles and their file. They consist of values and of pointers into bytes that they keep and that nothing writes to.
private struct SharedTiles: @unchecked Sendable {
    let tiles: HEIFTiles
    let file: HEIFFile
}

extension ImageHeader {
    /// Adds the metadata items of `file` to the header.
    mutating func take(_ file: HEIFFile) {
        exif = file.exif
        xmp = file.xmp
        hasThumbnail = file.hasThumbnail
        auxiliaryImages = file.auxiliaryImages
        hasGainMap = auxiliaryImages.contains { $0.hasPrefix(HEIFPurpose.gainMap.rawValue) }
        frames = max(1, file.topLevelImages.count, file.sequenceFrames)
    }
}
