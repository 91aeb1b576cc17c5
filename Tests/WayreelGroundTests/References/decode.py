"""Decodes the vector tiles of a folder (z/x/y.mvt, gzipped) with mapbox-vector-tile, checks the rules of the format that it
does not check itself, and prints a line of JSON for each feature; with the name of a layer, for those of that layer; with
--layers, for each layer of a tile.

    decode.py FOLDER [LAYER | --layers]
"""
import glob, gzip, json, sys
import mapbox_vector_tile
from mapbox_vector_tile.Mapbox import vector_tile_pb2

BUFFER, EXTENT = 64, 4096
FOLDER, WANTED = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None


def fail(tile, layer, reason):
    sys.exit(f"{tile}: {layer}: {reason}")


def double_area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))


def check_commands(tile, layer, feature):
    """The geometry as the specification encodes it, section 4.3."""
    data, cursor, at, rings, line = list(feature.geometry), [0, 0], 0, [], []
    while at < len(data):
        command, count = data[at] & 7, data[at] >> 3
        at += 1
        if command == 7:
            if count != 1 or len(line) < 3:
                fail(tile, layer, "ClosePath after fewer than three points")
            rings.append(line)
            continue
        if command not in (1, 2) or count < 1:
            fail(tile, layer, f"command {command} with count {count}")
        if command == 1:
            if feature.type != 1 and count != 1:
                fail(tile, layer, "MoveTo with several points")
            line = []
        for _ in range(count):
            step = [(value >> 1) ^ -(value & 1) for value in data[at:at + 2]]
            at += 2
            if command == 2 and step == [0, 0]:
                fail(tile, layer, "LineTo without a distance")
            cursor = [cursor[0] + step[0], cursor[1] + step[1]]
            if not all(-BUFFER <= value <= EXTENT + BUFFER for value in cursor):
                fail(tile, layer, f"a point at {cursor}")
            line.append(tuple(cursor))
    if feature.type == 3:
        areas = [double_area(ring) for ring in rings]
        if not areas or areas[0] <= 0 or 0 in areas:
            fail(tile, layer, f"rings of areas {areas}")
        for ring in rings:
            if ring[0] == ring[-1]:
                fail(tile, layer, "a ring repeats its first point")


for path in sorted(glob.glob(f"{FOLDER}/*/*/*.mvt")):
    with open(path, "rb") as file:
        content = gzip.decompress(file.read())
    z, x, y = (int(part) for part in path[:-4].split("/")[-3:])
    message = vector_tile_pb2.tile()
    message.ParseFromString(content)
    names = [layer.name for layer in message.layers]
    if len(set(names)) != len(names):
        fail(path, names, "a layer twice")
    for layer in message.layers:
        if layer.version != 2 or layer.extent != EXTENT or not layer.features:
            fail(path, layer.name, f"version {layer.version}, extent {layer.extent}, {len(layer.features)} features")
        if WANTED in (None, "--layers", layer.name):
            for feature in layer.features:
                check_commands(path, layer.name, feature)
    for name, layer in mapbox_vector_tile.decode(content, default_options={"y_coord_down": True}).items():
        if WANTED == "--layers":
            print(json.dumps({"z": z, "x": x, "y": y, "layer": name, "properties": {}}))
            continue
        for feature in layer["features"] if WANTED in (None, name) else []:
            kind, coordinates = feature["geometry"]["type"], feature["geometry"]["coordinates"]
            # Points, lines, or polygons with their rings, whether there is one or several.
            parts = coordinates if kind.startswith("Multi") else [coordinates]
            kind = kind.removeprefix("Multi")
            key = {"Point": "points", "LineString": "lines", "Polygon": "polygons"}[kind]
            print(json.dumps({"z": z, "x": x, "y": y, "layer": name, "properties": feature["properties"], key: parts}))
