import Testing
import WayreelCore
import WayreelImage

@Suite struct RecipeTests {
    private let everything = """
        name: mission
        description: Everything at once
        filters:
          - noir
          - sepia-tone: {intensity: 0.6}
          - CIVignette:
              inputRadius: 4%
              center: [50%, 25%]
              color: [0.6, .45, 3e-1]
              note: "12"
          - bloom:radius=2%
          - invert:
        overlays:
          - text: "The Mission Bell"
            font: DejaVu Serif Bold
            size: 6%
            color: "#fff8"
            gravity: south
            margin: 10
            margin-y: 5%
            width: 80%
            alignment: justify
            outline: {color: black, width: 2}
            shadow: "#000/1/-2/4"
            box: {color: [0, 0, 0, 0.5], padding: 3%}
            rotation: -12.5
            opacity: 0.9
            blend: screen
          - image: badge.png
            gravity: north-east
            x: 16
            y: -4%
            scale: 20%
            opacity: 0.5
            blend: soft-light
            tile: yes
          - {image: /abs/grain.png, scale: 0.5}
        output:
          screen: iphone-4s
          fit: contain
          gravity: north
          linear: true
          enlarge: false
          turn: no
          format: jpg
          quality: 80
          progressive: true
          subsampling: 4:4:4
          bits: 16
          lossless: true
          max-bytes: 200 kB
          keep: copyright
        """

    @Test func readsEveryKey() throws {
        let recipe = try Recipe.parse(everything, folder: "looks", check: acceptEveryFilter)
        #expect(recipe.name == "mission")
        #expect(recipe.summary == "Everything at once")
        #expect(
            recipe.filters == [
                Filter("noir"), Filter("sepia-tone", ["intensity": 0.6]),
                Filter(
                    "CIVignette",
                    ["inputRadius": "4%", "center": "50%,25%", "color": [0.6, 0.45, 0.3], "note": .text("12")]),
                Filter("bloom", ["radius": "2%"]), Filter("invert"),
            ])
        let black = RGBColor(red: 0, green: 0, blue: 0)
        var text = TextOverlay(
            "The Mission Bell", font: "DejaVu Serif Bold", size: .percent(6),
            color: RGBColor(red: 1, green: 1, blue: 1, alpha: 136.0 / 255), gravity: .south, marginX: .pixels(10),
            marginY: .percent(5), width: .percent(80), alignment: .justify, rotation: -12.5, opacity: 0.9,
            blend: .screen)
        text.outline = TextOverlay.Outline(color: black, width: .pixels(2))
        text.shadow = TextOverlay.Shadow(color: black, x: .pixels(1), y: .pixels(-2), blur: .pixels(4))
        text.box = TextOverlay.Box(color: RGBColor(red: 0, green: 0, blue: 0, alpha: 0.5), padding: .percent(3))
        let badge = ImageOverlay(
            path: "looks/badge.png", gravity: .northEast, x: .pixels(16), y: .percent(-4), scale: .widthShare(0.2),
            opacity: 0.5, blend: .softLight, tile: true)
        let grain = ImageOverlay(path: "/abs/grain.png", scale: .factor(0.5))
        #expect(recipe.overlays == [.text(text), .image(badge), .image(grain)])
        var output = RecipeOutput()
        output.size = .screen(
            Screen(name: "iphone-4s", label: "iPhone 4S", size: PixelSize(width: 640, height: 960)))
        (output.fit, output.gravity, output.linear, output.enlarge, output.turn) = (
            .contain, .north, true, false, false
        )
        output.cropsToAttention = false
        (output.format, output.quality, output.progressive, output.subsampling) = (.jpeg, 80, true, .full)
        (output.bits, output.lossless, output.maxBytes, output.metadata) = (16, true, 200_000, .copyright)
        #expect(recipe.output == output)
        #expect(
            output.encoding(over: Encoding(.webp))
                == Encoding(
                    .jpeg, quality: 80, progressive: true, subsampling: .full, bits: 16, lossless: true,
                    maxBytes: 200_000, metadata: .copyright))
    }

    @Test func framesAsItSays() throws {
        let recipe = try Recipe.parse(
            "output: {screen: 640x480, dpr: 2, fit: pad, gravity: south, background: white, trim: 30}")
        #expect(
            recipe.output.framing()
                == Framing(screen: PixelSize(width: 640, height: 480), scale: 2, fit: .pad, gravity: .south, trim: 30))
        #expect(recipe.output.background == .white)
        let share = try Recipe.parse("output: {screen: 25%, gravity: attention, trim: true}").output
        #expect(share.framing() == Framing(scale: 0.25, cropsToAttention: true, trim: 10))
        let width = try Recipe.parse("output: {screen: 640x}").output
        #expect(width.framing(over: Framing(fit: .contain)).screen == PixelSize(width: 640, height: 0))
    }

    @Test func missingKeysKeepDefaults() throws {
        let recipe = try Recipe.parse("overlays:\n  - text: hi\n  - image: a.png\noutput: {quality: 5}\n")
        #expect(recipe.overlays == [.text(TextOverlay("hi")), .image(ImageOverlay(path: "a.png"))])
        #expect(recipe.name == "recipe")
        let base = Encoding(.webp, quality: 70, lossless: true, maxBytes: 9)
        #expect(recipe.output.encoding(over: base) == Encoding(.webp, quality: 5, lossless: true, maxBytes: 9))
        #expect(try Recipe.parse("filters:\noverlays: []\noutput:\n") == Recipe())
    }

    @Test func readsJSON() throws {
        let json = """
            {"description": "From a program", "filters": ["noir", {"bloom": {"radius": "4%", "intensity": 1}}],
            \t"overlays": [{"text": "\\ud83d\\udd14"}], "output": {"format": "webp", "linear": true}}
            """
        let recipe = try Recipe.parse(json)
        #expect(recipe.filters == [Filter("noir"), Filter("bloom", ["radius": "4%", "intensity": 1])])
        #expect(recipe.overlays == [.text(TextOverlay("🔔"))])
        #expect(recipe.output.format == .webp && recipe.output.linear == true)
    }

    @Test func extendsAnotherRecipe() throws {
        try withRecipes([
            "house.yml": """
            filters: [noir]
            overlays: [{image: badge.png}]
            output: {format: webp, quality: 60}
            description: House style
            """,
            "sub/mine.yml": """
            use: ../house.yml
            filters: [bloom]
            overlays: [{image: mine.png}]
            output: {quality: 90}
            """,
            "preset.yml": "use: old-postcard\nfilters: [bloom]\n",
        ]) { folder in
            let recipe = try Recipe.load(folder + "/sub/mine.yml")
            #expect(recipe.name == "mine")
            #expect(recipe.summary == "House style")
            #expect(recipe.filters == [Filter("noir"), Filter("bloom")])
            #expect(
                recipe.overlays == [
                    .image(ImageOverlay(path: folder + "/sub/../badge.png")),
                    .image(ImageOverlay(path: folder + "/sub/mine.png")),
                ])
            #expect(recipe.output.format == .webp && recipe.output.quality == 90)
            let fromPreset = try Recipe.load(folder + "/preset.yml")
            let preset = try Recipe.load("old-postcard")
            #expect(fromPreset.filters == preset.filters + [Filter("bloom")])
        }
    }

    @Test func reportsTheLineOfAFilter() throws {
        try withRecipes(["a.yml": "filters:\n  - noir\n\n  - color-cube: {file: b.cube}\n"]) { folder in
            var seen: [String] = []
            let recipe = try Recipe.load(folder + "/a.yml") { (filter, base) throws(MediaError) in
                seen.append("\(filter) in \(base ?? "")")
                return Filter(filter.name.uppercased())
            }
            #expect(seen == ["noir in \(folder)/", "color-cube:file=b.cube in \(folder)/"])
            #expect(recipe.filters == [Filter("NOIR"), Filter("COLOR-CUBE")])
            let error = #expect(throws: MediaError.self) {
                try Recipe.load(folder + "/a.yml") { (filter, _) throws(MediaError) in
                    guard filter.name != "color-cube" else {
                        throw MediaError(
                            .io, step: .filter, subject: "b.cube", reason: "no such file", advice: "make one")
                    }
                    return filter
                }
            }
            #expect(error?.description == "\(folder)/a.yml:4: recipe: b.cube: no such file; make one")
            #expect(error?.kind == .io)
        }
    }

    @Test func circlesAreNamed() {
        withRecipes([
            "a.yml": "use: b.yml", "b.yml": "# over\nuse: ./sub/c.yml", "sub/c.yml": "use: ../a.yml",
            "self.yml": "use: self.yml",
        ]) { folder in
            let paths = ["a.yml", "b.yml", "./sub/c.yml", "./sub/../a.yml"].map { "\(folder)/\($0)" }
            #expect(
                message { try Recipe.load("\(folder)/a.yml") }
                    == "\(folder)/./sub/c.yml:1: recipe: circular use of recipes: "
                    + paths.joined(separator: " → "))
            #expect(
                message { try Recipe.load("\(folder)/self.yml") }
                    == "\(folder)/self.yml:1: recipe: circular use of recipes: "
                    + "\(folder)/self.yml → \(folder)/self.yml")
        }
    }

    @Test func limitsChains() {
        var chain = ["9.yml": "filters: [noir]"]
        for i in 0..<9 { chain["\(i).yml"] = "use: \(i + 1).yml" }
        withRecipes(chain) { folder in
            #expect(throws: Never.self) { try Recipe.load(folder + "/2.yml") }
            #expect(
                message { try Recipe.load(folder + "/0.yml") }
                    == "\(folder)/7.yml:1: recipe: a chain of more than 8 recipes")
        }
    }

    @Test func aFileThatCannotBeReadIsNamed() {
        withRecipes(["empty.yml": "", "uses.yml": "\nuse: none.yml", "half.yml": "use: ''"]) { folder in
            #expect(
                message { try Recipe.load("\(folder)/none.yml") }
                    == "\(folder)/none.yml: recipe: no such file or directory")
            #expect(
                message { try Recipe.load(folder) } == "\(folder): recipe: is a directory; name the files in it")
            #expect(
                message { try Recipe.load("\(folder)/empty.yml") } == "\(folder)/empty.yml: recipe: the file is empty")
            #expect(
                message { try Recipe.load("\(folder)/uses.yml") }
                    == "\(folder)/uses.yml:2: recipe: \(folder)/none.yml: no such file or directory")
            #expect(
                message { try Recipe.load("old-postcrad") }.hasPrefix(
                    "recipe: unknown recipe 'old-postcrad'; did you mean 'old-postcard'? the recipes are blueprint, "))
            #expect(
                message { try Recipe.load("") }.hasPrefix(
                    "recipe: unknown recipe ''; the recipes are blueprint, "))
        }
    }
}
