import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Every error is one line with the file, the line, the mistake and the expectation.
@Suite struct RecipeErrorTests {
    private func message(_ text: String) -> String {
        WayreelImageTests.message { try Recipe.parse(text, name: "old-postcard.yml", check: acceptEveryFilter) }
    }

    private static let gravities =
        "center, north, north-east, east, south-east, south, south-west, west or north-west"

    @Test(arguments: [
        (
            "description: x\n\nfiltres: []\n",
            "3: recipe: unknown key 'filtres'; did you mean 'filters'?"
        ),
        (
            "xyzzy: 1",
            "1: recipe: unknown key 'xyzzy'; a recipe takes name, description, use, filters, overlays, output"
        ),
        (
            "- noir",
            "1: recipe: a recipe is a mapping with the keys name, description, use, filters, overlays or output, "
                + "not a list"
        ),
        (
            // Any file of the machine may be named as a recipe: nothing of it is quoted.
            "root:x:0:0:secret",
            "1: recipe: a recipe is a mapping with the keys name, description, use, filters, overlays or output, "
                + "not a text"
        ),
        ("description: [a]", "1: recipe: a line of text is expected, not a list"),
        ("filters: noir", "1: recipe: 'filters' takes a list, not 'noir'; start each item with '- '"),
        (
            "filters:\n  sepia-tone: {intensity: 1}",
            "2: recipe: 'filters' takes a list, not a mapping; start each item with '- '"
        ),
        (
            "filters:\n  - sepia-tone: 0.6",
            "2: recipe: 'sepia-tone' takes its parameters by name, as in {intensity: 0.6}, not '0.6'"
        ),
        (
            "filters:\n  - sepia-tone:\n    intensity: 0.6",
            "2: recipe: a filter is a name, or a name and its parameters as in 'sepia-tone: {intensity: 0.6}', not a "
                + "mapping; start each filter with '- ' and indent its parameters further"
        ),
        (
            "filters:\n  - noir\n  -\n",
            "3: recipe: a filter is a name, or a name and its parameters as in 'sepia-tone: {intensity: 0.6}', not "
                + "nothing"
        ),
        (
            "filters:\n  - false-color: {color0: }",
            "2: recipe: 'color0' takes a number, a text or a list of numbers, not nothing; "
                + "put a value that begins with # in quotes"
        ),
        (
            "filters:\n  - false-color:\n      color0: #123456",
            "3: recipe: 'color0' takes a number, a text or a list of numbers, not nothing; "
                + "put a value that begins with # in quotes"
        ),
        (
            "filters:\n  - tone-curve: {point0: [[0, 1]]}",
            "2: recipe: 'point0' takes a number, a text or a list of numbers, not a list"
        ),
        (
            "filters:\n  - sepia-tone:intensity",
            "2: recipe: sepia-tone: 'intensity' is not key=value; write sepia-tone:key=value,…"
        ),
        ("overlays: {text: hi}", "1: recipe: 'overlays' takes a list, not a mapping; start each item with '- '"),
        ("overlays: [hi]", "1: recipe: an overlay has one of 'text: …' and 'image: …', this is 'hi'"),
        ("overlays:\n  - size: 5%", "2: recipe: an overlay has one of 'text: …' and 'image: …'"),
        ("overlays:\n  - {text: a, image: b}", "2: recipe: an overlay has one of 'text: …' and 'image: …'"),
        (
            "overlays:\n  - imgae: a.png\n    x: 5",
            "2: recipe: unknown key 'imgae'; did you mean 'image'?"
        ),
        (
            "overlays:\n  - text: #1 fan\n",
            "2: recipe: 'text' takes the text to draw, not nothing; put a value that begins with # in quotes"
        ),
        ("overlays:\n  - image: ''\n", "2: recipe: 'image' takes the path of an image, not ''"),
        ("overlays:\n  - image: [a]\n", "2: recipe: 'image' takes the path of an image, not a list"),
        (
            "overlays:\n  - text: a\n    colour: red\n",
            "3: recipe: unknown key 'colour'; did you mean 'color'?"
        ),
        (
            "overlays:\n  - text: a\n    x: 5\n",
            "3: recipe: unknown key 'x'; a text overlay takes font, size, color, gravity, margin, margin-x, margin-y, "
                + "width, alignment, outline, shadow, box, rotation, opacity, blend"
        ),
        (
            "overlays:\n  - text: a\n    gravity: sout\n",
            "3: recipe: 'gravity' takes \(gravities), not 'sout'; did you mean 'south'?"
        ),
        (
            "overlays:\n  - text: a\n    size: big\n",
            "3: recipe: 'size' takes a length of at least 0: pixels such as 12, or a percentage of the shorter side such as 4%, "
                + "not 'big'"
        ),
        (
            "overlays:\n  - text: a\n    size: -5\n",
            "3: recipe: 'size' takes a length of at least 0: pixels such as 12, or a percentage of the shorter side such as 4%, "
                + "not '-5'"
        ),
        (
            "overlays:\n  - text: a\n    opacity: 1.5\n",
            "3: recipe: 'opacity' takes a number from 0 to 1, not '1.5'"
        ),
        (
            "overlays:\n  - text: a\n    opacity: nan\n",
            "3: recipe: 'opacity' takes a number from 0 to 1, not 'nan'"
        ),
        (
            "overlays:\n  - text: a\n    rotation: 400\n",
            "3: recipe: 'rotation' takes a number from -360 to 360 degrees, not '400'"
        ),
        (
            "overlays:\n  - text: a\n    color: #fff\n",
            "3: recipe: 'color' takes a colour: #rgb, #rrggbb, #rrggbbaa, or a name such as white, not nothing; "
                + "put a value that begins with # in quotes"
        ),
        (
            "overlays:\n  - text: a\n    color: wite\n",
            "3: recipe: 'color' takes a colour: #rgb, #rrggbb, #rrggbbaa, or a name such as white, not 'wite'; "
                + "did you mean 'white'?"
        ),
        (
            "overlays:\n  - text: a\n    outline:\n      width: thick\n",
            "4: recipe: outline: 'width' takes a length of at least 0: pixels such as 12, or a percentage of the shorter side "
                + "such as 4%, not 'thick'"
        ),
        (
            "overlays:\n  - text: a\n    outline: '#000/2/3'\n",
            "3: recipe: 'outline' takes color/width, or a mapping of those, not '#000/2/3'"
        ),
        (
            "overlays:\n  - text: a\n    shadow: '#000/a'\n",
            "3: recipe: shadow: 'x' takes a length: pixels such as 12, or a percentage of the shorter side such as 4%, "
                + "not 'a'"
        ),
        (
            "overlays:\n  - text: a\n    box: {colour: red}\n",
            "3: recipe: unknown key 'colour'; did you mean 'color'?"
        ),
        (
            "overlays:\n  - image: a\n    scale: 0\n",
            "3: recipe: 'scale' takes a factor such as 0.5, or a percentage of the image's width such as 20%, not '0'"
        ),
        ("overlays:\n  - image: a\n    tile: maybe\n", "3: recipe: 'tile' takes true or false, not 'maybe'"),
        (
            "overlays:\n  - image: a\n    blend: multiplly\n",
            "3: recipe: 'blend' takes normal, multiply, screen, overlay or soft-light, not 'multiplly'; "
                + "did you mean 'multiply'?"
        ),
        ("output: webp", "1: recipe: 'output' takes a mapping such as {format: webp}, not 'webp'"),
        ("output:\n  formt: webp", "2: recipe: unknown key 'formt'; did you mean 'format'?"),
        ("output:\n  format: gif", "2: recipe: 'format' takes jpeg, png, webp or avif, not 'gif'"),
        ("output:\n  quality: 0", "2: recipe: 'quality' takes a whole number from 1 to 100, not '0'"),
        ("output:\n  quality: 8.5", "2: recipe: 'quality' takes a whole number from 1 to 100, not '8.5'"),
        (
            "output:\n  quality:",
            "2: recipe: 'quality' takes a whole number from 1 to 100, not nothing; "
                + "put a value that begins with # in quotes"
        ),
        ("output:\n  bits: 10", "2: recipe: 'bits' takes 8 or 16, not '10'"),
        (
            "output:\n  max-bytes: lots",
            "2: recipe: 'max-bytes' takes a size such as 200000, 200kB or 1.5MB, not 'lots'"
        ),
        (
            "output:\n  screen: iphone-4z",
            "2: recipe: 'screen' takes a screen such as iphone-4s, WIDTHxHEIGHT, WIDTHx, xHEIGHT or a percentage, not 'iphone-4z'; "
                + "did you mean 'iphone-4'?"
        ),
        ("output:\n  fit: [cover]", "2: recipe: 'fit' takes cover, contain, width, height, pad or fill, not a list"),
        ("use: [a]", "1: recipe: 'use' takes a preset's name or the path of a recipe, not a list"),
        (
            "\nuse: noir-aley",
            "2: recipe: unknown recipe 'noir-aley'; did you mean 'noir-alley'? the recipes are "
                + "\(Recipe.presetNames.joined(separator: ", ")), or give the path of a .yml file"
        ),
        ("use: '-'", "1: recipe: 'use' cannot read standard input"),
        (
            "filters:\n  - noir\n  bloom",
            "3: recipe: the line is neither 'key: value' nor a part of the text above; put a colon and a space after the key, or indent a text that goes on"
        ),
    ])
    func isToldWithItsLine(text: String, expected: String) {
        #expect(message(text) == "old-postcard.yml:" + expected)
    }

    @Test(arguments: [
        (
            "filters:\n  - noir\n  - sepia-toan\n",
            "3: recipe: unknown filter 'sepia-toan'; did you mean 'sepia-tone'?"
        ),
        (
            "filters:\n  - sepia-tone: {intensity: 2}\n",
            "2: recipe: sepia-tone: intensity is 2, out of range; it takes a number, 0 to 1"
        ),
        (
            "filters:\n  - sepia-tone:\n      intensty: 1\n",
            "2: recipe: sepia-tone has no parameter 'intensty'; did you mean 'intensity'?"
        ),
    ])
    func aFilterIsCheckedAgainstTheCatalogue(text: String, expected: String) {
        let error = #expect(throws: MediaError.self) { try Recipe.parse(text, name: "a.yml") }
        #expect(error?.description == "a.yml:" + expected)
    }

    @Test func resolvesTablesRelativeToTheRecipe() throws {
        let cube = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"
        try withRecipes(["sub/a.yml": "filters: [{color-cube: {file: b.cube}}]", "sub/b.cube": cube]) { folder in
            let recipe = try Recipe.load("\(folder)/sub/a.yml")
            #expect(recipe.filters == [Filter("color-cube", ["file": .text("\(folder)/sub/b.cube")])])
        }
    }

    @Test func anEmptyRecipeIsRefused() {
        #expect(
            message("# only a comment\n")
                == "old-postcard.yml: recipe: the recipe is empty; it takes name, description, use, filters, "
                + "overlays, output")
    }

    @Test func shortensHugeArguments() {
        let items = (0..<100_000).map { "k\($0)=1" }.joined(separator: ",")
        #expect(
            message("filters:\n  - x:\(items),k5=2\n")
                == "old-postcard.yml:2: recipe: x: 'k5' is given twice; write x:key=value,…")
        let long = message("filters:\n  - x:\(String(repeating: "a", count: 1_000_000))\n")
        #expect(long.hasPrefix("old-postcard.yml:2: recipe: x: 'aaa") && long.count < 600)
        #expect(message("\(String(repeating: "a", count: 1000)): 1").count < 600)
    }

    /// A preset with a few bytes changed, removed or duplicated is either read or refused in one line.
    @Test func changedPresetsNeverHarm() {
        var random = SeededRandom(seed: 2)
        let bytes =
            Presets.recipes.map(\.value) + [Array("overlays: [{text: a, box: '#000/2'}]\noutput: {bits: 8}".utf8)]
        let marks = Array("{}[]:,-&*!|>'\"%@#\n\t 0~\\/".utf8)
        for _ in 0..<6000 {
            var text = bytes.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let location = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text[location] = marks.randomElement(using: &random)!
                case 1: text.remove(at: location)
                case 2: text.insert(marks.randomElement(using: &random)!, at: location)
                default: text.insert(contentsOf: text[location..<min(location + 20, text.count)], at: location)
                }
            }
            let result = message(String(decoding: text, as: UTF8.self))
            #expect(result.hasPrefix("old-postcard.yml") || result.hasPrefix("no error"))
        }
    }
}
