internal import Glibc
internal import WayreelCore

/// The complete datasets of IPTC-IIM ("Information Interchange Model", version 4.2, section 1.5).
struct IPTCRecords {
    struct Dataset {
        let record: UInt8
        let number: UInt8
        /// The range from the dataset's tag marker to the end of its value.
        let range: Range<Int>
        let value: Range<Int>
    }

    /// More than ten times what a JPEG can hold.
    private static let byteLimit = 1 << 20

    private let bytes: [UInt8]
    private(set) var datasets: [Dataset] = []
    /// Whether data other than padding follow the last complete dataset.
    private(set) var isDamaged = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.count <= Self.byteLimit ? bytes : []
        var offset = 0
        while let dataset = dataset(at: offset) {
            datasets.append(dataset)
            offset = dataset.range.upperBound
        }
        isDamaged = bytes[offset...].contains { $0 != 0 }
    }

    /// Marker 0x1C, record, number, two-byte length; if its highest bit is set, the size of an extended length.
    private func dataset(at offset: Int) -> Dataset? {
        guard offset <= bytes.count - 5, bytes[offset] == 0x1C else { return nil }
        var start = offset + 5
        var length = Int(bytes[offset + 3]) << 8 | Int(bytes[offset + 4])
        if length & 0x8000 != 0 {
            let lengthBytes = length & 0x7FFF
            guard (1...4).contains(lengthBytes), lengthBytes <= bytes.count - start else { return nil }
            length = bytes[start..<start + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
            start += lengthBytes
        }
        guard length <= bytes.count - start else { return nil }
        return Dataset(
            record: bytes[offset + 1], number: bytes[offset + 2], range: offset..<start + length,
            value: start..<start + length)
    }

    /// Records 1 and 2 without previews: the description and its character set.
    var withoutPreviews: [UInt8] {
        datasets.filter { $0.record == 1 || $0.record == 2 && !Self.previews.contains($0.number) }
            .flatMap { bytes[$0.range] }
    }

    /// Texts that XMP also has.
    var descriptive: DescriptiveMetadata {
        // ISO 2022's escape sequence for UTF-8; anything else is read as Latin-1, as in exiftool.
        let isUTF8 = datasets.contains {
            $0.record == 1 && $0.number == 90 && bytes[$0.value].elementsEqual([0x1B, 0x25, 0x47])
        }
        var found = DescriptiveMetadata()
        for property in DescriptiveProperty.all {
            let values = datasets.filter { $0.record == 2 && $0.number == property.dataset }.map { bytes[$0.value] }
            let texts = values.compactMap { value in
                let text = isUTF8 ? String(utf8OrWindows1252: value) : String(windows1252: value)
                return DescriptiveMetadata.Text(property.form == .date ? Self.date(text) : text)
            }
            let holdsSeveral = property.form == .bag || property.form == .sequence
            found[property] = Array(texts.prefix(holdsSeveral ? texts.count : 1))
        }
        return found
    }

    /// Datasets without a corresponding XMP property, as `2:118`, each once.
    var unmapped: [String] {
        let mapped = Set(DescriptiveProperty.all.compactMap(\.dataset)).union(Self.previews).union(Self.bookkeeping)
        let numbers = Set(datasets.lazy.filter { $0.record == 2 }.map(\.number)).subtracting(mapped)
        return numbers.sorted().map { "2:\($0)" }
    }

    private static let previews: Set<UInt8> = [200, 201, 202]
    /// Record version, times that accompany kept dates, originating program.
    private static let bookkeeping: Set<UInt8> = [0, 60, 62, 63, 65, 70]

    /// Returns `2015-04-10` for `20150410`, without unknown parts; the unchanged text if it is not a date.
    private static func date(_ text: String) -> String {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return text }
        let parts = [text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2)]
        return parts.prefix { $0.contains { $0 != "0" } }.joined(separator: "-")
    }
}

/// Photoshop image resource blocks ("Adobe Photoshop File Formats Specification") in PSD, TIFF and JPEG's APP13:
/// `8BIM`, ID, name padded to two bytes, length, data padded to two bytes. Parsing stops at damage.
struct PhotoshopResources: Sequence, IteratorProtocol {
    struct Resource {
        let number: Int
        let data: UnsafeRawBufferPointer
    }

    static let iptc = 0x0404
    static let iptcDigest = 0x0425
    static let profile = 1039
    static let exif = 1058
    static let xmp = 1060

    /// Identifier of the resources in an APP13 segment.
    static let segmentMark = Array("Photoshop 3.0\0".utf8)

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Resource? {
        guard offset <= bytes.count - 12 else { return nil }
        let nameBytes = (1 + Int(bytes[offset + 6]) + 1) / 2 * 2
        let header = offset + 6 + nameBytes
        guard header <= bytes.count - 4 else { return nil }
        let (start, count) = (header + 4, Int(bytes.bigEndian32(at: header)))
        guard count <= bytes.count - start else { return nil }
        let number = Int(bytes.bigEndian16(at: offset + 4))
        offset = start + (count + 1) / 2 * 2
        return Resource(number: number, data: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    }

    /// Returns the payload of an APP13 segment with only IPTC.
    static func segment(iptc: [UInt8]) -> [UInt8] {
        let length = TIFFBlockWriter.number(iptc.count, size: 4, isLittleEndian: false)
        return segmentMark + Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + length + iptc + (iptc.count % 2 == 1 ? [0] : [])
    }
}

/// The IPTC-IIM records of a file.
package struct IPTCBlock: Hashable, Sendable {
    package var bytes: [UInt8]
    /// MD5 digest of the records from which the XMP packet was last derived, if stored.
    package var digest: [UInt8]?

    package init(_ bytes: [UInt8], digest: [UInt8]? = nil) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Finds the IPTC records; nil if there are none.
    init?(_ resources: PhotoshopResources) {
        var bytes: [UInt8]?
        for resource in resources {
            switch resource.number {
            case PhotoshopResources.iptc where bytes == nil: bytes = Array(resource.data)
            case PhotoshopResources.iptcDigest: digest = Array(resource.data)
            default: break
            }
        }
        guard let bytes, !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// Whether the records were changed after the XMP packet, by a program that did not update it.
    var isNewerThanXMP: Bool { digest.map { $0 != MD5.digest(of: bytes) } ?? false }
}

/// The MD5 digest (RFC 1321), by which Photoshop resources record whether IPTC was changed after XMP.
package enum MD5 {
    /// Rotation of each step, by round and by step within four.
    private static let rotations: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        message += littleEndian(UInt64(bytes.count) * 8)
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + 4 * word + $1]) << (8 * $1) }
            }
            mix(words, into: &state)
        }
        return state.flatMap(littleEndian)
    }

    private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mixed, word): (UInt32, Int) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mixed &+ constants[step] &+ words[word]
            let rotation = rotations[step / 16][step % 4]
            (a, b, c, d) = (d, b &+ (sum << rotation | sum >> (32 - rotation)), b, c)
        }
        for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
