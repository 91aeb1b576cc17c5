internal import Wayreel
internal import WayreelImage

/// Recipes in YAML and JSON, with their filters and overlays. Files that they name are not read.
@Sendable func parseRecipe(_ data: UnsafeRawBufferPointer) {
    _ = try? Recipe.parse(String(decoding: data, as: UTF8.self)) { (filter, _) throws(MediaError) in filter }
    _ = try? YAMLDocument.parse(Array(data), at: DocumentLocation(step: "recipe"))
}

/// Look-up tables (`.cube`).
@Sendable func readCube(_ data: UnsafeRawBufferPointer) {
    _ = try? FilterChain([.lookUpTable(path: FuzzFolder.write(data, to: "table.cube"))])
}
