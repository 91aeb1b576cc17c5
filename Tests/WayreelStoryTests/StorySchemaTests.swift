import TestSupport
import Testing
import WayreelCore
import WayreelStory

/// The JSON Schema and the reference of the YAML form. Documents are read with PyYAML, by the rules of YAML 1.2, and
/// checked with the Python package jsonschema.
@Suite struct StorySchemaTests {
    private let folder = TemporaryFolder()

    /// Reads YAML as JSON has it: texts that are neither numbers nor truth values stay texts.
    private static let judge = """
        import json, re, sys, yaml, jsonschema
        class Core(yaml.SafeLoader): pass
        Core.yaml_implicit_resolvers = {}
        def rule(tag, pattern, first): Core.add_implicit_resolver(tag, re.compile(pattern), list(first))
        rule('tag:yaml.org,2002:bool', r'^(?:true|True|TRUE|false|False|FALSE)$', 'tTfF')
        rule('tag:yaml.org,2002:int', r'^[-+]?[0-9]+$', '-+0123456789')
        rule('tag:yaml.org,2002:float', r'^[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$', '-+.0123456789')
        rule('tag:yaml.org,2002:null', r'^(?:~|null|Null|NULL|)$', ['~', 'n', 'N', ''])
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        for name in sys.argv[2:]:
            errors = list(validator.iter_errors(yaml.load(open(name), Core)))
            print('valid' if not errors else 'invalid: ' + errors[0].message[:200].replace('\\n', ' '))
        """

    private func judgements(of texts: [String]) throws -> [String] {
        try OutputFile.write(Array(StoryDocument.jsonSchema.utf8), to: "\(folder.path)/schema.json")
        var names: [String] = []
        for (index, text) in texts.enumerated() {
            names.append("\(folder.path)/\(index).yml")
            try OutputFile.write(Array(text.utf8), to: names[index])
        }
        let outcome = try Command(
            "/usr/bin/python3", ["-c", Self.judge, "\(folder.path)/schema.json"] + names
        ).run()
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        return String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func sample() throws -> String {
        String(decoding: try Fixture.bytes(StorySamples.path("every-kind.yml")), as: UTF8.self)
    }

    @Test func sampleStoriesKeepToTheSchema() throws {
        let story = try #require(try StoryDocument.read(path: "\(Fixture.media("story"))/story.xml").story)
        let kinds = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        let texts = try [sample(), StoryDocument.text(of: story, as: .yaml), StoryDocument.text(of: kinds, as: .yaml)]
        #expect(try judgements(of: texts) == ["valid", "valid", "valid"])
    }

    /// Changes of the sample, each with whether it is still a story. The reader and the schema agree.
    private static let changes: [(from: String, to: String, isStory: Bool)] = [
        ("days: [fri, sat]", "days: fri sat", true), ("from: \"21:00\"", "from: 21:00", true),
        ("answers: [1772, September 1772]", "answers: 1772", true), ("id: tour", "id: 1772", true),
        ("name: The tower", "name: true", true), ("latitude: 35.28,", "latitude: 35,", true),
        ("points: 3", "points: 0", true), ("language: en-US", "language: en", true),
        ("latitude: 35.28,", "latitude: 95,", false), ("longitude: -120.66}", "longitude: -180.5}", false),
        ("radius: 30.5, ", "", false), ("radius: 30.5", "radius: 0", false), ("radius: 30.5", "radius: wide", false),
        ("order: sequence", "order: tour", false), ("presentation: list", "presentation: lists", false),
        ("trigger: exit", "trigger: leave", false), ("altitude: 70.5", "altitude: high", false),
        ("id: tower", "id: the tower", false), ("id: tower", "id: [tower]", false), ("name: The tower", "name:", false),
        ("name: The tower", "name: {text: T}", false), ("name: The tower", "nane: The tower", false),
        ("language: en-US", "language: english language", false), ("days: [fri, sat]", "days: [fri, son]", false),
        ("from: \"21:00\"", "from: \"25:00\"", false), ("from: \"21:00\"", "from: 1260", false),
        ("first: 2026-06-01", "first: June", false), ("zone: UTC", "zone: New York", false),
        ("answers: [1772, September 1772]", "answers: []", false), ("clue: Take the bells.", "clues: 3", false),
        ("choices: [Three,", "choices: [{txt: Three},", false), ("correct: true", "correct: maybe", false),
        ("points: 3", "points: 1.5", false), ("size: 12.5", "size: 20000", false),
        ("found: {event: quiz}", "found: {event: quiz}\n                  opened: {lockbox: year}", false),
        ("- text: First.", "- txt: First.", false), ("scalingFactor: 0.25", "scalingFactor: 1.5", false),
        (
            "          camera:",
            "          quiz: {questions: [{text: A, choices: [B, {text: C, correct: true}]}]}\n          camera:", false
        ),
        ("journal: {title: Heard}", "journal: {title: Heard, quiz: {}, camera: {clue: C}}", false),
        ("story:\n", "storey:\n", false), ("rate: 60", "rate: 60, colour: red", false),
        ("style: strip", "style: lines", false), ("recipe: old-postcard", "recipe: [old-postcard]", false),
        ("color: \"#0b66c3\"", "color: \"#ABCDEF\"", true), ("color: \"#0b66c3\"", "color: #0b66c3", false),
        ("accent: '#A8430A'", "accent: orange", false), ("date: 2026-12-01", "date: December", false),
        ("hidden: true", "hidden: false", true), ("hidden: true", "hidden: maybe", false),
        ("vibrate: false", "vibrate: softly", false), ("arrival: {}", "arrival: {sound: ding.mp3}", false),
        ("arrival: {}", "arrival: {vibrate: false}", true), ("exhibit: {item: rope}", "exhibit: rope", false),
        ("exhibit: {item: rope}", "exhibit: {item: the rope}", false),
        ("origin: https://example.org/logo", "origin: javascript:alert(1)", false),
        ("origin: https://example.org/logo", "origin: http://example.org", true),
        ("key: story/name, ", "", false), ("- language: es-MX", "- language: español", false),
        ("text: [1772, September 1772]", "text: 1772", true), ("text: [1772, September 1772]", "text: []", false),
        ("text: [1772, September 1772]", "text: {a: b}", false), ("text: Die Glocke der Mission", "text: ''", false),
        ("address: |", "postcode: |", false), ("fontLicense: OFL 1.1", "font_license: OFL 1.1", false),
    ]

    @Test func theReaderAndTheSchemaAgree() throws {
        let text = try sample()
        var texts: [String] = []
        for change in Self.changes {
            let changed = text.replacing(change.from, with: change.to, maxReplacements: 1)
            #expect(changed != text, "\(change.from)")
            texts.append(changed)
        }
        let judged = try judgements(of: texts)
        #expect(judged.count == texts.count)
        for ((change, text), judgement) in zip(zip(Self.changes, texts), judged) {
            let issues = try StoryDocument.read(Array(text.utf8), as: .yaml).issues.filter { $0.severity == .error }
            #expect(issues.isEmpty == change.isStory, "\(change.to): \(issues)")
            #expect((judgement == "valid") == change.isStory, "\(change.to): \(judgement)")
        }
    }

    /// PyYAML follows YAML 1.1: 22:00 would be 1320, no would be false.
    @Test func otherReadersOfYAMLFindTexts() throws {
        var story = try #require(try StoryDocument.read(path: StorySamples.path("every-kind.xml")).story)
        let texts = [
            "22:00", "1772", "1_000", "0x1F", "0o17", "1e3", ".5", ".inf", "-.INF", "no", "Off", "Y", "true", "~", "=",
            "<<",
            "2026-06-01", "2026-06-01 10:00:00", "+12", "190:20:30.15", "0b101",
        ]
        story.chapters[0].lockboxes[0].answers = texts
        story.language = "no"
        story.languages[0] = "no"
        let yaml = try StoryDocument.text(of: story, as: .yaml)
        #expect(yaml.contains("from: \"21:00\"") && yaml.contains("first: \"2026-06-01\""), "\(yaml)")
        #expect(yaml.contains("days: [fri, sat]") && yaml.contains("radius: 25\n"), "\(yaml)")
        #expect(try StoryDocument.read(Array(yaml.utf8), as: .yaml).story == story)
        try OutputFile.write(Array(yaml.utf8), to: "\(folder.path)/s.yml")
        let script = """
            import json, sys, yaml
            story = yaml.safe_load(open(sys.argv[1]))['story']
            print(json.dumps([story['language']] + story['chapters'][0]['lockboxes'][0]['answers']))
            """
        let outcome = try Command("/usr/bin/python3", ["-c", script, "\(folder.path)/s.yml"]).run()
        let expected = (["no"] + texts).map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(String(decoding: outcome.output, as: UTF8.self) == "[\(expected)]\n", "\(outcome.errors)")
    }

    /// `wayreel story schema --format json > Documentation/story.schema.json`, and `--format markdown` for the tables.
    @Test func theDocumentationIsUpToDate() throws {
        let schema = try Fixture.bytes("\(Fixture.root)/Documentation/story.schema.json")
        #expect(String(decoding: schema, as: UTF8.self) == StoryDocument.jsonSchema)
        let page = String(
            decoding: try Fixture.bytes("\(Fixture.root)/Documentation/story-reference.md"), as: UTF8.self)
        #expect(page.hasSuffix(StoryDocument.reference))
    }

    /// Every key of the schema has a description, and so an entry in editors and in the reference.
    @Test func everyKeyIsExplained() {
        #expect(!StoryDocument.reference.contains("|  |"))
        for key in ["presentation", "order", "altitude", "during", "minScalingDistance", "transcript", "correct"] {
            #expect(StoryDocument.reference.contains("| `\(key)`"), "\(key)")
        }
    }
}
