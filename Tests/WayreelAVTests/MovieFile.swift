/// An MP4 file with one track of audio, made box by box (ISO/IEC 14496-12).
struct MovieFile {
    /// The box that describes the samples.
    let sampleEntry: [UInt8]
    /// Bytes of each sample.
    let sampleBytes: Int
    /// Samples per second, which is also the unit of all times.
    let rate: Int
    let data: [UInt8]

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(8 + content.count) + Array(type.utf8) + content
    }

    /// Returns a number of four bytes.
    static func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    var bytes: [UInt8] {
        let (box, big) = (Self.box, Self.big)
        let count = data.count / sampleBytes
        let zero = { (count: Int) in [UInt8](repeating: 0, count: count) }
        let matrix =
            big(0x10000) + zero(12) + big(0x10000) + zero(12) + big(0x4000_0000)
        let type = box("ftyp", Array("isom".utf8) + big(0) + Array("isom".utf8))
        let start = type.count + 8
        let table = [
            box("stsd", big(0) + big(1) + sampleEntry), box("stts", big(0) + big(1) + big(count) + big(1)),
            box("stsc", big(0) + big(1) + big(1) + big(count) + big(1)),
            box("stsz", big(0) + big(sampleBytes) + big(count)), box("stco", big(0) + big(1) + big(start)),
        ]
        let media = [
            box("mdhd", zero(12) + big(rate) + big(count) + [0x55, 0xC4, 0, 0]),
            box("hdlr", zero(8) + Array("soun".utf8) + zero(13)),
            box(
                "minf",
                box("smhd", zero(8)) + box("dinf", box("dref", big(0) + big(1) + box("url ", big(1))))
                    + box("stbl", Array(table.joined()))),
        ]
        let header = box(
            "mvhd", zero(12) + big(rate) + big(count) + big(0x10000) + zero(12) + matrix + zero(24) + big(2))
        let trackHeader = box(
            "tkhd", big(7) + zero(8) + big(1) + zero(4) + big(count) + zero(16) + matrix + zero(8))
        let movie = box("moov", header + box("trak", trackHeader + box("mdia", Array(media.joined()))))
        return type + box("mdat", data) + movie
    }
}
