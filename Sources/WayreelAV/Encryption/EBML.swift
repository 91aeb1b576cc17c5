internal import WayreelCore

/// The header of an element of Matroska and WebM (RFC 8794, sections 5 and 6).
struct EBMLHeader {
    /// The length of the longest header.
    static let maxCount = 12

    /// The ID including the length marker bits, as written in the specifications.
    let id: Int
    /// Bytes of the header itself.
    let count: Int
    /// Bytes of the content, limited to the room.
    let bodyCount: Int
    /// Whether the size was not known when the header was written: all its bits are set.
    let hasUnknownSize: Bool

    /// Parses the first bytes of an element that has `room` bytes in its parent. Returns nil for a broken one.
    init?(_ bytes: UnsafeRawBufferPointer, room: Int) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idCount = first.leadingZeroBitCount + 1
        guard bytes.count > idCount, bytes[idCount] > 0 else { return nil }
        let sizeCount = bytes[idCount].leadingZeroBitCount + 1
        guard bytes.count >= idCount + sizeCount, room >= idCount + sizeCount else { return nil }
        id = Int(bytes.bigEndian(at: 0, count: idCount))
        count = idCount + sizeCount
        // An unknown size is limited to the room, like any size that is too large.
        let mask = UInt64(1) << UInt64(7 * sizeCount) - 1
        let size = bytes.bigEndian(at: idCount, count: sizeCount) & mask
        hasUnknownSize = size == mask
        bodyCount = Int(clamping: min(size, UInt64(room - count)))
    }
}

/// The sibling elements in a buffer, up to the first broken one.
struct EBMLElements: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> (id: Int, body: UnsafeRawBufferPointer)? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard let header = EBMLHeader(rest, room: rest.count) else { return nil }
        let end = header.count + header.bodyCount
        offset += end
        return (header.id, UnsafeRawBufferPointer(rebasing: rest[header.count..<end]))
    }

    /// Returns the bodies of the elements of `id`.
    static func all(_ id: Int, in bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        EBMLElements(bytes).filter { $0.id == id }.map(\.body)
    }

    /// Returns the unsigned number in the first element of `id`; nil if there is none.
    static func number(_ id: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        all(id, in: bytes).first.flatMap { $0.count <= 8 ? Int(clamping: $0.bigEndian(at: 0, count: $0.count)) : nil }
    }

    /// Returns the text in the first element of `id`; nil if there is none.
    static func text(_ id: Int, in bytes: UnsafeRawBufferPointer) -> String? {
        all(id, in: bytes).first.map { String(decoding: $0.prefix { $0 != 0 }.prefix(64), as: UTF8.self) }
    }

    /// Returns the floating-point number in the first element of `id`; nil if there is none.
    static func real(_ id: Int, in bytes: UnsafeRawBufferPointer) -> Double? {
        all(id, in: bytes).first.flatMap { body in
            switch body.count {
            case 4: Double(Float(bitPattern: UInt32(body.bigEndian(at: 0, count: 4))))
            case 8: Double(bitPattern: body.bigEndian(at: 0, count: 8))
            default: nil
            }
        }
    }
}

/// The tracks of a Matroska or WebM file (RFC 9559, section 5.1.4.1).
struct MatroskaTracks {
    private let file: InputFile
    private let size: Int

    enum ID {
        static let segment = 0x1853_8067
        static let tracks = 0x1654_AE6B
        static let track = 0xAE
        static let trackType = 0x83
        static let codec = 0x86
    }

    /// Track types that become FFmpeg streams: video, audio, subtitles, metadata.
    private static let types: Set<Int> = [0x01, 0x02, 0x11, 0x21]
    /// Max number of sibling elements that are searched.
    private static let maxElements = 4096
    /// Max bytes read of the Tracks element.
    private static let maxBytes = 1 << 22

    init(_ file: InputFile) {
        self.file = file
        size = file.size ?? 0
    }

    /// Returns what `body` makes of each track that becomes a stream, in file order.
    func map<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(MediaError) -> [Result] {
        guard let segment = try find(ID.segment, in: 0..<size), let tracks = try find(ID.tracks, in: segment) else {
            return []
        }
        let bytes = try file.bytes(at: tracks.lowerBound, count: min(tracks.count, Self.maxBytes))
        return bytes.withUnsafeBytes { bytes in
            EBMLElements.all(ID.track, in: bytes).filter { track in
                EBMLElements.number(ID.trackType, in: track).map(Self.types.contains) ?? false
            }.map(body)
        }
    }

    /// Returns the offsets of the content of the first element of `id`.
    private func find(_ id: Int, in range: Range<Int>) throws(MediaError) -> Range<Int>? {
        var offset = range.lowerBound
        for _ in 0..<Self.maxElements where offset < range.upperBound {
            let room = range.upperBound - offset
            let bytes = try file.bytes(at: offset, count: min(EBMLHeader.maxCount, room))
            guard let header = bytes.withUnsafeBytes({ EBMLHeader($0, room: room) }) else { return nil }
            let body = offset + header.count..<offset + header.count + header.bodyCount
            if header.id == id { return body }
            offset = body.upperBound
        }
        return nil
    }
}
