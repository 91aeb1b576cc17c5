import Testing

import WayreelCore

@Suite struct NearestNameTests {
    private let names = ["sepia-tone", "vignette", "vignette-effect", "noir", "bloom"]

    @Test(arguments: [
        ("sepia-toen", "sepia-tone"), ("Sepia-Tone", "sepia-tone"), ("vignete", "vignette"), ("blom", "bloom"),
    ])
    func suggests(typo: String, meant: String) {
        #expect(nearestName(to: typo, in: names) == meant)
    }

    @Test(arguments: ["", "xyzzy", "a"])
    func writesNothingToStandardError(text: String) {
        #expect(nearestName(to: text, in: names) == nil)
    }
}
