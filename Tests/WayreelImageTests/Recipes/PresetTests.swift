import Testing
import WayreelCore
import WayreelImage
import WayreelPresets

@Suite struct PresetTests {
    private static let folder = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/Filters"

    @Test func everyFileOfTheFolderIsEmbedded() throws {
        let files = RecipeFolder.listing(Self.folder).filter { $0.hasSuffix(".yml") }
        #expect(files.count >= 14)
        #expect(Recipe.presetNames == files.map { String($0.dropLast(4)) })
        for (name, bytes) in Presets.recipes {
            let file = try MediaBytes.read(path: "\(Self.folder)/\(name).yml", limit: 1 << 16)
            let isSame = withExtendedLifetime(file) { file.buffer.elementsEqual(bytes) }
            #expect(isSame, "\(name) is not the file's text: build again")
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

    @Test func noTwoAreAlike() throws {
        let presets = try Recipe.presetNames.map { try Recipe.load($0) }
        #expect(Set(presets.map(\.filters)).count == presets.count)
        #expect(Set(presets.map(\.summary)).count == presets.count)
    }
}
