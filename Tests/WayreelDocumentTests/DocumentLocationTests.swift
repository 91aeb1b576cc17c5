import Testing
import WayreelCore
import WayreelDocument

@Suite struct DocumentLocationTests {
    private static func message(_ kind: DocumentLocation.Kind, isQuotable: Bool = true) -> String {
        DocumentLocation(kind, file: "a.yml", line: 7, isQuotable: isQuotable).fault("'b' is given twice").description
    }

    private static func oversized(_ kind: DocumentLocation.Kind) -> String {
        do throws(MediaError) {
            _ = try YAMLDocument.parse([0x20, 0x20], at: DocumentLocation(kind), limits: .init(size: 1))
            return "no error"
        } catch {
            return error.reason
        }
    }

    /// A reader learns from the step which of several documents is wrong.
    @Test(arguments: DocumentLocation.Kind.allCases)
    func errorsNameTheKindOfDocument(_ kind: DocumentLocation.Kind) {
        #expect(Self.message(kind) == "a.yml:7: \(kind.step): 'b' is given twice")
    }

    /// Only a recipe names another file, whose content is not quoted; the other kinds have the same words, without the
    /// advice on recipes.
    @Test(arguments: DocumentLocation.Kind.allCases)
    func hiddenContentIsOfTheKind(_ kind: DocumentLocation.Kind) {
        let advice = kind == .recipe ? "; for details, pass the file itself to a Recipe" : ""
        #expect(
            Self.message(kind, isQuotable: false)
                == "a.yml:7: \(kind.step): invalid \(kind.step) content\(advice)")
    }

    @Test func stepsHaveTheNamesOfTheirKinds() {
        let steps: [MediaError.Step] = [.recipe, .story, .answers, .settings, .filter, .overlay, .text, .options]
        #expect(DocumentLocation.Kind.allCases.map(\.step) == steps)
    }

    @Test func sentencesNameEachKind() {
        let nouns: [DocumentLocation.Kind: String] = [
            .recipe: "a recipe", .story: "a story", .answers: "answers", .settings: "settings", .filter: "a filter",
            .overlay: "an overlay", .text: "a text", .options: "options",
        ]
        for kind in DocumentLocation.Kind.allCases {
            #expect(Self.oversized(kind) == "2 bytes are more than \(nouns[kind] ?? "?") may have, 1")
        }
    }

    @Test func faultsMoveToALocation() {
        let error = MediaError(.io, step: .read, subject: "b.cube", reason: "no such file", advice: "check the path")
        #expect(
            DocumentLocation(.recipe, file: "a.yml", line: 3).fault(from: error)
                == MediaError(
                    .io, step: .recipe, subject: "a.yml:3", reason: "b.cube: no such file", advice: "check the path"))
    }
}
