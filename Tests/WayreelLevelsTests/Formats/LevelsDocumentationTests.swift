import TestSupport
import Testing
import WayreelCore
import WayreelLevels

/// The examples in `Documentation/levels.md` equal the output.
@Suite struct LevelsDocumentationTests {
    @Test(arguments: [LevelsFormat.json, .ndjson, .csv])
    func examplesMatchTheOutput(format: LevelsFormat) throws {
        let page = try String(decoding: Fixture.bytes("\(Fixture.root)/Documentation/levels.md"), as: UTF8.self)
        let audio = try PlainAudio(wav: Fixture.media("radio/bunny-4s.wav"))
        let document = try LevelsDocument(
            audio.levels(.rate(2)), as: LevelsEncoding(format),
            source: LevelsSource(file: "bunny-4s.wav", codec: "pcm_s16le"))
        let text = try String(decoding: document.bytes(), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let shown =
            switch format {
            case .json: [text]
            case .csv: [lines.prefix(3).joined(separator: "\n")]
            default: [lines[1], lines[2], lines[8], String(lines[0].suffix(97))]
            }
        // Computed outside the expectation, which would print the whole page.
        let missing = shown.filter { !page.contains($0) }
        #expect(missing == [])
    }

    @Test func everyFormatHasItsRow() throws {
        let page = try String(decoding: Fixture.bytes("\(Fixture.root)/Documentation/levels.md"), as: UTF8.self)
        for format in LevelsFormat.allCases where !format.isImage { #expect(page.contains("`\(format.rawValue)`")) }
        for reading in LevelReading.allCases { #expect(page.contains("`\(reading.rawValue)`")) }
        for unit in LevelUnit.allCases { #expect(page.contains("`\(unit.rawValue)`")) }
    }
}
