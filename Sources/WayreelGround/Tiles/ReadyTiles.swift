internal import CZlib
internal import Crypto
package import WayreelCore
package import WayreelMapFiles

extension GroundTiles {
    /// Returns the zooms that a story's map has of a file.
    ///
    /// Throws a `parameter` error if it has none of 12 to 17.
    package static func zooms(of file: MapFile) throws(MediaError) -> ClosedRange<Int> {
        guard case .tiles(let own) = file.kind else { return zooms }
        guard own.overlaps(zooms) else {
            throw MediaError(
                .parameter, step: .ground,
                reason: "its tiles have zooms \(own.lowerBound) to \(own.upperBound), and none of 12 to 17",
                advice: "give tiles that reach zoom 14 or more")
        }
        return own.clamped(to: zooms)
    }

    /// Cuts or takes the tiles of a story's base map, of whichever kind its file is.
    package static func surroundings(
        in path: String, box: GroundBox, zooms: ClosedRange<Int>, languages: [String], task: TaskContext,
        cancellation: Cancellation
    ) throws(MediaError) -> GroundTiles {
        switch try MapFile(path: path).kind {
        case .extract:
            try cut(
                extract: path, box: box, boxName: "the story", zooms: zooms, languages: languages, task: task,
                cancellation: cancellation)
        case .tiles: try take(archive: path, box: box, boxName: "the story", zooms: zooms, task: task)
        }
    }

    /// Takes the tiles of an archive that a box has a part of.
    ///
    /// Throws the errors of ``TileArchive``, a `parameter` error if the box lies outside of what it covers, and a `limit` error
    /// for more than ``maxTiles`` tiles.
    static func take(
        archive path: String, box: GroundBox, boxName: String?, zooms: ClosedRange<Int>, task: TaskContext
    ) throws(MediaError) -> GroundTiles {
        do throws(MediaError) { try checkCount(box, zooms) } catch { throw error.naming(path) }
        let archive = try TileArchive(path: path)
        if let covered = archive.box, !covered.touches(box) {
            throw outside(box, boxName, of: covered, path)
        }
        var (tiles, bytes): ([Tile], Int) = ([], 0)
        for zoom in zooms {
            let (columns, rows) = Grid.tiles(of: box, at: zoom)
            for column in columns {
                try task.check()
                for row in rows {
                    guard let tile = try archive.tile(zoom: zoom, column: column, row: row) else { continue }
                    tiles.append(try Tile(zoom, column, row, tile.isGzip ? tile.bytes : gzip(tile.bytes)))
                    bytes += tiles[tiles.count - 1].bytes.count
                    guard bytes <= maxArchiveBytes else {
                        throw MediaError(
                            .limit, step: .ground, subject: path,
                            reason: "its tiles around the story have more than \(maxArchiveBytes.asSize)",
                            advice: "take a smaller margin")
                    }
                }
            }
        }
        return GroundTiles(tiles: tiles, box: box, zooms: zooms, languages: [], warnings: [])
    }

    /// The most bytes of tiles that are taken of an archive.
    private static let maxArchiveBytes = 256_000_000

    static func outside(
        _ box: GroundBox, _ boxName: String?, of covered: GroundBox, _ path: String
    ) -> MediaError {
        let distance = (covered.distance(to: box) / 1000).formatted(1)
        return MediaError(
            .parameter, step: .ground, subject: path,
            reason: "\(boxName ?? "the box \(box)") lies outside of it, \(distance) km away: it covers \(covered)",
            advice: "give the extract of another area, or another box")
    }

    static func gzip(_ plain: [UInt8]) throws(MediaError) -> [UInt8] {
        let bound = czlib_gzip_bound(plain.count)
        let gzip = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = plain.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, bound) }
        }
        guard !gzip.isEmpty else {
            throw MediaError(.limit, code: .outOfMemory, step: .ground, reason: "no memory to compress a tile")
        }
        return gzip
    }
}

extension GroundTiles.Tile {
    /// `bytes` are in gzip.
    init(_ zoom: Int, _ column: Int, _ row: Int, _ bytes: [UInt8]) {
        self.init(z: zoom, x: column, y: row, bytes: bytes, sha256: SHA256.hash(data: bytes).hexadecimal)
    }
}
