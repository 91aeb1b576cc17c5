internal import WayreelCore

/// Annotations in MIT format.
enum WFDBAnnotations {
    /// The mnemonics of the types (annot(5), ecgcodes.h).
    private static let mnemonics: [Int: String] = [
        1: "N", 2: "L", 3: "R", 4: "a", 5: "V", 6: "F", 7: "J", 8: "A", 9: "S", 10: "E", 11: "j", 12: "/", 13: "Q",
        14: "~", 16: "|", 18: "s", 19: "T", 20: "*", 21: "D", 22: "\"", 23: "=", 24: "p", 25: "B", 26: "^", 27: "t",
        28: "+", 29: "u", 30: "?", 31: "!", 32: "[", 33: "]", 34: "e", 35: "n", 36: "@", 37: "x", 38: "f", 39: "(",
        40: ")", 41: "r",
    ]

    static func read(
        _ file: RecordingBytes, rate: Double, start: SensorTime, onDamage: ((MediaError) -> Void)?
    ) throws(MediaError) -> [SensorMark] {
        guard file.count <= RecordingBytes.limit else {
            throw file.fault("the annotations have \(file.count) bytes", kind: .limit)
        }
        let bytes = try file.read(file.count, at: 0)
        var head = RecordingHead()
        do throws(LineDamage) { try add(bytes, rate, start, &head) } catch {
            let fault = file.fault(error.reason)
            guard let onDamage else { throw fault }
            onDamage(fault)
        }
        return head.marks
    }

    private static func add(
        _ bytes: [UInt8], _ rate: Double, _ start: SensorTime, _ head: inout RecordingHead
    ) throws(LineDamage) {
        var (at, sample, rate) = (0, 0, rate)
        var open: (type: Int, sample: Int, text: String)?
        func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
        while at + 2 <= bytes.count {
            let (type, value) = (word(at) >> 10, word(at) & 0x3FF)
            at += 2
            switch type {
            case 0 where value == 0:
                try close(open, &rate, start, &head)
                return
            // A long interval before the next annotation, whose upper half comes first.
            case 59:
                guard at + 4 <= bytes.count else { throw LineDamage("the annotations end in an interval") }
                sample += Int(Int32(truncatingIfNeeded: word(at) << 16 | word(at + 2)))
                at += 4
            // Numbers that belong to the last one.
            case 60, 61, 62: break
            case 63:
                guard at + value <= bytes.count else { throw LineDamage("the annotations end in a text") }
                open?.text = String(field: bytes[at..<at + value])
                at += value + value % 2
            default:
                try close(open, &rate, start, &head)
                sample += value
                open = (type, sample, "")
            }
        }
        throw LineDamage("the annotations have no end")
    }

    private static func close(
        _ annotation: (type: Int, sample: Int, text: String)?, _ rate: inout Double, _ start: SensorTime,
        _ head: inout RecordingHead
    ) throws(LineDamage) {
        guard let annotation else { return }
        // A comment that says how fine the times are, before all others.
        let resolution = "## time resolution: "
        if annotation.type == 22, annotation.sample == 0, annotation.text.hasPrefix(resolution) {
            guard let own = DecimalNumber.value(annotation.text.dropFirst(resolution.count)), own > 0 else {
                throw LineDamage("the annotations have '\(annotation.text)'")
            }
            rate = own
            return
        }
        guard let mnemonic = mnemonics[annotation.type] else { return }
        let seconds = Double(annotation.sample) / rate
        guard abs(seconds) <= 1e11 else { throw LineDamage("an annotation is at \(seconds) seconds") }
        let isComment = annotation.type == 22 && !annotation.text.isEmpty
        let parts = [isComment ? "" : mnemonic, annotation.text].filter { !$0.isEmpty }
        try head.add(SensorMark(start.advanced(by: seconds), text: parts.joined(separator: " ")))
    }
}
