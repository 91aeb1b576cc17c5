import TestSupport
import Testing
import WayreelService

struct MultipartFormTests {
    private static let boundary = "----a-boundary"

    /// The form of RFC 7578: two parts, the second one with a file.
    private static func form(_ file: [UInt8], preamble: String = "", end: String = "--\r\n") -> [UInt8] {
        Array("\(preamble)--\(boundary)\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n".utf8)
            + Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; FileName=\"a.jpg\"\r\n".utf8)
            + Array("Content-Type: image/jpeg\r\n\r\n".utf8) + file + Array("\r\n--\(boundary)\(end)".utf8)
    }

    /// Reads a form in pieces of random sizes.
    private static func read(_ bytes: [UInt8], _ random: inout SeededRandom, upTo most: Int) throws -> [UInt8] {
        var form = MultipartForm(boundary: boundary)
        var (content, start): ([UInt8], Int) = ([], 0)
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...most, using: &random))
            try bytes[start..<end].withUnsafeBytes { try form.read($0) { content += $0 } }
            start = end
        }
        try form.finish()
        return content
    }

    private static let contents: [[UInt8]] = [
        [], [13], [13, 10], Array("\r\n--".utf8), Array("\r\n--\(boundary.dropLast())".utf8),
        Array("--\(boundary)\r\n\r\n--\(boundary.dropLast())x".utf8), Array(repeating: 45, count: 300),
        Array(String(repeating: "\r\n--\(boundary.dropLast())x", count: 50).utf8), (0...255).map { UInt8($0) },
    ]

    @Test(arguments: contents, [1, 3, 20, 10_000]) func findsTheFileInAnyPieces(file: [UInt8], most: Int) throws {
        var random = SeededRandom(seed: UInt64(file.count * 7 + most))
        for preamble in ["", "to be ignored\r\n"] {
            for end in ["--", "--\r\n", "\r\nContent-Disposition: form-data; name=\"x\"; filename=\"b\"\r\n\r\nother"] {
                let bytes = Self.form(file, preamble: preamble, end: end)
                #expect(try Self.read(bytes, &random, upTo: most) == file)
            }
        }
    }

    @Test func refusesAFormThatIsCutOff() {
        var random = SeededRandom(seed: 5)
        let bytes = Self.form(Array("content".utf8))
        let delimiter = Array("\r\n--\(Self.boundary)--\r\n".utf8)
        for count in 0...(bytes.count - delimiter.count + Self.boundary.utf8.count + 3) {
            #expect(throws: (any Error).self) { try Self.read(Array(bytes[..<count]), &random, upTo: 9) }
        }
    }

    @Test func refusesAFormWithoutAFileAndAnEndlessHead() {
        var random = SeededRandom(seed: 6)
        let empty = Array("--\(Self.boundary)--\r\n".utf8)
        #expect(throws: (any Error).self) { try Self.read(empty, &random, upTo: 9) }
        let head = Array("--\(Self.boundary)\r\nContent-Disposition: ".utf8) + Array(repeating: 0x61, count: 100_000)
        #expect(throws: (any Error).self) { try Self.read(head, &random, upTo: 999) }
    }
}
