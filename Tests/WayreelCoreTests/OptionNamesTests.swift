internal import TestSupport
internal import Testing
internal import WayreelCore

/// Errors of the library name its options, not the command's flags.
@Suite struct OptionNamesTests {
    @Test func anErrorNamesTheOption() {
        let error = #expect(throws: MediaError.self) {
            try Limits(pixels: 100).check(size: PixelSize(width: 20, height: 20))
        }
        #expect(error?.advice == "raise it with limits.pixels if you trust the file")
        #expect(error?.description.contains("--") == false)
    }

    @Test func aWarningNamesTheOption() {
        #expect(
            MediaWarning(step: "resample", "--enlarge makes it larger").message == "framing.enlarges makes it larger")
    }

    /// Each flag in the library's source, outside of comments.
    @Test func everyFlagHasAnOption() throws {
        let flag = try Regex(#"--[a-z][a-z-]+[a-z]( none| missing| replace)?"#)
        var flags: Set<String> = []
        for target in ["Core", "AV", "Image", "Levels", "Video"].map({ "Wayreel\($0)" }) + ["Wayreel"] {
            let list = try Command("/usr/bin/find", ["\(Fixture.root)/Sources/\(target)", "-name", "*.swift"]).run()
            for path in list.text.split(separator: "\n") where !path.hasSuffix("OptionNames.swift") {
                let lines = String(decoding: try Fixture.bytes(String(path)), as: UTF8.self).split(separator: "\n")
                for line in lines where line.contains("\"") && !line.drop(while: \.isWhitespace).hasPrefix("//") {
                    flags.formUnion(line.matches(of: flag).map { String(line[$0.range]) })
                }
            }
        }
        #expect(flags.count > 20)
        for flag in flags {
            #expect(!OptionNames.localized(flag).contains("--"), "\(flag) is shown to users of the library")
        }
    }
}
