import Glibc
import Testing
import WayreelCore
import WayreelImage

@Suite struct CubeFileTests {
    private func table(_ size: Int, _ entry: (SIMD3<Double>) -> SIMD3<Double>) -> String {
        (0..<size * size * size).map { i in
            let c = SIMD3(Double(i % size), Double(i / size % size), Double(i / size / size)) / Double(size - 1)
            let e = entry(c)
            return "\(e.x) \(e.y) \(e.z)\n"
        }.joined()
    }

    @Test(arguments: [2, 5, 33]) func identity3D(size: Int) throws {
        let input = Samples.colors(width: 37, height: 11)
        let text = "TITLE \"a title 1 2\"\n# a comment\n\nLUT_3D_SIZE \(size)\n" + table(size) { $0 }
        let output = try input.filtered(byTable: text)
        #expect(output.difference(from: input) < 1e-6)
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func identity1D(ending: String) throws {
        let input = Samples.colors(width: 37, height: 11)
        let lines =
            ["\u{FEFF}LUT_1D_SIZE 5"] + (0..<5).map { "\t\(Double($0) / 4)  \(Double($0) / 4) \(Double($0) / 4) " }
        let output = try input.filtered(byTable: lines.joined(separator: ending))
        #expect(output.difference(from: input) < 1e-6)
    }

    @Test func domainScalesTheInput() throws {
        let input = Samples.colors(width: 20, height: 10, range: -0.2...1.6)
        let head = "DOMAIN_MIN -0.5 0 0\nDOMAIN_MAX 2 1 0.5\n"
        // An identity over the domain: it is linear, so it remains an identity between the entries.
        let expected = input.mappedColors { _, _, c in
            SIMD3(min(max(c.x, -0.5), 2), min(max(c.y, 0), 1), min(max(c.z, 0), 0.5))
        }
        let cube = "LUT_3D_SIZE 3\n" + head + table(3) { SIMD3(-0.5, 0, 0) + $0 * SIMD3(2.5, 1, 0.5) }
        #expect(try input.filtered(byTable: cube).difference(from: expected) < 2e-6)
        let line = head + "LUT_1D_SIZE 2\n-0.5 0 0\n2 1 0.5\n"
        #expect(try input.filtered(byTable: line).difference(from: expected) < 2e-6)
    }

    /// A table that swaps and inverts channels; intensity mixes it with the image.
    @Test func intensityMixes() throws {
        let input = Samples.colors(width: 20, height: 10)
        let text = "LUT_3D_SIZE 9\n" + table(9) { SIMD3($0.z, 1 - $0.y, $0.x) }
        let expected = input.mappedColors { _, _, c in 0.7 * c + 0.3 * SIMD3(c.z, 1 - c.y, c.x) }
        let output = try withTemporaryFile(text) { try input.filtered(.lookUpTable(path: $0, intensity: 0.3)) }
        #expect(output.difference(from: expected) < 2e-6)
    }

    @Test func shaperComesBeforeTheCube() throws {
        let input = Samples.colors(width: 20, height: 10)
        let text =
            "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n1 1 1\n0 0 0\n"
            + table(2) { $0 * SIMD3(1, 0.5, 0.25) }
        let expected = input.mappedColors { _, _, c in (1 - c) * SIMD3(1, 0.5, 0.25) }
        #expect(try input.filtered(byTable: text).difference(from: expected) < 2e-6)
    }

    @Test func relativePathStartsAtItsBase() throws {
        try withTemporaryFile("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n") { path in
            let filter = Filter.lookUpTable(path: String(path.dropFirst("/tmp/".count)))
            _ = try FilterChain([filter], baseDirectory: "/tmp")
            #expect(throws: MediaError.self) { try FilterChain([filter], baseDirectory: "/usr") }
        }
    }

    static let faults: [(text: String, reason: String)] = [
        ("hello\n", "line 1: a keyword of a .cube file or three numbers are expected"),
        ("# only a comment\n", "it has neither LUT_1D_SIZE nor LUT_3D_SIZE"),
        ("0 0 0\n", "line 1: an entry comes before the size of the table"),
        ("LUT_3D_SIZE 1\n", "line 1: LUT_3D_SIZE takes a whole number, 2 to 129"),
        ("LUT_3D_SIZE 256\n", "line 1: LUT_3D_SIZE takes a whole number, 2 to 129"),
        ("LUT_3D_SIZE 9223372036854775807\n", "line 1: LUT_3D_SIZE takes a whole number, 2 to 129"),
        ("LUT_1D_SIZE 70000\n", "line 1: LUT_1D_SIZE takes a whole number, 2 to 65536"),
        ("LUT_3D_SIZE\n", "line 1: LUT_3D_SIZE takes a whole number, 2 to 129"),
        ("\nLUT_3D_SIZE 129\n0 0 0\n", "line 2: the file is too short for 2146689 entries"),
        ("LUT_1D_SIZE 2\nLUT_1D_SIZE 2\n", "line 2: LUT_1D_SIZE is repeated"),
        ("LUT_1D_SIZE 2\n0 0 0\n", "it ends after 1 of 2 entries"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2\n", "line 4: more than 2 entries"),
        ("LUT_1D_SIZE 2\n0 0 0\nTITLE \"x\"\n", "line 3: TITLE comes after the entries"),
        ("LUT_1D_SIZE 2\n0 0\n1 1 1\n", "line 2: an entry takes 3 numbers, not 2"),
        ("LUT_1D_SIZE 2\n0 0 0.1.2\n1 1 1\n", "line 2: an entry takes finite numbers; number 3 is not finite"),
        ("LUT_1D_SIZE 2\nnan 0 0\n1 1 1\n", "line 2: an entry takes finite numbers; number 1 is not finite"),
        ("LUT_1D_SIZE 2\n0 -inf 0\n1 1 1\n", "line 2: an entry takes finite numbers; number 2 is not finite"),
        ("LUT_1D_SIZE 2\n0 0 1e99\n1 1 1\n", "line 2: an entry takes finite numbers; number 3 is not finite"),
        (
            "LUT_1D_SIZE 2\nDOMAIN_MIN 0 1 0\n0 0 0\n1 1 1\n",
            "line 3: DOMAIN_MIN must be below DOMAIN_MAX in every channel"
        ),
        ("LUT_1D_SIZE 2\nDOMAIN_MAX 1 1\n0 0 0\n1 1 1\n", "line 2: DOMAIN_MAX takes 3 numbers, not 2"),
        ("LUT_3D_INPUT_RANGE 1 0\nLUT_1D_SIZE 2\n", "line 1: LUT_3D_INPUT_RANGE must rise"),
    ]

    @Test(arguments: faults) func namesTheFault(text: String, reason: String) throws {
        // Padded so that the file is long enough for the entries, unless the test is about that.
        let padded =
            reason.contains("too short") || reason.contains("ends after")
            ? text : text + String(repeating: "#\n", count: 40)
        try withTemporaryFile(padded) { path in
            let error = #expect(throws: MediaError.self) { try FilterChain([.lookUpTable(path: path)]) }
            #expect(error?.reason == reason)
            #expect(error?.subject == path)
            #expect(error?.kind == .parameter)
        }
    }

    /// Every prefix of a valid file without its last entry, and every change of one byte, is either read or refused.
    @Test func damageIsRejected() throws {
        let text = "LUT_3D_SIZE 2\nDOMAIN_MAX 1 1 1\n" + table(2) { $0 }
        var bytes = Array(text.utf8)
        for end in 0..<bytes.count - "1.0 1.0 1.0\n".utf8.count {
            try withTemporaryFile(String(decoding: bytes[..<end], as: UTF8.self)) { path in
                #expect(throws: MediaError.self) { try FilterChain([.lookUpTable(path: path)]) }
            }
        }
        for i in bytes.indices {
            let byte = bytes[i]
            for other: UInt8 in [0x00, 0x0A, 0x2D, 0x39, 0x65] {
                bytes[i] = other
                try withTemporaryFile(String(decoding: bytes, as: UTF8.self)) { path in
                    do { _ = try FilterChain([.lookUpTable(path: path)]) } catch { #expect(error is MediaError) }
                }
            }
            bytes[i] = byte
        }
    }

    @Test(arguments: [("/nonexistent/x.cube", MediaError.Kind.io), ("/tmp", .io), ("a\0b", .io)])
    func unreadableFile(path: String, kind: MediaError.Kind) {
        let error = #expect(throws: MediaError.self) { try FilterChain([.lookUpTable(path: path)]) }
        #expect(error?.kind == kind)
    }
}

extension Samples {
    /// The same image after the look-up table of a file that contains `text`.
    fileprivate func filtered(byTable text: String) throws -> Samples {
        try withTemporaryFile(text) { try filtered(.lookUpTable(path: $0)) }
    }
}
