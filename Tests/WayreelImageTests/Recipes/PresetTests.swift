import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct PresetTests {
    private static let folder = Fixture.root + "/Filters"

    /// Recipes and scripts contain these names: removing one breaks users' files.
    private static let names: Set = [
        "blueprint", "comic-book", "cyanotype", "dream", "faded-film", "first-snow", "golden-hour",
        "haunted-house", "lomo", "newsprint", "night-vision", "noir-alley", "old-postcard", "pixel-quest",
        "pulp-magazine", "silver-gelatin", "stained-glass", "sunday-1974", "thermal-scout", "tin-type",
        "wanted-poster", "x-ray-lab",
    ]

    @Test func everyNameStays() {
        #expect(Set(Recipe.presetNames) == Self.names)
    }

    @Test func everyFileOfTheFolderIsEmbedded() throws {
        let files = Fixture.listing(Self.folder).filter { $0.hasSuffix(".yml") }
        #expect(Recipe.presetNames == files.map { String($0.dropLast(4)) })
        for (name, bytes) in Presets.recipes {
            let file = try Fixture.bytes("\(Self.folder)/\(name).yml")
            #expect(file == bytes, "\(name) is not the file's text: build again")
        }
    }

    @Test(arguments: Recipe.presetNames)
    func loads(name: String) throws {
        let preset = try Recipe.load(name)
        #expect(preset.name == name)
        #expect((20...80).contains(preset.summary.count) && !preset.summary.contains("\n"))
        #expect(preset.summary.last != ".")
        #expect(!preset.filters.isEmpty)
        let file = try Recipe.load("\(Self.folder)/\(name).yml")
        #expect(preset == file)
    }

    /// On a scene of sky, ground and detail, every preset differs from the scene and from every other preset.
    @Test func noTwoLookAlike() throws {
        var scene = try Image(size: PixelSize(width: 240, height: 160))
        var random = SeededRandom(seed: 9)
        scene.withMutablePlanes { planes in
            for y in 0..<160 {
                for x in 0..<240 {
                    let light = Float(160 - y) / 160 * (x / 12 % 5 == 0 ? 0.4 : 1)
                    let detail = Float.random(in: -0.08...0.08, using: &random)
                    planes.row(y, plane: 0)[x] = min(max(light * 0.8 + detail, 0), 1)
                    planes.row(y, plane: 1)[x] = min(max(light * 0.6 + Float(x) / 600 + detail, 0), 1)
                    planes.row(y, plane: 2)[x] = min(max(0.9 - light * 0.7 + detail, 0), 1)
                }
            }
        }
        var looks = [("nothing", scene.values)]
        for name in Recipe.presetNames {
            var image = scene
            try FilterChain(try Recipe.load(name).filters).apply(to: &image, task: TaskContext())
            #expect(image.size == scene.size)
            let values = image.values
            for (other, look) in looks {
                // The mean difference, 0 to 1.
                let distance = zip(values, look).reduce(Float(0)) { $0 + abs($1.0 - $1.1) } / Float(values.count)
                #expect(distance > 0.03, "\(name) and \(other) are \(distance) apart")
            }
            looks.append((name, values))
        }
    }
}
