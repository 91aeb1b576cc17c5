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
