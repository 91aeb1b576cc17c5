internal import Foundation
internal import TestSupport
internal import Testing

/// `wayreel play --live --journal`, killed at random moments.
@Suite struct PlayKilledTests {
    private let bench = Workbench()
    private static let play = "wayreel play Media/story/story.xml --track - --live --journal j.sqlite"

    private struct Line: Decodable {
        var outcome: String
        var text: String?
        var event: String?
        var hint: String?
    }

    private struct Kept: Decodable {
        struct Attempt: Decodable { var text: String }
        struct Finding: Decodable { var event: String }
        var attempts: [Attempt]
        var found: [Finding]
    }

    /// Writes fixes at the library's door, then wrong answers, each of which is recorded in the journal.
    private func writeInputs(_ round: Int, _ numbers: Range<Int>) throws {
        let clock = "2026-11-24T01:\(round + 10)"
        let fixes = (1...3).map {
            #"{"fix":{"position":{"latitude":35.28007,"longitude":-120.66487},"accuracy":5,"timestamp":"\#(clock):0\#($0)Z"}}"#
        }
        let answers = numbers.map {
            #"{"answer":{"lockbox":"first-reader","text":"wrong \#($0)","timestamp":"\#(clock):10Z"}}"#
        }
        try bench.write((fixes + answers).joined(separator: "\n") + "\n", to: "inputs")
    }

    private func kept() throws -> Kept {
        let run = try expectDone(bench.wayreel("journal", "export", "j.sqlite", "-o", "-"))
        return try JSONDecoder().decode(Kept.self, from: Data(run.output))
    }

    private func lines(_ text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func whatWasPrintedIsInTheJournalAndTheNextRunGoesOn() throws {
        var random = SeededRandom(seed: 19)
        var next = 0
        var found = 0
        for round in 0..<12 {
            try writeInputs(round, next..<next + 5000)
            let seconds = Double.random(in: 0.05...0.5, using: &random)
            _ = try bench.shell("timeout -s KILL \(seconds) \(Self.play) < inputs | cat > printed")
            // The kill may have truncated the last line.
            let text = try bench.shell("cat printed").text
            let printed = try lines(
                text.last == "\n" ? text : text.split(separator: "\n").dropLast().joined(separator: "\n"))
            guard bench.exists("j.sqlite") else {
                #expect(printed.isEmpty)
                continue
            }
            let kept = try kept()
            let texts = Set(kept.attempts.map(\.text))
            let wrong = printed.filter { $0.outcome == "answer-wrong" }.compactMap(\.text)
            #expect(texts.isSuperset(of: wrong), "round \(round)")
            // One more entry may be in the journal if the kill prevented its output.
            #expect(texts.count - next - wrong.count <= 1, "round \(round)")
            found += printed.filter { $0.outcome == "found" && $0.event == "library-door" }.count
            if found > 0 { #expect(kept.found.contains { $0.event == "library-door" }) }
            next = texts.count
        }
        #expect(next > 12 && found <= 1)
        print("\(next) answers kept over 12 kills")

        // Earlier wrong answers count: their number selects the last hint immediately.
        try bench.write(
            """
            {"answer":{"lockbox":"first-reader","text":"again","timestamp":"2026-11-24T02:00:00Z"}}
            {"answer":{"lockbox":"first-reader","text":"1905","timestamp":"2026-11-24T02:00:01Z"}}

            """, to: "inputs")
        let run = try expectDone(bench.shell("\(Self.play) < inputs"))
        let last = try lines(run.text)
        #expect(last.first { $0.outcome == "answer-wrong" }?.hint == "Fifty years of borrowing end in 1955.")
        #expect(last.contains { $0.outcome == "lockbox-opened" && $0.text == "1905" })
        #expect(!last.contains { $0.outcome == "found" && $0.event == "library-door" })
    }
}
