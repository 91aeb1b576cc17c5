internal import Testing
internal import WayreelVideo

/// H.264, 7.4.1: a NAL unit does not contain 00 00 00, 00 00 01 or 00 00 02.
@Suite struct NALSyntaxTests {
    @Test(
        arguments: [
            ([0x65, 1, 2], true), ([0x65, 0, 0, 3, 0, 0, 3, 1], true), ([0x65, 0, 0, 4], true),
            ([0x65, 0, 0, 0, 9], false),
            ([0x65, 0, 0, 1, 9], false), ([0x65, 0, 0, 2, 9], false), ([0x65, 9, 0, 0, 0, 0], true),
        ] as [([UInt8], Bool)])
    func knowsWhatIsForbidden(_ unit: [UInt8], _ isValid: Bool) {
        let lengths = [[0, 0, 0, 2, 9, 9], [0, 0, 0, UInt8(unit.count)] + unit, [0, 0, 0, 1, 9]].joined()
        lengthed(Array(lengths), isValid)
        // The payload may contain a start code.
        let isStartCode = unit.starts(with: [0x65, 0, 0, 1])
        (Array([[0, 0, 0, 1, 9, 9, 0, 0, 1], unit, [0, 0, 0, 1, 9]].joined())).withUnsafeBytes {
            #expect(NALSyntax.isValid($0, lengthSize: nil) == (isValid || isStartCode))
        }
    }

    @Test(arguments: [[0, 0, 0, 0, 9], [0, 0, 0, 2, 9], [0, 0, 0], [0, 0, 0, 1]] as [[UInt8]])
    func knowsLengthsThatCannotBe(_ bytes: [UInt8]) { lengthed(bytes, false) }

    private func lengthed(_ bytes: [UInt8], _ isValid: Bool) {
        bytes.withUnsafeBytes { #expect(NALSyntax.isValid($0, lengthSize: 4) == isValid, "\(bytes)") }
    }
}
