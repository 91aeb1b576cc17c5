"""The base map of a story's maps: tiles are read as an independent decoder reads them, what is drawn can be seen, and names are in no other's way."""
import base64, gzip, json, math, os, random, re, struct

import mapbox_vector_tile
import pytest

import ground_figures, on_ground, stand_in
from on_ground import HASH, context, open_map, serving, tiles, turn, whole

# What the page reads of tiles, as JSON.
READ = """async tiles => {
    const { readTile, unpacked } = await import('./ground/mvt.js');
    const read = [];
    for (const text of tiles) {
        const bytes = await unpacked(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);
        read.push(readTile(bytes).map(({ name, extent, features, keys }) => ({ name, extent, features: features.map(feature => {
            const { points, ends } = feature.geometry;
            const parts = ends.map((end, index) => [...points.slice(ends[index - 1] ?? 0, end)]);
            const attributes = [...keys.keys()].map(key => [key, feature.get(key)]).filter(([, value]) => value !== undefined);
            return { type: feature.type, parts, attributes: Object.fromEntries(attributes) };
        }) })));
    }
    return read;
}"""


def read(*contents):
    return stand_in.evaluated(READ, [base64.b64encode(content).decode() for content in contents])


def parts(geometry):
    """The parts of a GeoJSON geometry as flat numbers, without the last point of rings, which is their first one."""
    kind, coordinates = geometry["type"], geometry["coordinates"]
    flat = lambda points: [round(number) for point in points for number in point]
    rings = lambda polygon: [flat(ring[:-1]) for ring in polygon]
    return {
        "Point": lambda: [flat([coordinates])], "MultiPoint": lambda: [flat([point]) for point in coordinates],
        "LineString": lambda: [flat(coordinates)], "MultiLineString": lambda: [flat(line) for line in coordinates],
        "Polygon": lambda: rings(coordinates), "MultiPolygon": lambda: [ring for polygon in coordinates for ring in rings(polygon)],
    }[kind]()


def test_tiles_are_read_as_another_decoder_reads_them():
    keys = sorted(tiles())[2::5]
    kinds = {1: "Point", 2: "LineString", 3: "Polygon"}
    count = 0
    for key, layers in zip(keys, read(*(tiles()[key] for key in keys))):
        expected = mapbox_vector_tile.decode(gzip.decompress(tiles()[key]), default_options={"y_coord_down": True})
        assert {layer["name"] for layer in layers} == set(expected), key
        for layer in layers:
            other = expected[layer["name"]]
            assert layer["extent"] == other["extent"] and len(layer["features"]) == len(other["features"])
            for feature, wanted in zip(layer["features"], other["features"]):
                assert kinds[feature["type"]] == wanted["geometry"]["type"].removeprefix("Multi"), (key, layer["name"])
                assert feature["attributes"] == wanted["properties"], (key, layer["name"])
                # The other decoder makes polygons of rings, in an order of its own.
                assert sorted(feature["parts"]) == sorted(parts(wanted["geometry"])), (key, layer["name"])
                count += 1
    assert count > 500


def varint(number):
    number &= 2 ** 64 - 1
    result = b""
    while number > 127:
        result, number = result + bytes([number & 127 | 128]), number >> 7
    return result + bytes([number])


def field(number, content):
    """A field of a protocol buffer: text and bytes with their length, whole numbers as varints."""
    if isinstance(content, int): return varint(number << 3) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def feature(geometry, kind=2, tags=()):
    return field(2, b"".join([field(2, b"".join(map(varint, tags))), field(3, kind), field(4, b"".join(map(varint, geometry)))]))


def tile(*features, name="transportation", values=(), keys=(), extent=4096):
    layer = [field(15, 2), field(1, name), *features, *(field(3, key) for key in keys), *(field(4, value) for value in values), field(5, extent)]
    return field(3, b"".join(layer))


def test_values_of_all_types():
    values = [field(1, "Ä"), varint(2 << 3 | 5) + struct.pack("<f", 1.5), varint(3 << 3 | 1) + struct.pack("<d", -0.1), field(4, -3),
              field(5, 2 ** 40), field(6, 5), field(7, 1), field(4, -2 ** 40)]
    names = [f"k{index}" for index in range(len(values))]
    tags = [index for pair in zip(range(len(values)), range(len(values))) for index in pair]
    [[layer]] = read(tile(feature([9, 2, 2], 1, tags), keys=names, values=values))
    assert layer["features"][0]["attributes"] == dict(zip(names, ["Ä", 1.5, -0.1, -3, 2 ** 40, -3, True, -2 ** 40]))
    assert layer["features"][0]["parts"] == [[1, 1]]


def test_damaged_tiles_are_read_as_far_as_they_go():
    """No damage throws, and none takes long: the page would stand still."""
    whole_one = tile(feature([9, 50, 34, 18, 10, 10, 20, 20]), feature([9, 8, 8, 10, 4, 4]), keys=["class"], values=[field(1, "minor")])
    cut = [whole_one[:length] for length in range(len(whole_one))]
    huge = [
        tile(feature([2 ** 29 << 3 | 2])), tile(feature([9, 2, 2, 0xFFFFFFFF << 3 | 2, 1, 1])), field(3, field(1, "a") + b"\x12" + varint(2 ** 60)),
        tile(feature([9, 2 ** 62, 2 ** 63, 2 ** 30 << 3 | 7])), b"\xff" * 5000, b"\x1a" * 5000, gzip.compress(whole_one)[:-9], gzip.compress(whole_one)[:20],
        tile(feature([9, 2, 2]), extent=0), tile(b"\x12\x00" * 300_000), gzip.compress(bytes(50_000_000)),
    ]
    chance = random.Random(45)
    changed = []
    for content in [whole_one, *(gzip.decompress(content) for content in list(tiles().values())[:3])]:
        for _ in range(60):
            bytes_ = bytearray(content[:4000])
            for _ in range(chance.randint(1, 8)): bytes_[chance.randrange(len(bytes_))] = chance.randrange(256)
            changed.append(bytes(bytes_))
    result = stand_in.evaluated("""async tiles => {
        const { readTile, unpacked } = await import('./ground/mvt.js');
        const { Tile } = await import('./ground/tile.js');
        const { Style } = await import('./ground/style.js');
        const style = new Style(await (await fetch('./ground/style.json')).json());
        let longest = 0, features = 0;
        for (const text of tiles) {
            const start = performance.now();
            const bytes = await unpacked(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);
            const layers = readTile(bytes);
            for (const { features: all } of layers) for (const feature of all) feature.geometry, feature.get('class'), features += 1;
            new Tile(bytes, style);
            longest = Math.max(longest, performance.now() - start);
        }
        return { longest, features };
    }""", [base64.b64encode(content).decode() for content in cut + huge + changed])
    assert result["features"] > 1000 and result["longest"] < 5000


def test_what_came_before_the_damage_is_drawn():
    whole_one = tile(feature([9, 50, 34, 18, 10, 10, 20, 20]), feature([9, 8, 8, 10, 4, 4]))
    [[layer]] = read(whole_one + b"\x1a\xff\x01")
    assert [feature["parts"] for feature in layer["features"]] == [[[25, 17, 30, 22, 40, 32]], [[4, 4, 6, 6]]]
    # The second feature says that it is longer than the tile.
    [[layer]] = read(tile(feature([9, 50, 34, 18, 10, 10, 20, 20]), b"\x12\x7f\x18\x02"))
    assert [feature["parts"] for feature in layer["features"]] == [[[25, 17, 30, 22, 40, 32]]]


# Colours


def luminance(color):
    """The relative luminance of WCAG 2.2."""
    linear = lambda value: value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
    red, green, blue = (linear(int(color[at:at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    dark, light = sorted(map(luminance, (a, b)))
    return (light + 0.05) / (dark + 0.05)


TABLE = json.loads((stand_in.ROOT / "Player/ground/style.json").read_text())
SURFACES = ["ground", "buildings", "water", "woods", "grass", "sand"]
STREETS = ["street-edge", "street-line", "path", "rail"]
LABELS = ["label", "label-place", "label-water", "label-green"]
HOUSES = [None, *(f"#{red:02x}{green:02x}{blue:02x}" for red in (0, 102, 255) for green in (0, 102, 255) for blue in (0, 102, 255))]


def tokens(scheme):
    """The colours of the page, by day or by night."""
    text = (stand_in.ROOT / "Player/styles/tokens.css").read_text()
    day, night = text.split("@media (prefers-color-scheme: dark) {", 1)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", day.split("}")[0]))
    return found if scheme == "light" else found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", night.split("}")[0]))


@pytest.fixture(scope="module")
def palettes():
    return stand_in.evaluated("""async houses => {
        const { paletteOf } = await import('./ground/style.js');
        const table = await (await fetch('./ground/style.json')).json();
        return Object.fromEntries(['light', 'dark'].map(scheme => [scheme, houses.map(house => paletteOf(table, scheme, house ?? undefined))]));
    }""", HOUSES)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_streets_and_labels_can_be_seen_in_the_sun(palettes, scheme):
    """By the table alone, and with the colour of any house."""
    for house, palette in zip(HOUSES, palettes[scheme]):
        for name in STREETS:
            for surface in SURFACES: assert contrast(palette[name], palette[surface]) >= 3, (house, name, surface)
        for name in LABELS:
            for surface in ["halo", "ground"]: assert contrast(palette[name], palette[surface]) >= 4.5, (house, name, surface)
    # What the table says needs no mending.
    own = TABLE["colors"][scheme]
    assert {name: palettes[scheme][0][name] for name in own} == own


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_can_be_seen_in_the_sun(palettes, scheme):
    """The disc of an event, its edge, or what is in it; the player's mark by its edge or its inside, also in a house's colours."""
    colors = tokens(scheme)
    for house, palette in zip(HOUSES, palettes[scheme]):
        for surface in [*SURFACES, "street"]:
            for kind in ["camera", "radio", "scrapbook", "goggles", "quiz", "exhibit"]:
                assert contrast(colors[f"kind-{kind}"], palette[surface]) >= 3, (house, kind, surface)
            assert contrast(colors["ink"], palette[surface]) >= 3
            assert max(contrast(colors["signal"], palette[surface]), contrast(colors["signal-ink"], palette[surface])) >= 3, (house, surface)


def test_the_table_is_complete():
    """Each colour is there in both schemes, and each width and size for all zooms."""
    light, dark = TABLE["colors"]["light"], TABLE["colors"]["dark"]
    assert set(light) == set(dark)
    for row in TABLE["layers"] + TABLE["labels"]:
        assert {row[key] for key in ("color", "edge", "line") if key in row} <= set(light), row
        for key in ("width", "size", "ties"):
            stops = row.get(key, [])
            assert stops == sorted(stops) and all(value > 0 for _, value in stops), row
        assert row["source"] and (row.get("kind") != "line" or "width" in row)


# Drawing


def test_pictures_lie_where_the_map_is():
    """A picture of one camera is moved to where another one sees the same places."""
    result = stand_in.evaluated("""async () => {
        const { transformBetween } = await import('./ground/ground-layer.js');
        const { MapProjection } = await import('./views/map-projection.js');
        const centre = { latitude: 60.17, longitude: 24.94 };
        const cameras = [
            { centre, scale: 1.6, x: 195, y: 300 }, { centre, heading: 250, scale: 2.4, x: 195, y: 300 },
            { centre: { latitude: 60.1704, longitude: 24.9391 }, heading: 12, pitch: 38, scale: 1.1, x: 180, y: 480, lens: 600 },
            { centre, heading: 20, pitch: 60, scale: 1.1, x: 200, y: 470, lens: 600 }].map(camera => new MapProjection(camera));
        let most = 0, count = 0;
        for (const drawn of cameras) {
            for (const now of cameras) {
                const matrix = new DOMMatrix(transformBetween(drawn, now));
                for (const [x, y] of [[195, 300], [60, 420], [330, 380], [200, 500]]) {
                    const wanted = now.point(drawn.position(x, y));
                    if (!wanted) continue;
                    const { x: right, y: down, w } = matrix.transformPoint(new DOMPoint(x + 48, y + 48));
                    most = Math.max(most, Math.hypot(right / w - wanted.x, down / w - wanted.y));
                    count += 1;
                }
            }
        }
        return { most, count };
    }""")
    assert result["count"] > 40 and result["most"] < 0.05


@pytest.fixture
def helsinki(launch):
    with serving() as server:
        yield server


@pytest.fixture
def phone(launch):
    """Opens contexts of a phone, and closes them."""
    opened = []

    def open_context(**options):
        opened.append(context(stand_in.shared, **options))
        return opened[-1]

    yield open_context
    for each in opened: each.close()


NAMES = "() => document.querySelector('.ground-layer > canvas').ground.names"


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def assert_apart(names, others, size):
    # On the smallest screen there may be room for none.
    assert names or size[0] < 390
    for index, name in enumerate(names):
        for box in name["boxes"]:
            assert box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1], name["text"]
            for other in names[:index]: assert not any(overlap(box, each) for each in other["boxes"]), (name["text"], other["text"])
            for what, other in others: assert not overlap(box, other), (name["text"], what)
        # Upright: no character is turned by more than a right angle.
        assert all(math.cos(angle) > -1e-6 for angle in name["angles"]), name


def covers(page, middle):
    """The boxes of what covers the map, and of the marks: the player's in the middle, and events where they are from there."""
    boxes = page.evaluate("""() => ['.panel', '.top-bar', '.map-credit', ...[1, 2, 3, 4].map(number => `.map-tools button:nth-child(${number})`)]
        .map(selector => [selector, document.querySelector(selector)]).filter(([, node]) => node)
        .map(([selector, node]) => [selector, (({ left, top, right, bottom }) => [left, top, right, bottom])(node.getBoundingClientRect())])""")
    x, y, scale, heading = middle
    marks = [("the player", [x - 13, y - 13, x + 13, y + 13])]
    for name, (east, north) in on_ground.EVENTS.items():
        sine, cosine = math.sin(math.radians(heading)), math.cos(math.radians(heading))
        right, ahead = east * cosine - north * sine, east * sine + north * cosine
        marks.append((name, [x + right * scale - 15, y - ahead * scale - 15, x + right * scale + 15, y - ahead * scale + 15]))
    return boxes + marks


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (1280, 800)])
@pytest.mark.parametrize("degrees", [0, 35, 117, 250])
def test_names_cover_neither_marks_nor_each_other(helsinki, phone, size, degrees):
    page = open_map(phone(size=size), helsinki)
    turn(page, degrees)
    middle = page.evaluate("""() => {
        const { projection: p } = document.querySelector('.ground-layer > canvas').ground.drawn;
        return [p.x, p.y, p.scale, p.heading];
    }""")
    assert abs((middle[3] - degrees + 180) % 360 - 180) < 1
    assert_apart(page.evaluate(NAMES), covers(page, middle), size)


def test_names_of_a_tilted_map(helsinki, phone):
    page = open_map(phone(), helsinki)
    page.click(".map-tools button:nth-child(2)")
    page.wait_for_timeout(900)
    whole(page)
    boxes = [cover for cover in covers(page, [0, 0, 0, 0]) if cover[0].startswith(".")]
    assert_apart(page.evaluate(NAMES), boxes, (390, 664))


def zigzag(number):
    return number * 2 if number >= 0 else -number * 2 - 1


def along(points):
    """The geometry of a line."""
    points = [(round(x), round(y)) for x, y in points]
    steps = [(x - a, y - b) for (a, b), (x, y) in zip([(0, 0), *points], points)]
    numbers = [[zigzag(number) for number in step] for step in steps]
    return [9, *numbers[0], (len(points) - 1) << 3 | 2, *sum(numbers[1:], [])]


def test_only_scripts_that_do_not_join_are_bent(phone):
    """Latin letters follow a circle one by one; an Arabic name stands in one piece, on the straight street and not on the circle."""
    tiles_ = 2 ** 16
    column = (on_ground.PLACE["longitude"] / 360 + 0.5) * tiles_
    row = (0.5 - math.log(math.tan(math.pi / 4 + math.radians(on_ground.PLACE["latitude"]) / 2)) / (2 * math.pi)) * tiles_
    x, y = (column % 1) * 4096, (row % 1) * 4096
    circle = lambda radius, middle: [(middle + radius * math.cos(math.pi * step / 40), y + radius * math.sin(math.pi * step / 40)) for step in range(81)]
    names = ["minor", "Lange Rundgasse", "شارع المدينة القديمة", "Λεωφόρος"]
    street = lambda points, name: feature(along(points), 2, [0, 0, 1, name])
    content = tile(street(circle(900, x - 200), 1), street(circle(620, x + 150), 2), street([(x - 1500, y + 1600), (x + 1500, y + 1500)], 2),
                   street([(x - 1300, y + 450), (x + 1100, y + 480)], 3),
                   name="transportation_name", keys=["class", "name"], values=[field(1, name) for name in names])
    with serving(on_ground.GroundBundle({f"16/{int(column)}/{int(row)}": gzip.compress(content)})) as server:
        page = open_map(phone(size=(390, 844)), server)
        shown = page.evaluate(NAMES)
    pieces = {name: [len(each["angles"]) for each in shown if each["text"] == name] for name in names[1:]}
    assert pieces[names[1]] and max(pieces[names[1]]) == len(names[1])
    assert pieces[names[2]] and set(pieces[names[2]]) == {1}
    assert pieces[names[3]] == [1]


def test_the_attribution_stands_where_a_ground_is_drawn(helsinki, phone):
    for address in (HASH, "#/quiz-and-camera/chapter/all"):
        page = open_map(phone(), helsinki, address)
        credit = page.locator(".map-credit")
        assert credit.is_visible() and credit.inner_text() == on_ground.ATTRIBUTION
        assert credit.locator("a").get_attribute("href") == "https://www.openstreetmap.org/copyright"
        credit.scroll_into_view_if_needed()
        # Nothing covers it.
        assert credit.evaluate("""node => {
            const { left, top, right, bottom } = node.getBoundingClientRect();
            return node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) && right <= innerWidth && bottom <= innerHeight;
        }""")


def test_without_a_ground_nothing_is_loaded(phone):
    bundle = on_ground.GroundBundle()
    bundle.ground = None
    with serving(bundle) as server:
        page = phone().new_page()
        page.goto(f"{server.address}{HASH}")
        page.wait_for_selector(".exploration .map")
        page.wait_for_timeout(500)
        assert not server.asked("/ground/") and page.locator(".ground-layer, .map-credit").count() == 0


@pytest.mark.parametrize("change", [{"attribution": " "}, {"attribution": None}, {"minZoom": 18}, {"maxZoom": "17"}, {"tiles": None}])
def test_a_ground_that_is_not_sound_is_none(phone, change):
    bundle = on_ground.GroundBundle()
    bundle.ground |= change
    with serving(bundle) as server:
        page = phone().new_page()
        page.goto(f"{server.address}{HASH}")
        page.wait_for_selector(".exploration .map")
        page.wait_for_timeout(500)
        assert not server.asked("/ground/") and page.locator(".ground-layer, .map-credit").count() == 0


def test_damaged_and_missing_tiles_leave_the_others(phone):
    contents = tiles()
    keys = [key for key in contents if key.startswith("16/")]
    contents[keys[0]], contents[keys[1]], contents[keys[2]] = b"nothing", b"", contents[keys[2]][:100]
    bundle = on_ground.GroundBundle(contents)
    with serving(bundle) as server:
        server.failing.add(bundle.ground["tiles"][keys[3]])
        page = open_map(phone(), server)
        assert page.evaluate(NAMES)
        page.wait_for_selector(".nearest")


def test_a_ground_without_a_network(helsinki, phone):
    """Its tiles are part of the story's download."""
    at_home = phone(service_workers="allow")
    page = at_home.new_page()
    page.goto(helsinki.address)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.evaluate(stand_in.MODULES)
    page.evaluate("() => W.loads.download('quiz-and-camera')")
    kept = page.evaluate("""async () => {
        const names = (await caches.keys()).filter(name => name.startsWith('wayreel-story/'));
        return (await (await caches.open(names[0])).keys()).map(({ url }) => new URL(url).pathname);
    }""")
    paths = helsinki.bundle.ground["tiles"].values()
    assert {f"/v1/stories/quiz-and-camera/{path}" for path in paths} <= set(kept)
    helsinki.is_down = True
    page.goto(f"{helsinki.address}{HASH}")
    page.reload()
    whole(page)
    assert page.evaluate(NAMES)


def test_the_worker_forgets_tiles(helsinki, phone):
    """Whoever walks through a whole city needs no more memory than at its gate."""
    page = phone().new_page()
    page.goto(helsinki.address)
    content = base64.b64encode(max(tiles().values(), key=len)).decode()
    dropped = page.evaluate("""async content => {
        const worker = new Worker(new URL('./ground/ground-worker.js', document.baseURI), { type: 'module' });
        worker.postMessage({ type: 'style', table: await (await fetch('./ground/style.json')).json() });
        const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
        let dropped = 0;
        for (let index = 0; index < 350; index++) {
            const buffer = bytes.slice().buffer;
            const answered = new Promise(resolve => {
                worker.onmessage = ({ data }) => {
                    if (data.type === 'dropped') dropped += data.keys.length;
                    if (data.type === 'ready') resolve();
                };
            });
            worker.postMessage({ type: 'tile', key: `a/16/${index}/0`, buffer, languages: [] }, [buffer]);
            await answered;
        }
        worker.terminate();
        return dropped;
    }""", content)
    assert dropped >= 50


def test_marks_are_above_the_ground(helsinki, phone):
    """The player's mark is in the middle of the picture, which has a margin of 48 pixels, and the map's own canvas is not seen."""
    page = open_map(phone(), helsinki)
    color = page.evaluate("""() => {
        const { canvas, drawn: { projection: p, width, height } } = document.querySelector('.ground-layer > canvas').ground;
        const copy = new OffscreenCanvas((width + 96) * 2, (height + 96) * 2).getContext('2d');
        copy.drawImage(canvas, 0, 0);
        return [...copy.getImageData(Math.round((p.x + 48) * 2), Math.round((p.y + 48) * 2), 1, 1).data];
    }""")
    assert "#{:02x}{:02x}{:02x}".format(*color) == tokens("light")["signal"]
    assert page.evaluate("getComputedStyle(document.querySelector('.exploration > .map')).opacity") == "0"


def test_colours_of_the_ground_by_day_and_by_night(helsinki, phone):
    """Pixels of the ground have the table's colours."""
    found = {}
    for scheme in ("light", "dark"):
        page = open_map(phone(color_scheme=scheme), helsinki)
        found[scheme] = page.evaluate("""() => {
            const { canvas, drawn: { width, height } } = document.querySelector('.ground-layer > canvas').ground;
            const copy = new OffscreenCanvas((width + 96) * 2, (height + 96) * 2).getContext('2d');
            copy.drawImage(canvas, 0, 0);
            const { data } = copy.getImageData(0, 0, (width + 96) * 2, (height + 96) * 2);
            const colors = new Map();
            for (let at = 0; at < data.length; at += 4) {
                const color = data[at] << 16 | data[at + 1] << 8 | data[at + 2];
                colors.set(color, (colors.get(color) ?? 0) + 1);
            }
            const all = data.length / 4;
            return [...colors].filter(([, count]) => count > all / 100).map(([color]) => `#${color.toString(16).padStart(6, '0')}`);
        }""")
    for scheme, colors in found.items():
        own = TABLE["colors"][scheme]
        assert {own["ground"], own["buildings"], own["street"]} <= set(colors), scheme


# Time


@pytest.fixture
def quiet(phone):
    """Skips a measurement where something else is at work."""
    if os.getloadavg()[0] > os.cpu_count(): pytest.skip("the machine has other work")


@pytest.mark.parametrize("tilted", [False, True])
def test_turning_leaves_the_page_time(launch, helsinki, tilted):
    """At a fourth of the processor's speed, who turns and walks sees each frame in its time: by the clock of the page's thread."""
    figures = ground_figures.turning(stand_in.shared, helsinki, 1, tilted)
    print(figures)
    assert 4 * figures["p95"] <= 16.7


def test_turning_at_a_slow_processor(quiet, launch, helsinki):
    """Chromium slows its thread by the clock on the wall, and so by more where other programs have the processor meanwhile."""
    figures = ground_figures.turning(stand_in.shared, helsinki, 4)
    print(figures)
    assert figures["p95"] <= 16.7


def test_the_first_map_is_there_soon(quiet, launch, helsinki):
    milliseconds = ground_figures.first_map(stand_in.shared, helsinki)
    print(f"{milliseconds:.0f} ms")
    assert milliseconds <= 300
