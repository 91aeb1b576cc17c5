internal import Glibc
internal import WayreelCore

/// A raw photo of a camera: unprocessed sensor data, with JPEG previews made by the camera. The largest preview is read.
struct RawPhoto {
    /// The kind of a raw file by its signature; those that are TIFF are told from others by their content.
    enum Kind {
        case tiff, canonCR3, fujifilm
        /// A file that is searched for previews.
        case other(maker: String)
    }

    /// The camera, or the maker of the format: `Canon EOS 80D`.
    let name: String
    /// The largest preview; nil if there is none.
    let preview: Range<Int>?
    /// The rotation by the raw file's own metadata.
    private(set) var orientation = Orientation.upright
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?

    private enum Tag {
        static let (subfile, compression, photometric) = (254, 259, 262)
        static let (make, model, orientation) = (271, 272, 274)
        static let (stripOffsets, stripLengths) = (273, 279)
        static let subdirectories = 330
        static let (jpegOffset, jpegLength) = (513, 514)
        static let dngVersion = 50706
    }

    /// Of a colour filter array, and of its linear values.
    private static let sensorData: Set<Int> = [32803, 34892]

    /// Returns nil for a TIFF file that is not a raw photo.
    init?(_ kind: Kind, _ file: MediaBytes) {
        let bytes = file.buffer
        switch kind {
        case .tiff:
            guard let raw = RawPhoto(tiff: file) else { return nil }
            self = raw
        case .canonCR3:
            preview = JPEGStart.largest(in: bytes)
            let metadata = Self.canonMetadata(file)
            name = metadata.flatMap { Self.camera($0) } ?? "Canon"
            take(metadata)
        case .fujifilm:
            preview = JPEGStart.largest(in: bytes)
            // A text of 32 bytes (libopenraw, RAF format).
            let model = String(decoding: bytes.dropFirst(28).prefix(32).prefix { $0 != 0 }, as: UTF8.self).onOneLine
            name = model.isEmpty ? "Fujifilm" : "Fujifilm \(model)"
        case .other(let maker):
            preview = JPEGStart.largest(in: bytes)
            let directories = TIFFBlock(file)
            name = directories.flatMap { Self.camera($0) } ?? maker
            take(directories)
        }
    }

    /// A TIFF file is a raw photo if it is a Digital Negative or has sensor data, or if it starts with a reduced image
    /// and has others inside.
    private init?(tiff bytes: MediaBytes) {
        guard let file = TIFFBlock(bytes) else { return nil }
        let directories = Self.directories(of: file)
        guard let first = directories.first else { return nil }
        func number(_ tag: Int, _ fields: [TIFFBlock.Field]) -> Int? {
            fields.first { $0.tag == tag }.flatMap(file.integer)
        }
        let isDNG = first.contains { $0.tag == Tag.dngVersion }
        let hasSensorData = directories.contains { number(Tag.photometric, $0).map(Self.sensorData.contains) ?? false }
        let startsReduced = number(Tag.subfile, first) == 1 && first.contains { $0.tag == Tag.subdirectories }
        guard isDNG || hasSensorData || startsReduced else { return nil }
        // The tiles of a lossy Digital Negative are JPEG too, so that only its directories tell which ones are previews.
        let named = directories.flatMap { fields in
            [(Tag.jpegOffset, Tag.jpegLength), (Tag.stripOffsets, Tag.stripLengths)].compactMap { pair -> Range<Int>? in
                if pair.0 == Tag.stripOffsets {
                    guard [6, 7].contains(number(Tag.compression, fields)),
                        fields.first(where: { $0.tag == pair.0 })?.count == 1,
                        !(number(Tag.photometric, fields).map(Self.sensorData.contains) ?? false)
                    else { return nil }
                }
                guard let start = number(pair.0, fields), let length = number(pair.1, fields), start < bytes.count
                else { return nil }
                return start..<start + min(length, bytes.count - start)
            }
        }
        preview = isDNG ? JPEGStart.largest(of: named, in: file.bytes) : JPEGStart.largest(in: file.bytes)
        name = Self.camera(file) ?? (isDNG ? "a Digital Negative" : "an unknown camera")
        take(file)
    }

    private mutating func take(_ file: TIFFBlock?) {
        guard let file else { return }
        orientation = Orientation(exif: file.first[Tag.orientation].flatMap(file.integer) ?? 1)
        let metadata = TIFFMetadata(file, directory: file.firstOffset)
        (exif, xmp) = (metadata.exif, metadata.xmp)
    }

    /// Returns the camera of the first directory, by make and model.
    private static func camera(_ file: TIFFBlock) -> String? {
        let first = file.first
        let texts = [Tag.make, Tag.model].map { tag -> String? in
            guard let field = first[tag], field.value.count <= maxText else { return nil }
            let text = file.text(field)?.onOneLine
            return text?.isEmpty == true ? nil : text
        }
        guard let model = texts[1] else { return texts[0] }
        // Most models begin with the maker's name.
        let maker = texts[0]?.split(separator: " ").first.map(String.init) ?? ""
        return model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(maker) \(model)"
    }

    /// Max length of a text in bytes.
    private static let maxText = 64 << 10
    /// Max number of directories that are searched.
    private static let maxDirectories = 64

    /// Returns the fields of the directories in the chain and those inside of them, the first one first.
    private static func directories(of file: TIFFBlock) -> [[TIFFBlock.Field]] {
        var (pending, seen): ([Int], Set<Int>) = ([file.firstOffset], [])
        var found: [[TIFFBlock.Field]] = []
        while !pending.isEmpty, found.count < maxDirectories {
            let offset = pending.removeFirst()
            guard seen.insert(offset).inserted else { continue }
            let directory = file.directory(at: offset)
            guard !directory.fields.isEmpty else { continue }
            found.append(directory.fields)
            pending += directory[Tag.subdirectories].map { file.integers($0, max: maxDirectories) } ?? []
            if directory.next != 0 { pending.append(directory.next) }
        }
        return found
    }

    /// Returns the TIFF block of a CR3 file that describes the image (`CMT1`).
    private static func canonMetadata(_ file: MediaBytes) -> TIFFBlock? {
        for box in ISOBoxes(ISOBox.first("moov", in: file.buffer)) where box.type == "uuid" && box.body.count > 16 {
            let block = ISOBox.first("CMT1", in: UnsafeRawBufferPointer(rebasing: box.body[16...]))
            if !block.isEmpty { return TIFFBlock(file, part: block) }
        }
        return nil
    }
}

/// The start of a JPEG that is embedded in another file.
private enum JPEGStart {
    /// Max number of places in a file that look like the start of a JPEG.
    private static let maxPlaces = 4096
    /// Max number of segments before the frame header.
    private static let maxSegments = 1024

    /// Returns the JPEG with the most pixels among `ranges`.
    static func largest(of ranges: [Range<Int>], in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        let sized = ranges.compactMap { range in
            size(UnsafeRawBufferPointer(rebasing: bytes[range])).map { (range: range, pixels: $0.pixels) }
        }
        return sized.max { $0.pixels < $1.pixels }?.range
    }

    /// Returns the JPEG with the most pixels in a file, up to its end: its own end is found when it is decoded.
    static func largest(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var (ranges, offset): ([Range<Int>], Int) = ([], 0)
        while ranges.count < maxPlaces, offset < bytes.count - 2, let base = bytes.baseAddress,
            let found = memchr(base + offset, 0xFF, bytes.count - 2 - offset)
        {
            offset = UnsafeRawPointer(found) - base
            if bytes[offset + 1] == 0xD8, bytes[offset + 2] == 0xFF { ranges.append(offset..<bytes.count) }
            offset += 1
        }
        return largest(of: ranges, in: bytes)
    }

    /// Returns the size in the frame header of a JPEG of 8 bits; nil for lossless ones, which hold sensor data, and for
    /// anything else.
    private static func size(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var offset = 2
        for _ in 0..<maxSegments where offset + 10 <= bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            let isFrame = (0xC0...0xC2).contains(marker)
            let isOther = (0xE0...0xFE).contains(marker) || [0xC4, 0xCC, 0xDB, 0xDD].contains(marker)
            guard isFrame || isOther else { return nil }
            if isFrame {
                guard bytes[offset + 4] == 8, [1, 3].contains(bytes[offset + 9]) else { return nil }
                let size = PixelSize(
                    width: Int(bytes.bigEndian16(at: offset + 7)), height: Int(bytes.bigEndian16(at: offset + 5)))
                return size.pixels > 0 ? size : nil
            }
            offset += 2 + max(2, Int(bytes.bigEndian16(at: offset + 2)))
        }
        return nil
    }
}

/// Decodes the largest JPEG preview of a raw photo.
final class RawPreviewReader: RowReader {
    let header: ImageHeader
    private let jpeg: JPEGReader

    /// Throws an `unsupported` error if the photo has no preview.
    init(_ photo: RawPhoto, _ bytes: MediaBytes, limits: Limits, task: TaskContext) throws(MediaError) {
        guard let preview = photo.preview else {
            throw MediaError(
                .unsupported, step: .decode,
                reason: "the raw photo of \(photo.name) has no preview that Wayreel reads",
                advice: "export it as JPEG, HEIC or TIFF first")
        }
        jpeg = try JPEGReader(MediaBytes(bytes.buffer[preview]), limits: limits, task: task)
        var header = jpeg.header
        header.format = .raw
        header.rawCamera = photo.name
        // The metadata of the preview describe it more exactly.
        if header.exif == nil {
            header.exif = photo.exif
            header.orientation = photo.orientation
            header.obeysEXIFOrientation = false
        }
        header.xmp = header.xmp ?? photo.xmp
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) { try jpeg.readRow(into: row) }

    func skipRows(_ count: Int) throws(MediaError) { try jpeg.skipRows(count) }

    var damage: Damage? { jpeg.damage }
}
