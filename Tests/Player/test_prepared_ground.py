"""A story in Krems whose base map `wayreel prepare` made of an extract, served by `wayreel serve`: the page draws it, and names its makers."""
import contextlib, json, os, pathlib, shutil, subprocess, time

import pytest

import on_ground
from conftest import RECORD_VIOLATIONS

ROOT = pathlib.Path(__file__).parents[2]
PLACE = {"latitude": 48.4119, "longitude": 15.6015, "accuracy": 6}
STORY = """
story:
  id: krems
  language: de
  name: Krems
  map: {source: krems.osm.pbf}
  chapters:
    - id: altstadt
      name: Altstadt
      location: {latitude: 48.4119, longitude: 15.6015}
      events:
        - id: market
          name: Am Hohen Markt
          position: {latitude: 48.4121, longitude: 15.6018}
          activation: {radius: 20}
          scrapbook: [{text: Der Markt}]
        - id: church
          name: Piaristenkirche
          position: {latitude: 48.4126, longitude: 15.6035}
          activation: {radius: 20}
          scrapbook: [{text: Die Kirche}]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of the service, and the folder of the bundle."""
    folder = tmp_path_factory.mktemp("krems")
    (folder / "story").mkdir()
    (folder / "story/story.yml").write_text(STORY)
    shutil.copy(ROOT / "Media/maps/krems.osm.pbf", folder / "story")
    bundle = folder / "bundles/krems"
    subprocess.run([os.environ["WAYREEL"], "prepare", folder / "story/story.yml", "-o", bundle, "--screen", "iphone-15", "--quiet"], check=True)
    log = open(folder / "address", "w+")
    process = subprocess.Popen([os.environ["WAYREEL"], "serve", "--listen", "127.0.0.1:0", "--stories", folder / "bundles", "--log", "false"], stdout=log)
    address = ""
    for _ in range(600):
        address = (folder / "address").read_text()
        if " on http" in address or process.poll() is not None: break
        time.sleep(0.1)
    yield address.split(" on ")[1].split()[0], bundle
    process.terminate()
    process.wait()


@contextlib.contextmanager
def opened(launch, address, hash):
    """A page, with what went wrong and which addresses were asked for."""
    context = on_ground.context(launch(), geolocation=PLACE, locale="de-AT")
    context.add_init_script(RECORD_VIOLATIONS)
    page, faults, asked = context.new_page(), [], []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: asked.append((answer.status, answer.url)))
    page.goto(f"{address}{hash}")
    yield page, asked
    assert faults == [] and page.evaluate("window.violations") == []
    context.close()


def test_the_page_draws_what_was_prepared(launch, server):
    address, bundle = server
    manifest = json.loads((bundle / "manifest.json").read_text())
    with opened(launch, address, "#/krems/map/altstadt") as (page, asked):
        on_ground.whole(page)
        credit = page.locator(".map-credit")
        assert credit.is_visible() and credit.inner_text() == manifest["ground"]["attribution"] == "© OpenStreetMap contributors"
        names = page.evaluate("document.querySelector('.ground-layer > canvas').ground.names.map(({ text }) => text)")
        assert {"Hoher Markt", "Untere Landstraße"} & set(names), names
        tiles = {url.split("/bundle/")[-1] for status, url in asked if url.endswith(".mvt") and status == 200}
        assert tiles and all(any(path.endswith(tile.rsplit("/", 1)[-1]) for path in manifest["ground"]["tiles"].values()) for tile in tiles)
        assert all(status < 400 and url.startswith((address.rstrip("/"), "blob:", "data:")) for status, url in asked), asked
        page.screenshot(path=str(pathlib.Path(os.environ.get("WAYREEL_SCREENSHOTS", ".build/player-screenshots")) / "prepared-ground.png"))


def test_the_credits_name_openstreetmap(launch, server):
    address, _ = server
    with opened(launch, address, "#/krems/credits") as (page, _):
        page.wait_for_selector(".attributions")
        text = page.inner_text(".attributions")
        assert "OpenStreetMap contributors" in text and "ODbL 1.0" in text and "openstreetmap.org" in text, text
        assert "osm.pbf" not in text
