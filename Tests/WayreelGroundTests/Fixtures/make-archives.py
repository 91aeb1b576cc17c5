"""Writes the archives of tiles beside this file with the package pmtiles 3.8.1 (github.com/protomaps/PMTiles), of the tiles in
Tests/Player/ground, which tilemaker made, those of less than 20 kB: helsinki.pmtiles by its writer, and leaves.pmtiles, whose tiles are found by two leaf directories, by its
functions for headers and directories. Prints the numbers of some tiles.

    make-archives.py
"""
import gzip, pathlib
from pmtiles.tile import Compression, Entry, TileType, serialize_directory, serialize_header, zxy_to_tileid
from pmtiles.writer import Writer

HERE = pathlib.Path(__file__).parent
TILES = HERE.parents[1] / "Player/ground"
METADATA = {"name": "Helsinki", "attribution": '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap contributors</a>'}
tiles = {}
for path in sorted(TILES.glob("1[45]/*/*.mvt")):
    z, x, y = (int(part) for part in str(path.relative_to(TILES).with_suffix("")).split("/"))
    if path.stat().st_size < 20_000: tiles[zxy_to_tileid(z, x, y)] = path.read_bytes()
header = {
    "tile_type": TileType.MVT, "tile_compression": Compression.GZIP, "min_zoom": 14, "max_zoom": 15, "min_lon_e7": 249350000,
    "min_lat_e7": 601640000, "max_lon_e7": 249530000, "max_lat_e7": 601790000, "center_zoom": 15, "center_lon_e7": 249440000,
    "center_lat_e7": 601715000}

with open(HERE / "helsinki.pmtiles", "wb") as file:
    writer = Writer(file)
    for number in sorted(tiles): writer.write_tile(number, tiles[number])
    writer.finalize(dict(header), METADATA)

data, entries = b"", []
for number in sorted(tiles):
    entries.append(Entry(number, len(data), len(tiles[number]), 1))
    data += tiles[number]
half = len(entries) // 2
parts = [serialize_directory(part) for part in (entries[:half], entries[half:])]
root = serialize_directory([Entry(entries[0].tile_id, 0, len(parts[0]), 0), Entry(entries[half].tile_id, len(parts[0]), len(parts[1]), 0)])
start = 127 + len(root)
metadata = gzip.compress(b'{"attribution": "Somebody"}', mtime=0)
with open(HERE / "leaves.pmtiles", "wb") as file:
    file.write(serialize_header({
        **header, "version": 3, "root_offset": 127, "root_length": len(root), "metadata_offset": start, "metadata_length": len(metadata),
        "leaf_directory_offset": start + len(metadata), "leaf_directory_length": len(parts[0]) + len(parts[1]),
        "tile_data_offset": start + len(metadata) + len(parts[0]) + len(parts[1]), "tile_data_length": len(data),
        "addressed_tiles_count": len(tiles), "tile_entries_count": len(entries), "tile_contents_count": len(entries), "clustered": True,
        "internal_compression": Compression.GZIP}))
    file.write(root + metadata + parts[0] + parts[1] + data)

for z, x, y in [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0), (2, 0, 0), (12, 3423, 1763), (17, 71216, 45337), (17, 131071, 131071)]:
    print((z, x, y), zxy_to_tileid(z, x, y))
