internal import WayreelCore

/// The elements of a DICOM file (PS3.5, PS3.10), as far as waveforms need them.
struct DICOMDataSet {
    private typealias Tag = UInt32

    private enum Element {
        case value(Range<Int>)
        case items([DICOMDataSet])
    }

    private var elements: [Tag: Element] = [:]
    private let file: Bytes

    /// The bytes of a file, and how its numbers are written.
    final class Bytes {
        let all: MediaBytes
        let path: String
        var isBigEndian = false
        var isExplicit = true

        init(_ all: MediaBytes, _ path: String) { (self.all, self.path) = (all, path) }

        func fault(_ reason: String, kind: MediaError.Kind = .decoding) -> MediaError {
            MediaError(kind, step: .read, format: .dicom, subject: path, reason: "DICOM: \(reason)")
        }

        func number16(_ at: Int) -> Int {
            let (a, b) = (Int(all.buffer[at]), Int(all.buffer[at + 1]))
            return isBigEndian ? a << 8 | b : b << 8 | a
        }

        func number32(_ at: Int) -> Int {
            let (a, b) = (number16(at), number16(at + 2))
            return isBigEndian ? a << 16 | b : b << 16 | a
        }
    }

    private static let undefined = 0xFFFF_FFFF
    private static let maxDepth = 16
    /// Value representations whose lengths have 32 bits.
    private static let long: Set = ["OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"]

    /// Reads a file with its preamble.
    init(_ all: MediaBytes, _ path: String) throws(MediaError) {
        file = Bytes(all, path)
        guard all.count > 132 else { throw file.fault("the file ends in its preamble") }
        var at = 132
        // The elements of group 2 are explicit and little endian.
        var meta = DICOMDataSet(file)
        while at + 4 <= all.count, file.number16(at) == 2 { try meta.readElement(&at, all.count, 0) }
        let syntax = meta.text(.transferSyntaxUID)
        switch syntax {
        case "1.2.840.10008.1.2": file.isExplicit = false
        case "1.2.840.10008.1.2.1": break
        case "1.2.840.10008.1.2.2": file.isBigEndian = true
        default: throw file.fault("the transfer syntax '\(syntax)' is not read", kind: .unsupported)
        }
        try readElements(&at, all.count, 0)
    }

    private init(_ file: Bytes) { self.file = file }

    // MARK: Reading

    private mutating func readElements(_ at: inout Int, _ end: Int, _ depth: Int) throws(MediaError) {
        while at < end {
            guard at + 8 <= end else {
                throw file.fault("the file ends in the header of an element, at byte \(at)")
            }
            // The end of an item, and of a sequence, of undefined length.
            guard file.number16(at) != 0xFFFE else { return }
            try readElement(&at, end, depth)
        }
    }

    private mutating func readElement(_ at: inout Int, _ end: Int, _ depth: Int) throws(MediaError) {
        guard at + 8 <= end else { throw file.fault("the file ends in the header of an element, at byte \(at)") }
        let tag = Tag(file.number16(at)) << 16 | Tag(file.number16(at + 2))
        let begin = at
        var (length, isSequence) = (0, false)
        if file.isExplicit || tag >> 16 == 2 {
            let kind = String(decoding: file.all.buffer[at + 4..<at + 6], as: UTF8.self)
            if Self.long.contains(kind) {
                guard at + 12 <= end else {
                    throw file.fault("the file ends in the header of an element, at byte \(at)")
                }
                length = file.number32(at + 8)
                at += 12
            } else {
                length = file.number16(at + 6)
                at += 8
            }
            isSequence = kind == "SQ" || (kind == "UN" && length == Self.undefined)
        } else {
            length = file.number32(at + 4)
            at += 8
            isSequence = length == Self.undefined || Self.sequences.contains(tag)
        }
        guard length == Self.undefined ? isSequence : length <= end - at else {
            throw file.fault("\(Self.name(tag)) at byte \(begin) is longer than the file: \(length) bytes")
        }
        if isSequence {
            elements[tag] = .items(try items(&at, length == Self.undefined ? nil : at + length, end, depth + 1))
        } else {
            elements[tag] = .value(at..<at + length)
            at += length
        }
    }

    /// Reads the items of a sequence that ends at `sequenceEnd`, or with a delimiter.
    private func items(
        _ at: inout Int, _ sequenceEnd: Int?, _ end: Int, _ depth: Int
    ) throws(MediaError) -> [DICOMDataSet] {
        guard depth <= Self.maxDepth else { throw file.fault("sequences are nested more than \(Self.maxDepth) deep") }
        var items: [DICOMDataSet] = []
        while at < sequenceEnd ?? end {
            guard at + 8 <= sequenceEnd ?? end else { break }
            let (group, number, length) = (file.number16(at), file.number16(at + 2), file.number32(at + 4))
            guard group == 0xFFFE else { throw file.fault("a sequence has no item at byte \(at)") }
            at += 8
            if number == 0xE0DD { return items }
            let limit = sequenceEnd ?? end
            guard length == Self.undefined || length <= limit - at else {
                throw file.fault("an item at byte \(at) is longer than its sequence: \(length) bytes")
            }
            var item = DICOMDataSet(file)
            let itemEnd = length == Self.undefined ? limit : at + length
            try item.readElements(&at, itemEnd, depth)
            if length == Self.undefined {
                guard at + 8 <= limit, file.number16(at + 2) == 0xE00D else {
                    throw file.fault("an item has no end at byte \(at)")
                }
                at += 8
            } else {
                at = itemEnd
            }
            guard items.count < 1 << 16 else { throw file.fault("a sequence has too many items", kind: .limit) }
            items.append(item)
        }
        guard sequenceEnd != nil else { throw file.fault("the file ends in a sequence, at byte \(at)") }
        return items
    }

    /// The sequences that waveforms need, for files that do not say what is one.
    private static let sequences = Set(
        [
            DICOMAttribute.waveformSequence, .channelDefinitionSequence, .channelSourceSequence,
            .channelSensitivityUnitsSequence, .waveformAnnotationSequence, .conceptNameCodeSequence,
            .measurementUnitsCodeSequence,
        ].map(\.tag))

    private static func name(_ tag: Tag) -> String {
        func hex(_ number: Tag) -> String {
            let text = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        return "(\(hex(tag >> 16)),\(hex(tag & 0xFFFF)))"
    }

    // MARK: Values

    func items(_ attribute: DICOMAttribute) -> [DICOMDataSet] {
        if case .items(let items)? = elements[attribute.tag] { items } else { [] }
    }

    func range(_ attribute: DICOMAttribute) -> Range<Int>? {
        if case .value(let range)? = elements[attribute.tag] { range } else { nil }
    }

    func text(_ attribute: DICOMAttribute) -> String {
        range(attribute).map { String(field: file.all.buffer[$0]) } ?? ""
    }

    /// The numbers of a text, of which backslashes separate several.
    func decimals(_ attribute: DICOMAttribute) -> [Double] {
        text(attribute).split(separator: "\\").compactMap { DecimalNumber.value($0.trimmed()) }
    }

    func decimal(_ attribute: DICOMAttribute) -> Double? { decimals(attribute).first }

    func numbers16(_ attribute: DICOMAttribute) -> [Int] {
        guard let range = range(attribute) else { return [] }
        return stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map { file.number16($0) }
    }

    func numbers32(_ attribute: DICOMAttribute) -> [Int] {
        guard let range = range(attribute) else { return [] }
        return stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).map { file.number32($0) }
    }

    /// The meaning of the first code of a sequence, and its value.
    func code(_ attribute: DICOMAttribute) -> (value: String, meaning: String)? {
        items(attribute).first.map { ($0.text(.codeValue), $0.text(.codeMeaning)) }
    }

    func fault(_ reason: String, kind: MediaError.Kind = .decoding) -> MediaError { file.fault(reason, kind: kind) }

    /// A sample of 8, 16 or 32 bits at a place of the file.
    func sample(_ at: Int, bits: Int, isSigned: Bool) -> Double {
        switch bits {
        case 8:
            let byte = file.all.buffer[at]
            return isSigned ? Double(Int8(bitPattern: byte)) : Double(byte)
        case 16:
            let number = file.number16(at)
            return isSigned ? Double(Int16(truncatingIfNeeded: number)) : Double(number)
        default:
            let number = file.number32(at)
            return isSigned ? Double(Int32(truncatingIfNeeded: number)) : Double(number)
        }
    }
}
