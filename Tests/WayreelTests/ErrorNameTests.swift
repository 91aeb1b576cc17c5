import TestSupport
import Testing

/// The modules declare the steps and the formats of errors as static members.
@Suite struct ErrorNameTests {
    /// Each name in the sources: the member, empty if the line declares none, and the text.
    private static func names(of type: String) throws -> [(member: String, text: String)] {
        let name = try Regex(
            #"(?:static let (\w+) = MediaError\.)?\#(type)\(rawValue: "([^"]*)"\)"#,
            as: (Substring, Substring?, Substring).self)
        let list = try Command("/usr/bin/find", ["\(Fixture.root)/Sources", "-name", "*.swift"]).run()
        return try list.text.split(separator: "\n").flatMap { path in
            try Fixture.text(String(path)).matches(of: name)
                .map { (String($0.output.1 ?? ""), String($0.output.2)) }
        }
    }

    /// No step has two spellings, and no spelling is that of two steps: `decode and resample` is `decodeAndResample`.
    @Test func aStepHasOneSpelling() throws {
        let steps = try Self.names(of: "Step")
        #expect(steps.count > 60)
        for (member, text) in steps {
            let words = text.split(separator: " ")
            let camel = words.dropFirst().reduce(words.first ?? "") { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
            #expect(member == camel, "the step '\(text)' is called \(member)")
        }
        #expect(Set(steps.map { $0.text.lowercased() }).count == steps.count)
    }

    @Test func aFormatHasOneSpelling() throws {
        let formats = try Self.names(of: "Format")
        #expect(formats.count > 10 && !formats.contains { $0.member.isEmpty })
        #expect(Set(formats.map { $0.text.lowercased() }).count == formats.count)
        #expect(Set(formats.map(\.member)).count == formats.count)
    }
}
