internal import WayreelMapFiles

/// Files of base maps: the headers of extracts, and archives of tiles, of which some are read.
@Sendable func readMap(_ data: UnsafeRawBufferPointer) {
    let path = FuzzFolder.write(data, to: "map")
    _ = try? MapFile(path: path)
    guard let archive = try? TileArchive(path: path) else { return }
    let zoom = archive.zooms.upperBound
    for (column, row) in [(0, 0), (1, 2), (18653, 9483), (18655, 9485)] {
        _ = try? archive.tile(zoom: zoom, column: min(column, (1 << zoom) - 1), row: min(row, (1 << zoom) - 1))
    }
}
