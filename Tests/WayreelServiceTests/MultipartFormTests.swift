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
        #expect(throws: FormFault.noFile) { try Self.read(empty, &random, upTo: 9) }
        let head = Array("--\(Self.boundary)\r\nContent-Disposition: ".utf8) + Array(repeating: 0x61, count: 100_000)
        #expect(throws: FormFault.damaged) { try Self.read(head, &random, upTo: 999) }
    }

    /// A field that is only called so is not a file (RFC 7578, section 4.2: the parameter `filename` says that it is).
    @Test(arguments: [
        "name=\"filename\"", "name=\"a; filename=b\"", "name=\"a\\\"; filename=b\"", "name=file; x=filename",
    ]) func aFieldIsNoFile(parameters: String) throws {
        var random = SeededRandom(seed: 7)
        let field = Array("--\(Self.boundary)\r\nContent-Disposition: form-data; \(parameters)\r\n\r\nfield\r\n".utf8)
        #expect(try Self.read(field + Self.form(Array("file".utf8)), &random, upTo: 30) == Array("file".utf8))
        let end = Array("--\(Self.boundary)--\r\n".utf8)
        #expect(throws: FormFault.noFile) { try Self.read(field + end, &random, upTo: 30) }
    }

    /// Names of fields and parameters are case-insensitive, and spaces may follow a delimiter (RFC 2046, section 5.1.1).
    @Test func readsOtherSpellings() throws {
        var random = SeededRandom(seed: 8)
        let form =
            "--\(Self.boundary) \t\r\ncontent-type: image/png\r\nCONTENT-DISPOSITION:Form-Data;Name=x;FILENAME=y\r\n\r\n"
            + "content\r\n--\(Self.boundary)--"
        #expect(try Self.read(Array(form.utf8), &random, upTo: 30) == Array("content".utf8))
    }

    /// RFC 2046, section 5.1.1, and RFC 9110, section 5.6.6.
    @Test(
        arguments: [
            ("multipart/form-data; boundary=AaB03x", "AaB03x"), ("Multipart/Form-Data;BOUNDARY=AaB03x", "AaB03x"),
            ("multipart/form-data; boundary=\"gc0pJq0M:08jU534c0p\"", "gc0pJq0M:08jU534c0p"),
            ("multipart/form-data; charset=utf-8; boundary=\"a b\"", "a b"),
            ("multipart/form-data ;\tboundary=x ", "x"),
            ("multipart/form-data; note=\"; boundary=y\"; boundary=x", "x"),
            ("multipart/form-data; boundary=\(String(repeating: "x", count: 70))", String(repeating: "x", count: 70)),
            ("image/jpeg", nil), ("multipart/mixed; boundary=x", nil), ("", nil),
        ] as [(String, String?)]) func findsTheBoundary(type: String, boundary: String?) throws
    {
        #expect(try MultipartForm.boundary(type) == boundary)
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
    ]) func refusesAFormWithoutABoundary(type: String) {
        #expect(throws: FormFault.noBoundary) { try MultipartForm.boundary(type) }
    }
}
