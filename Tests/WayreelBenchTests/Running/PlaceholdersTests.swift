import TestSupport
import Testing
import WayreelBench

@Suite struct PlaceholdersTests {
    /// Texts with a special meaning in a shell.
    private static let hard = ["it's", "a b", "$(exit 3)", "\"; exit 3; \"", "`exit 3`", "*", "{out}", "\\"]

    private func placeholders(_ folder: String, _ name: String) -> Placeholders {
        let path = "\(folder)/\(name)"
        return Placeholders(input: path, output: "\(path).out", media: path, wayreel: "wayreel")
    }

    @Test func fillsPlaceholders() {
        let placeholders = Placeholders(input: "/in", output: "/out", media: "/media", wayreel: "/bin/wayreel")
        #expect(
            placeholders.fill([
                "{wayreel}", "-i", "{in}", "{out}/%d.m4s", "{out}[Q=85]", "{media}/a{b}{in}", "{", "{in",
            ])
                == ["/bin/wayreel", "-i", "/in", "/out/%d.m4s", "/out[Q=85]", "/media/a{b}/in", "{", "{in"])
    }

    /// The value of a placeholder is not expanded again.
    @Test(arguments: hard)
    func placesStayAsTheyAre(name: String) {
        let placeholders = placeholders("", name)
        #expect(placeholders.fill(["{in} {out}"]) == ["/\(name) /\(name).out"])
    }

    /// A shell receives paths as one word, alone and as parts of words.
    @Test(arguments: hard)
    func aShellTakesAnyPath(name: String) throws {
        try Fixture.withFolder { folder in
            let command = placeholders(folder, name).fill(
                BenchSuite.shell([
                    "mkdir '{in}' '{out}'", "echo > '{media}/a'", "for i in 1 2; do echo > '{media}/'$i.b; done",
                    "cp '{in}'/*.b '{out}'",
                ]))
            let run = try Gauge.run(command, options: GaugeOptions(output: .none, errors: .tail(bytes: 1000)))
            #expect(run.outcome?.isSuccess == true, "\(run.errorTail ?? "")")
            #expect(Fixture.listing(folder) == [name, "\(name).out"].sorted())
            #expect(Fixture.listing("\(folder)/\(name)") == ["1.b", "2.b", "a"])
            #expect(Fixture.listing("\(folder)/\(name).out") == ["1.b", "2.b"])
        }
    }

    /// The text of every shell command is the same for any location of the files: it contains no path.
    @Test func noShellHasAPathInItsText() throws {
        let options = GaugeOptions(output: .none, errors: .none)
        for suite in BenchSuite.all {
            let commands = suite.peers.map(\.arguments) + [BenchSuite.shell(suite.preparation)]
            for command in commands where command[0] == "sh" {
                #expect(command[1] == "-ec" && placeholders("/a", "b").fill(command)[2] == command[2], "\(suite.name)")
                let check = try Gauge.run(["sh", "-nc", command[2]], options: options)
                #expect(check.outcome?.isSuccess == true, "\(suite.name)")
            }
        }
    }
}
