internal import CJPEG
package import WayreelCore
internal import WayreelKernels

/// Encodes JPEG through libjpeg-turbo. Alpha is composited on black.
package enum JPEGWriter: ImageEncoder {
    package static func encode(
        _ image: Image, as encoding: Encoding, metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) -> [UInt8] {
        guard image.width <= 65_500, image.height <= 65_500 else {
            throw MediaError(
                .encoding, step: .encode,
                reason: "JPEG is limited to 65500 pixels per side, the image is \(image.size)",
                advice: "choose another format or a smaller size")
        }
        let file = try JPEGFile(size: image.size, encoding: encoding)
        for segment in try segments(metadata) { try file.append(segment) }
        try image.withPlanes { (planes) throws(MediaError) in
            var row = [UInt8](repeating: 0, count: planes.stride * 3)
            for y in 0..<planes.height {
                if y % 64 == 0 { try task.check() }
                wr_pack_rgb8(
                    planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2), &row, planes.width)
                try file.write(row)
            }
        }
        return try file.finish()
    }

    private static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// Max payload of a segment, without marker and length.
    private static let maxSegment = 65_533

    /// Max size of each metadata block in a JPEG.
    static let maxEXIF = maxSegment - EXIFBlock.identifier.count
    static let maxXMP = maxSegment - xmpMark.count
    /// Inside Photoshop resources, padded to an even size.
    static let maxIPTC = (maxSegment - PhotoshopResources.segment(iptc: []).count) / 2 * 2

    /// APPn segments in the order that readers expect: EXIF, XMP, IPTC, profile.
    private static func segments(_ metadata: OutputMetadata) throws(MediaError) -> [Segment] {
        var segments: [Segment] = []
        if let exif = metadata.exif { segments.append((1, EXIFBlock.identifier + exif)) }
        if let xmp = metadata.xmp { segments.append((1, xmpMark + xmp)) }
        if let iptc = metadata.iptc { segments.append((13, PhotoshopResources.segment(iptc: iptc))) }
        segments.append((2, Array("ICC_PROFILE\0".utf8) + [1, 1] + SRGBProfile.bytes))
        for segment in segments where segment.bytes.count > maxSegment {
            throw MediaError(
                .encoding, step: .encode,
                reason: "a metadata block of \(segment.bytes.count) bytes does not fit into a JPEG",
                advice: "keep less metadata")
        }
        return segments
    }
}

/// An APPn segment without marker and length.
private typealias Segment = (number: Int32, bytes: [UInt8])

/// A JPEG being written to memory.
private struct JPEGFile: ~Copyable {
    private let writer: OpaquePointer

    init(size: PixelSize, encoding: Encoding) throws(MediaError) {
        let ratio: (Int32, Int32) =
            switch encoding.subsampling {
            case .full: (1, 1)
            case .half: (2, 1)
            case .quarter: (2, 2)
            }
        let options = wr_jpeg_options(
            width: UInt32(size.width), height: UInt32(size.height), quality: Int32(encoding.quality),
            progressive: encoding.progressive ? 1 : 0, horizontal_ratio: ratio.0, vertical_ratio: ratio.1)
        try SharedLibrary.libjpeg.require(step: .encode)
        var message = [CChar](repeating: 0, count: Int(WR_JPEG_MESSAGE_SIZE))
        guard let writer = wr_jpeg_writer_open(options, &message) else {
            throw Self.fault(String(cMessage: message))
        }
        self.writer = writer
    }

    deinit { wr_jpeg_writer_close(writer) }

    func append(_ segment: Segment) throws(MediaError) {
        try check(wr_jpeg_writer_segment(writer, segment.number, segment.bytes, UInt32(segment.bytes.count)) != 0)
    }

    func write(_ row: [UInt8]) throws(MediaError) {
        try check(wr_jpeg_writer_write(writer, row) != 0)
    }

    func finish() throws(MediaError) -> [UInt8] {
        var count = 0
        let bytes = wr_jpeg_writer_finish(writer, &count)
        try check(bytes != nil)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func check(_ succeeded: Bool) throws(MediaError) {
        guard succeeded else { throw Self.fault(String(cString: wr_jpeg_writer_message(writer))) }
    }

    private static let fault = ErrorSite(.encoding, step: .encode, format: .jpeg) { "libjpeg: \($0)" }
}
