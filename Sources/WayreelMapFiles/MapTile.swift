internal import WayreelCore

/// A Mapbox Vector Tile (github.com/mapbox/vector-tile-spec, version 2.1), decompressed.
package enum MapTile {
    /// Returns whether bytes are a tile: layers with a name, features and their keys and values.
    package static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var tile = WireReader(bytes)
        while let (field, value) = tile.next() {
            if field == 3 {
                guard case .bytes(let layer) = value, isSoundLayer(layer) else { return false }
            }
        }
        return !tile.isDamaged
    }

    private static func isSoundLayer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var layer = WireReader(bytes)
        var hasName = false
        while let (field, value) = layer.next() {
            if field == 1, case .bytes = value { hasName = true }
            if field == 2 || field == 4 {
                guard case .bytes(let part) = value else { return false }
                var fields = WireReader(part)
                while fields.next() != nil {}
                if fields.isDamaged { return false }
            }
        }
        return hasName && !layer.isDamaged
    }
}
