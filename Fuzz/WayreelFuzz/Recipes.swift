internal import WayreelDocument
internal import WayreelImage
internal import WayreelMedia

/// Recipes in YAML and JSON, with their filters and overlays. Files that they name are not read.
@Sendable func parseRecipe(_ data: UnsafeRawBufferPointer) {
    _ = try? Recipe.parse(String(decoding: data, as: UTF8.self)) { (filter, _) throws(MediaError) in filter }
    _ = try? YAMLDocument.parse(Array(data), at: DocumentLocation(.recipe))
}

/// Stories in XML and YAML; valid ones are checked.
@Sendable func readStory(_ data: UnsafeRawBufferPointer) {
    for format in [StoryDocument.Format.xml, .yaml] {
        _ = try? StoryDocument.read(Array(data), as: format).checked(in: FuzzFolder.path)
    }
}

/// Translators' files, which are written in all formats once they are read.
@Sendable func readTranslations(_ data: UnsafeRawBufferPointer) {
    for name in ["a.po", "a.csv", "a"] {
        let file = try? TranslationFile.read(
            Array(data), name: name, story: "tour", sourceLanguage: "en", language: "de-AT")
        for format in TranslationFormat.allCases { _ = file?.bytes(as: format) }
    }
}

/// Look-up tables (`.cube`).
@Sendable func readCube(_ data: UnsafeRawBufferPointer) {
    _ = try? FilterChain([.lookUpTable(path: FuzzFolder.write(data, to: "table.cube"))])
}
