import Testing
import WayreelCore
import WayreelDocument

@Suite struct CanonicalJSONTests {
    private struct Sample: Encodable {
        var string = "€$\u{F}\nA'B\"\\\\\"/"
        var literals: [Bool?] = [nil, true, false]
    }

    /// The example of RFC 8785, section 3.2, without its numbers.
    @Test func membersAreSortedAndTextsHaveNoNeedlessEscapes() throws {
        let expected = #"{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
        #expect(try CanonicalJSON.text(Sample()) == expected)
        #expect(try CanonicalJSON.bytes(Sample()) == Array(expected.utf8))
        // RFC 8785, section 3.2.2.2: these have two characters, other controls six, and all else is as it is.
        let escaped = "\"\\b\\t\\n\\f\\r\\u001f\u{7F}\u{2028}\""
        #expect(try CanonicalJSON.text("\u{8}\t\n\u{C}\r\u{1F}\u{7F}\u{2028}") == escaped)
        #expect(CanonicalJSON.value([String].self, from: "[\"a\\/b\"]") == ["a/b"])
        #expect(CanonicalJSON.value(Int.self, from: "[]") == nil)
    }

    @Test func linesHaveLineFeeds() throws {
        #expect(try CanonicalJSON.lines(["b": 2, "a": 1]) == Array("{\n  \"a\" : 1,\n  \"b\" : 2\n}\n".utf8))
    }

    @Test func infiniteNumbersAreErrorsOfTheStep() {
        let error = #expect(throws: MediaError.self) { try CanonicalJSON.text([Double.infinity], step: .story) }
        #expect(error?.kind == .encoding && error?.step == .story)
    }

    /// As Python's `json.dumps(value, indent=2)` writes it, but for lists of texts.
    @Test func orderedMembersKeepTheirPlaces() {
        var value: OrderedJSON = ["b": [1, ["a": nil, "c": true]], "a": ["x", "y\n"]]
        #expect(value.json == #"{"b":[1,{"c":true}],"a":["x","y\n"]}"#)
        let lines = "{\n  \"b\": [\n    1,\n    {\n      \"c\": true\n    }\n  ],\n  \"a\": [\"x\", \"y\\n\"]\n}"
        #expect(value.lines() == lines)
        value["b"] = "last"
        #expect(value.members.map(\.key) == ["a", "b"] && value["b"].text == "last")
    }
}
