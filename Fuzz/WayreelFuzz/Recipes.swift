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

/// Look-up tables (`.cube`).
@Sendable func readCube(_ data: UnsafeRawBufferPointer) {
    _ = try? FilterChain([.lookUpTable(path: FuzzFolder.write(data, to: "table.cube"))])
}
