/// A handwritten EXIF block: orientation 6, make, artist, copyright, a date, a location, a thumbnail, maker's notes.
struct EXIFSample {
    private(set) var bytes: [UInt8] = []
    private let isLittleEndian: Bool

    /// The fields as (tag, type, count, value of four bytes, or a longer one).
    private typealias Field = (UInt16, UInt16, Int, [UInt8])

    /// Offsets of the directories.
    static let (image, capture, location, thumbnail, values) = (8, 200, 300, 400, 500)

    init(isLittleEndian: Bool) {
        self.isLittleEndian = isLittleEndian
        bytes = [UInt8](repeating: 0, count: Self.values)
        bytes.replaceSubrange(
            0..<8, with: (isLittleEndian ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]) + number(8, 4))
        directory(
            at: Self.image,
            [
                (0x0100, 4, 1, number(4032, 4)), (0x010F, 2, 7, Array("Camera\0".utf8)),
                (0x0112, 3, 1, number(6, 2)), (0x013B, 2, 9, Array("A. Adams\0".utf8)),
                (0x8298, 2, 4, Array("CC0\0".utf8)), (0x8769, 4, 1, number(Self.capture, 4)),
                (0x8825, 4, 1, number(Self.location, 4)),
            ], next: Self.thumbnail)
        directory(
            at: Self.capture,
            [
                (0x9003, 2, 20, Array("2020:02:29 23:59:59\0".utf8)), (0x927C, 7, 9, Array("MAKERNOTE".utf8)),
                (0xA001, 3, 1, number(0xFFFF, 2)), (0xA002, 4, 1, number(4032, 4)),
            ], next: 0)
        directory(
            at: Self.location,
            [(0x0001, 2, 2, Array("N\0".utf8)), (0x0002, 5, 3, [43, 1, 28, 1, 2, 1].flatMap { number($0, 4) })], next: 0
        )
        directory(
            at: Self.thumbnail, [(0x0201, 4, 1, number(700, 4)), (0x0202, 4, 1, number(9, 4))], next: 0)
        bytes += [UInt8](repeating: 0, count: 700 - bytes.count) + Array("THUMBNAIL".utf8)
    }

    func number(_ value: Int, _ size: Int) -> [UInt8] {
        isLittleEndian ? FileBytes.little(value, size) : FileBytes.big(value, size)
    }

    private mutating func directory(at offset: Int, _ fields: [Field], next: Int) {
        var directory = number(fields.count, 2)
        for (tag, type, count, value) in fields {
            directory += number(Int(tag), 2) + number(Int(type), 2) + number(count, 4)
            if value.count <= 4 {
                directory += value + [UInt8](repeating: 0, count: 4 - value.count)
            } else {
                directory += number(bytes.count, 4)
                bytes += value + (value.count % 2 == 1 ? [0] : [])
            }
        }
        directory += number(next, 4)
        bytes.replaceSubrange(offset..<offset + directory.count, with: directory)
    }

    /// Overwrites a number.
    mutating func put(_ value: Int, size: Int, at offset: Int) {
        bytes.replaceSubrange(offset..<offset + size, with: number(value, size))
    }
}
