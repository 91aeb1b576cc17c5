internal import TestSupport
internal import Testing

/// The additions of `make install` to the command: manual pages and shell completions.
@Suite struct InstallationTests {
    private let bench = Workbench()

    @Test func eachCommandHasAManualPage() throws {
        expectDone(try bench.shell("\(Fixture.root)/scripts/man-pages $(which wayreel) man"))
        let commands = [
            "bench", "capture", "codes", "filters", "goggles", "journal", "levels", "map", "measure",
            "meters", "places", "play", "player", "poster", "prepare", "probe", "recipes", "route",
            "screens", "serve", "story", "streams", "tiles", "token", "tone", "transcode", "url",
            "validate", "verify", "walk", "way",
        ]
        #expect(bench.listing("man").sorted() == (commands.map { "wayreel-\($0).1" } + ["wayreel.1"]).sorted())
    }

    /// The options that `--help` lists, in bold at the beginning of a line.
    @Test(arguments: ["capture", "levels", "transcode", "poster", "prepare"])
    func aManualPageHasAllOptions(command: String) throws {
        expectDone(try bench.shell("\(Fixture.root)/scripts/man-pages $(which wayreel) man"))
        let page = try bench.text("man/wayreel-\(command).1")
        let help = String(decoding: try bench.wayreel(command, "--help").output, as: UTF8.self)
        let options = help.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("  -") }.compactMap { line in
            line.split(whereSeparator: { " ,/".contains($0) }).first { $0.hasPrefix("--") }
        }
        #expect(options.count > 15)
        for option in options {
            let name = option.replacing("-", with: "\\-")
            #expect(page.contains("\\fB\(name)\\fR"), "\(option) is missing")
        }
        #expect(page.utf8.allSatisfy { $0 < 128 })
    }

    @Test(arguments: [
        ("wayreel trans", "transcode"), ("wayreel capture --grav", "--gravity"),
        ("wayreel capture --fit cont", "contain"), ("wayreel capture --screen iphone-4", "iphone-4s"),
        ("wayreel capture --filter sepia", "sepia-tone"), ("wayreel probe phot", "photo.jpg"),
    ])
    func completesInBash(line: String, word: String) throws {
        expectDone(try bench.shell("\(Fixture.root)/scripts/completions $(which wayreel) share"))
        try bench.write(
            """
            . share/bash-completion/completions/wayreel
            COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            function=$(complete -p wayreel | sed -n 's/.* -F \\([^ ]*\\) .*/\\1/p')
            "$function" wayreel "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """, to: "complete.bash")
        let run = try expectDone(bench.shell("bash complete.bash \(line)"))
        let words = String(decoding: run.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        #expect(words.contains(Substring(word)), "\(words) \(run.errors)")
    }

    @Test(arguments: ["zsh/site-functions/_wayreel", "fish/vendor_completions.d/wayreel.fish"])
    func hasCompletionsForOtherShells(path: String) throws {
        expectDone(try bench.shell("\(Fixture.root)/scripts/completions $(which wayreel) share"))
        #expect(try bench.text("share/\(path)").contains("transcode"))
    }
}
