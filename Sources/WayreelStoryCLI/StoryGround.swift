internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// The base map below a map of a story.
enum StoryGround {
    /// Returns the base map for an image of a scene: of a bundle its tiles, of a document tiles that are cut out of its
    /// file. nil if the story has none, or if the image shows so large an area that no streets could be seen.
    ///
    /// `chapter` is the only one that is shown; nil for several.
    static func ground(
        of path: String, _ story: Story, chapter: String?, below scene: MapScene, _ image: MapImage
    ) throws(MediaError) -> MapGround? {
        let own = story.chapters.first { $0.id == chapter }?.map
        guard StoryDocument.Format(path: path) == nil else {
            guard let map = own ?? story.map else { return nil }
            return try cut(map, of: path, story, below: scene, image)
        }
        let bundle = try StoryBundle.open(path)
        let ground = try bundle.manifest().ground
        guard let map = chapter.flatMap({ ground?.chapters[$0] }) ?? ground?.story, map.minZoom <= map.maxZoom,
            let (box, zoom) = try scene.groundArea(image, zooms: map.minZoom...map.maxZoom)
        else { return nil }
        var tiles: [MapGround.Tile] = []
        let (columns, rows) = box.tiles(at: zoom)
        for (column, row) in columns.flatMap({ column in rows.map { (column, $0) } }) {
            guard let file = map.tiles["\(zoom)/\(column)/\(row)"] else { continue }
            let bytes = try MediaBytes.read(path: "\(bundle.path)/\(file)", limit: maxTileBytes).array
            tiles.append(MapGround.Tile(zoom: zoom, column: column, row: row, bytes: bytes))
        }
        return MapGround(tiles: tiles, attribution: map.attribution, languages: story.mapLanguages)
    }

    private static let maxTileBytes = 32 << 20

    private static func cut(
        _ map: BaseMap, of document: String, _ story: Story, below scene: MapScene, _ image: MapImage
    ) throws(MediaError) -> MapGround? {
        let path = try StoryFolder(document.folder).file(map.source)
        let file = try MapFile(path: path)
        guard let (box, zoom) = try scene.groundArea(image, zooms: GroundTiles.zooms(of: file)) else { return nil }
        let cancellation = Interrupt.cancellation
        let made = try GroundTiles.surroundings(
            in: path, box: box, zooms: zoom...zoom, languages: story.mapLanguages,
            task: TaskContext(threads: WorkPool.availableCores, cancellation: cancellation), cancellation: cancellation)
        let tiles = made.tiles.map { MapGround.Tile(zoom: $0.z, column: $0.x, row: $0.y, bytes: $0.bytes) }
        return MapGround(tiles: tiles, attribution: map.shownAttribution(file), languages: story.mapLanguages)
    }
}
