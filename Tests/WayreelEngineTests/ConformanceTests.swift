import Foundation
import TestSupport
import Testing
import WayreelEngine
import WayreelJournal
import WayreelStory

/// Plays the files of Tests/Conformance, which the web player's engine plays as well; the README.md there describes
/// them.
@Suite struct ConformanceTests {
    /// Tolerances within which two implementations of the same formulas agree: centimetres and nanodegrees.
    private static let tolerances = [
        "distance": 0.0101, "closest": 0.01, "bearing": 1e-6, "turn": 1e-6, "fade": 1e-6, "latitude": 1e-9,
        "longitude": 1e-9, "seconds": 0.001,
    ]

    private static let folder = "\(Fixture.root)/Tests/Conformance"

    private static func names(_ kind: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)")) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }

    private static func read<Value: Decodable>(_ path: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(try Fixture.bytes("\(folder)/\(path)")))
    }

    private static func value(_ encodable: some Encodable) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(encodable))
    }

    // MARK: Walks

    private struct Walk: Decodable {
        /// A file in `stories`.
        var story: String
        var rules: FenceRules?
        /// The journal to resume.
        var resumes: JournalDocument?
        var inputs: [PlaybackInput]
        /// Numbers of the inputs that are invalid for the story.
        var senseless: [Int]
        /// Expectations of a human or another program: outcomes that must occur in this order; see README.md.
        var claims: [JSONValue]
        /// Events that are never found.
        var unfound: [String]
        /// An event for which every fix is explained.
        var explains: String?
        /// The outcomes, each with the number of the input that caused it as `after`.
        var outcomes: [JSONValue]?
        var decisions: [JSONValue]?
        var journal: JSONValue?
    }

    private struct Played: Encodable {
        var outcomes: [JSONValue]
        var decisions: [JSONValue]
        var journal: JSONValue
    }

    private static func play(_ walk: Walk) throws -> Played {
        let story: Story = try read("stories/\(walk.story)")
        let playback = try Playback(story, rules: walk.rules ?? FenceRules())
        var state = playback.state(resuming: walk.resumes?.contents ?? JournalContents())
        var explanation = Explanation(of: walk.explains)
        var played: [PlaybackOutcome] = []
        var outcomes: [JSONValue] = []
        for (number, input) in walk.inputs.enumerated() {
            #expect((playback.fault(of: input) != nil) == walk.senseless.contains(number), "input \(number)")
            let brought = playback.step(input, &state, explaining: &explanation)
            played += brought
            for outcome in brought {
                guard case .object(var members) = try value(outcome) else { continue }
                members["after"] = .number(Double(number))
                outcomes.append(.object(members))
            }
        }
        let journal = JournalDocument(story: story.id, contents: JournalContents(played))
        return Played(
            outcomes: outcomes, decisions: explanation.decisions.map(value(of:)), journal: try value(journal))
    }

    private static func value(of decision: FenceDecision) -> JSONValue {
        let verdict =
            switch decision.verdict {
            case .used(let path): path ? "used" : "used-without-path"
            case .distrusted: "distrusted"
            case .unusable: "unusable"
            case .inaccurate: "inaccurate"
            case .backwards: "backwards"
            case .jump: "jump"
            }
        let distances = [("distance", decision.distance), ("closest", decision.closest)].filter { $0.1.isFinite }
        return .object(
            Dictionary(uniqueKeysWithValues: distances.map { ($0, JSONValue.number($1)) }).merging([
                "timestamp": .text(decision.timestamp.description), "verdict": .text(verdict),
                "accuracy": .number(decision.accuracy), "votes": .number(Double(decision.votes)),
                "isInside": .flag(decision.isInside), "isFound": .flag(decision.isFound),
                "blockers": .list(decision.blockers.map { .text($0.description) }),
            ]) { $1 })
    }

    /// Returns the unmet claims: each must be matched by an outcome after that of the preceding claim.
    private static func unmet(_ claims: [JSONValue], _ outcomes: [JSONValue]) -> [JSONValue] {
        var rest = outcomes[...]
        return claims.filter { claim in
            guard case .object(let members) = claim else { return true }
            let index = rest.firstIndex { outcome in
                members.allSatisfy { name, value in
                    outcome[name].map { value.matches($0, within: tolerances, key: name) } ?? false
                }
            }
            guard let index else { return true }
            rest = rest[(index + 1)...]
            return false
        }
    }

    @Test(arguments: names("walks")) func aWalk(_ name: String) throws {
        let walk: Walk = try Self.read("walks/\(name)")
        let played = try Self.play(walk)
        if let folder = ProcessInfo.processInfo.environment["WAYREEL_RECORDS"] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(played).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let unmet = Self.unmet(walk.claims, played.outcomes)
        #expect(unmet == [])
        let found = Set(
            played.outcomes.filter { $0["outcome"] == .text("found") }.compactMap { $0["event"]?.text })
        #expect(found.isDisjoint(with: walk.unfound))
        let (outcomes, journal) = (walk.outcomes, walk.journal)
        let expected = try #require(outcomes, "scripts/make-conformance records what is expected")
        #expect(played.outcomes.count == expected.count)
        for (outcome, expected) in zip(played.outcomes, expected)
        where !outcome.matches(expected, within: Self.tolerances) {
            Issue.record("\(outcome) is not \(expected)")
        }
        let decisions = walk.decisions ?? []
        #expect(played.decisions.count == decisions.count)
        for (decision, expected) in zip(played.decisions, decisions)
        where !decision.matches(expected, within: Self.tolerances) {
            Issue.record("\(decision) is not \(expected)")
        }
        let isSameJournal = try played.journal.matches(#require(journal), within: Self.tolerances)
        #expect(isSameJournal)
    }

    // MARK: Parts

    @Test func theDefaultsOfRules() throws {
        let rules: FenceRules = try Self.read("rules.json")
        #expect(rules == FenceRules())
    }

    private struct Merge: Decodable {
        var journals: [JournalDocument]
        var merged: JSONValue
    }

    @Test(arguments: names("journals")) func merging(_ name: String) throws {
        let merges: [Merge] = try Self.read("journals/\(name)")
        for merge in merges {
            for journals in [merge.journals, merge.journals.reversed(), merge.journals + merge.journals] {
                let contents = journals.reduce(into: JournalContents()) { $0.merge($1.contents) }
                let merged = JournalDocument(story: merge.journals[0].story, contents: contents)
                #expect(try Self.value(merged) == merge.merged)
            }
        }
    }

    private struct View: Decodable {
        var story: String
        var position: GeoPoint
        var heading: Double
        var course: Double?
        var range: Double
        var beyond: Double
        var count: Int
        var found: Set<String>
        var nearest: JSONValue
        var arrows: JSONValue
        var chapters: JSONValue
        var prefetch: [String]
    }

    @Test func surroundings() throws {
        let views: [View] = try Self.read("surroundings.json")
        for view in views {
            let story: Story = try Self.read("stories/\(view.story)")
            let surroundings = Surroundings(of: story.chapters)
            let nearest = surroundings.nearest(
                view.count, to: view.position, found: view.found, heading: view.heading, range: view.range)
            let arrows = surroundings.arrows(
                view.count, beyond: view.beyond, from: view.position, heading: view.heading, found: view.found,
                range: view.range)
            let chapters = surroundings.chapters(from: view.position, found: view.found)
            let prefetch = surroundings.prefetchOrder(
                view.count, from: view.position, course: view.course, found: view.found)
            #expect(try Self.value(nearest).matches(view.nearest, within: Self.tolerances))
            #expect(try Self.value(arrows).matches(view.arrows, within: Self.tolerances))
            #expect(try Self.value(chapters).matches(view.chapters, within: Self.tolerances))
            #expect(prefetch.map(\.event) == view.prefetch)
        }
    }

    private struct Way: Decodable {
        var from: GeoPoint
        var to: GeoPoint
        var distance: Double
        var bearing: Double
    }

    @Test func geodesics() throws {
        let ways: [Way] = try Self.read("geodesics.json")
        for way in ways { #expect(abs(way.from.geodesic(to: way.to).distance - way.distance) <= 1e-6) }
    }

    private struct GeodesicTestSet: Decodable {
        var lines: [String]
    }

    /// GeographicLib's test set: latitude, longitude and azimuth at both ends, distance, arc, reduced length, area.
    /// Its routines are accurate to some nanometres, of which a double has 4 at the other side of the Earth.
    @Test func theTestSetOfGeographicLib() throws {
        let set: GeodesicTestSet = try Self.read("geodtest.json")
        #expect(set.lines.count == 100)
        for line in set.lines {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            try #require(numbers.count == 10)
            let (first, second) = (
                GeoPoint(latitude: numbers[0], longitude: numbers[1]),
                GeoPoint(latitude: numbers[3], longitude: numbers[4])
            )
            let (distance, reducedLength) = (numbers[6], numbers[8])
            for (from, to, azimuth) in [(first, second, numbers[2]), (second, first, numbers[5] + 180)] {
                let path = from.geodesic(to: to)
                #expect(abs(path.distance - distance) <= 2e-8, "\(line)")
                // The error of a bearing is that of the far end, sideways.
                let turn = abs((path.bearing - azimuth).asTurn) * .pi / 180
                #expect(turn * abs(reducedLength) <= 2e-8, "\(line)")
                let end = from.moved(by: distance, bearing: azimuth)
                #expect(end.geodesic(to: to).distance <= 2e-8, "\(line)")
            }
        }
    }

    private struct Comparison: Decodable {
        var answer: String
        var accepted: String
        var isRight: Bool
    }

    @Test func answers() throws {
        let comparisons: [Comparison] = try Self.read("answers.json")
        for comparison in comparisons {
            #expect(
                (comparison.answer.asAnswer == comparison.accepted.asAnswer) == comparison.isRight,
                "\(comparison.answer) for \(comparison.accepted)")
        }
    }
}
