"""A story in Helsinki's centre with a base map, served by the stand-in, and what the base map costs.

The tiles in `ground/` are vector tiles of OpenStreetMap's data by tilemaker, packed in gzip as bundles have them: ground/SOURCES.md.
"""
import contextlib, json

import stand_in

TILES = stand_in.ROOT / "Tests/Player/ground"
PLACE = {"latitude": 60.1688, "longitude": 24.9415, "accuracy": 6}
ATTRIBUTION = "© OpenStreetMap contributors"
HASH = "#/quiz-and-camera/map/all"
#: Metres east and north of PLACE of the story's events, of which the first one is found.
EVENTS = {"quiz": (-45, 70), "camera": (60, 35), "plain": (-70, -50), "distant": (420, 300)}


def tiles():
    """The bytes of each tile by `z/x/y`."""
    return {str(path.relative_to(TILES).with_suffix("")): path.read_bytes() for path in sorted(TILES.glob("*/*/*.mvt"))}


def position(east, north):
    return {"latitude": PLACE["latitude"] + north / 111_195, "longitude": PLACE["longitude"] + east / (111_195 * 0.4975)}


class GroundBundle(stand_in.Bundle):
    """The stand-in's story, moved to Helsinki, with a ground; of `chosen` tiles only, if those are given."""

    def __init__(self, chosen=None, **options):
        super().__init__(**options)
        for event in self.story["chapters"][0]["events"]: event["position"] = position(*EVENTS[event["id"]])
        chosen = tiles() if chosen is None else chosen
        paths = {key: self.add(f"ground/{key}", "tile", stand_in.TILE, content) for key, content in chosen.items()}
        zooms = [int(key.split("/")[0]) for key in chosen]
        self.ground = {"minZoom": min(zooms), "maxZoom": max(zooms), "bounds": [24.935, 60.164, 24.953, 60.179], "attribution": ATTRIBUTION, "tiles": paths}


@contextlib.contextmanager
def serving(bundle=None):
    with stand_in.serving() as server:
        server.bundle, server.has_player = bundle or GroundBundle(), True
        yield server


def context(browser, size=(390, 664), **options):
    permissions = ["geolocation", "accelerometer", "gyroscope", "magnetometer"]
    return browser.new_context(**{
        "viewport": dict(zip(("width", "height"), size)), "locale": "en-US", "device_scale_factor": 2, "has_touch": True, "service_workers": "block",
        "geolocation": PLACE, "permissions": permissions, **options})


#: Resolves when the base map shows all that its view asks for.
WHOLE = "() => { const { ground } = document.querySelector('.ground-layer > canvas') ?? {}; return ground?.isShown && ground.isWhole; }"


def open_map(context, server, hash=HASH):
    """Opens the map of the chapter, and waits until its base map is there."""
    page = context.new_page()
    page.goto(f"{server.address}{hash}")
    whole(page)
    return page


def whole(page):
    page.wait_for_function(WHOLE)
    page.wait_for_timeout(250)
    page.wait_for_function(WHOLE)


def turn(page, degrees):
    """Turns the device, and waits until the map has turned."""
    page.evaluate("""degrees => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
        { alpha: 360 - degrees, beta: 0, gamma: 0, absolute: true }))""", degrees)
    page.wait_for_timeout(900)
    whole(page)
