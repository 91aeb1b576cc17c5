internal import TestSupport
internal import Testing

/// An untrusted recipe may name any file of the machine; errors do not disclose the content of that file.
@Suite struct QuotingTests {
    private let bench = Workbench()

    private static let secrets = [
        "root:x:0:0:secret:/root:/bin/sh\n", "secret\n", "secret: {secret: secret}\n", "password: secret\n",
        "use: [secret]\n", "filters:\n  - secret\n", "filters:\n  - sepia-tone: {secret: 1}\n",
        "filters:\n  - sepia-tone: {intensity: secret}\n", "overlays:\n  - text: [secret]\n",
        "overlays:\n  - text: a\n    secret: b\n", "output: {format: secret}\n", "output: secret\n", "- secret\n",
        "!secret a: b\n", "a: *secret\n", "secret: 1\nsecret: 2\n", "{secret", "LUT_1D_SIZE secret\n",
        "LUT_1D_SIZE 2\n0 0 secret\n", "LUT_1D_SIZE 2\n0 0 0\nsecret 1 1\n",
    ]

    @Test(arguments: secrets) func quotesNothingOfAFileNamedByARecipe(_ secret: String) throws {
        // Long enough for a table of two entries.
        try bench.write(secret + String(repeating: "#\n", count: 40), to: "private.txt")
        for recipe in [
            "use: ./private.txt\n", "filters:\n  - color-cube: {file: private.txt}\n", "use: [./private.txt]\n",
            "overlays:\n  - image: private.txt\n",
        ] {
            try bench.write(recipe, to: "look.yml")
            let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--recipe", "look.yml")
            #expect(run.ending == .exited(2) || run.ending == .exited(1))
            #expect(run.lines.count == 1 && !run.errors.contains("secret"), "\(run.errors)")
        }
    }

    @Test func explainsErrorsOfTheNamedFile() throws {
        try bench.write("filters: [sepia-tine]\n", to: "mine.yml")
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--recipe", "mine.yml"), 2, "mine.yml:1: ",
            "'sepia-tine'", "sepia-tone")
        try bench.write("use: mine.yml\n", to: "uses.yml")
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--recipe", "uses.yml"), 2, "mine.yml:1: ",
            "--recipe")
    }
}
