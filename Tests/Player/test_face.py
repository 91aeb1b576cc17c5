"""The house's own face: colours, font, logo, title, icons, the manifest of the page as Chromium reads it, pages of links, and the offer to install."""
import json, os, shutil, subprocess, urllib.error, urllib.request
import pytest
from playwright.sync_api import expect
from conftest import PATIENCE, PHONE, RECORD_VIOLATIONS
from playing import COUNT_FIXES, stand
from stand_in import ROOT
from test_views import look

PLACE = (48.1371, 11.5753)
FONT = "/usr/share/fonts/truetype/noto/NotoSerif-Regular.ttf"
NAME = 'House of "Letters" & <b>Posts</b>'
STORY = """
story:
  version: 1
  id: %s
  language: en
  name: The Late Post
  description: A walk through the quarter.
  cover: {source: arezzo.jpg, alt: A farmhouse}
  face:
    name: '%s'
    color: "%s"
    accent: "%s"
    font: house.ttf
    fontLicense: OFL-1.1
    logo: {source: badge.png, alt: A bell}
  chapters:
    - id: one
      name: The quarter
      events:
        - id: gate
          name: The secret gate
          position: {latitude: 48.1371, longitude: 11.5753}
          activation: {radius: 30}
          scrapbook: [{text: A gate of stone.}]
        - id: well
          name: The well
          position: {latitude: 48.1381, longitude: 11.5753}
          activation: {radius: 30}
          scrapbook: [{text: A well.}]
"""


def prepared(folder, bundles, id="letters", name=NAME, color="#7a1020", accent="#ffd21f"):
    """Prepares a story with a face into a folder of bundles."""
    source = folder / id
    source.mkdir()
    shutil.copy(ROOT / "Media/story/images/arezzo.jpg", source)
    shutil.copy(ROOT / "Media/overlays/badge.png", source)
    shutil.copy(FONT, source / "house.ttf")
    (source / "story.yaml").write_text(STORY % (id, name.replace("'", "''"), color, accent))
    subprocess.run([os.environ["WAYREEL"], "prepare", source / "story.yaml", "-o", bundles / id, "--screen", "iphone-15", "--quiet"], check=True)


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """Serves folders of bundles; returns the address."""
    running = []

    def started(bundles, *options):
        process = subprocess.Popen([os.environ["WAYREEL"], "serve", "--listen", "127.0.0.1:0", "--log", "false", "--stories", bundles, *options],
                                   stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().split()[-1]

    yield started
    for process in running:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def house(tmp_path_factory, serve):
    """The address of a service with one story that has a face."""
    folder = tmp_path_factory.mktemp("house")
    bundles = folder / "bundles"
    bundles.mkdir()
    prepared(folder, bundles)
    return serve(bundles)


@pytest.fixture
def visit(launch):
    """Opens the page of a house: `visit(address, color_scheme="dark")`. A violation of its policy fails the test."""
    contexts, faults = [], []

    def opened(address, *, position=PLACE, prepare=None, whole=False, **options):
        given = {"geolocation": {"latitude": position[0], "longitude": position[1], "accuracy": 5}, "permissions": ["geolocation"]}
        context = launch(whole=whole).new_context(locale="en-US", service_workers="block", **{"viewport": PHONE, **given, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        for script in (COUNT_FIXES, RECORD_VIOLATIONS, prepare):
            if script:
                context.add_init_script(script)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        page.wait_for_selector("h1")
        return page

    yield opened
    for context in contexts:
        faults += [violation for page in context.pages for violation in page.evaluate("window.violations ?? []")]
        context.close()
    assert faults == []


def fetch(address, **headers):
    """The status, the headers and the text of an answer."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def color(page, selector, property="background-color"):
    return page.eval_on_selector(selector, "(node, property) => getComputedStyle(node)[property]", property)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_look(visit, house, scheme):
    page = visit(house, color_scheme=scheme)
    assert page.title() == NAME and page.inner_text("h1") == NAME
    assert color(page, ".masthead") == color(page, "a.primary") == "rgb(122, 16, 32)"
    assert color(page, "a.primary", "color") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--signal')") == {"light": "#a78700", "dark": "#ffd21f"}[scheme]
    page.wait_for_function("() => [...document.fonts].some(({ family, status }) => family === 'House' && status === 'loaded')")
    page.wait_for_function("() => document.querySelector('.logo').naturalWidth > 0")
    assert page.eval_on_selector(f'meta[name="theme-color"][media*="{scheme}"]', "node => node.content") == "#7a1020"
    issues = look(page, f"face-{scheme}-1-stories")
    page.click("a.primary")
    page.wait_for_selector(".top-bar h1")
    assert page.title() == f"The Late Post · {NAME}"
    issues += look(page, f"face-{scheme}-2-chapters")
    page.goto(f"{house}#/letters/map/one")
    page.wait_for_selector("canvas.map")
    issues += look(page, f"face-{scheme}-3-map")
    assert issues == []


def test_a_light_head(visit, tmp_path, serve):
    """Text on a light colour is black, by day and by night; a button of the page's own colour has an edge."""
    (tmp_path / "bundles").mkdir()
    prepared(tmp_path, tmp_path / "bundles", color="#ffffff", accent="#0b5cb0")
    address = serve(tmp_path / "bundles")
    for scheme in ("light", "dark"):
        page = visit(address, color_scheme=scheme)
        assert color(page, ".masthead", "color") == color(page, "a.primary", "color") == "rgb(0, 0, 0)"
        assert look(page, f"face-white-{scheme}") == []
    page = visit(address, color_scheme="light")
    assert color(page, "a.primary", "border-top-color") != "rgb(255, 255, 255)"


def test_icons_and_the_manifest(visit, house):
    """Chromium reads the manifest without any fault, and all images are there in the sizes that it says."""
    page = visit(house, whole=True)
    client = page.context.new_cdp_session(page)
    manifest = client.send("Page.getAppManifest")
    assert manifest["errors"] == [] and manifest["url"].endswith("/player.webmanifest")
    said = json.loads(manifest["data"])
    assert said["name"] == NAME and said["display"] == "standalone" and len(said["short_name"]) <= 12
    assert {(icon["sizes"], icon["purpose"]) for icon in said["icons"]} >= {
        ("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable")}
    sizes = page.evaluate("""async icons => {
        const load = async src => { const image = new Image(); image.src = src; await image.decode(); return `${image.naturalWidth}x${image.naturalHeight}`; };
        return Promise.all(icons.map(({ src }) => load(src)));
    }""", said["icons"])
    assert sizes == [icon["sizes"] for icon in said["icons"]]
    links = page.eval_on_selector_all('link[rel~="icon"], link[rel="apple-touch-icon"]', "nodes => nodes.map(node => node.href)")
    assert len(links) == 3
    for link in links:
        status, headers, _ = fetch(link)
        assert status == 200 and headers["Content-Type"] == "image/png" and headers["X-Content-Type-Options"] == "nosniff"
    # All that stands against it is that a test's context keeps nothing.
    faults = client.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults] == ["in-incognito"]


def test_the_font_is_delivered_as_one(house):
    _, _, body = fetch(f"{house}player.json")
    status, headers, font = fetch(house + json.loads(body)["face"]["font"])
    assert status == 200 and headers["Content-Type"] == "font/woff2" and headers["X-Content-Type-Options"] == "nosniff"
    assert font.startswith(b"wOF2") and len(font) < 30_000
    _, headers, _ = fetch(house)
    assert "font-src 'self'" in headers["Content-Security-Policy"]


def test_a_story_takes_its_face_with_it(visit, tmp_path, serve):
    """Of two houses, the list has Wayreel's face, and each story its own."""
    bundles = tmp_path / "bundles"
    bundles.mkdir()
    prepared(tmp_path, bundles, "red", "Red House", "#7a1020")
    prepared(tmp_path, bundles, "blue", "Blue House", "#0b5cb0")
    address = serve(bundles)
    page = visit(address)
    assert page.title() == "Wayreel" and page.query_selector(".logo") is None
    for id, name, ground in (("red", "Red House", "rgb(122, 16, 32)"), ("blue", "Blue House", "rgb(11, 92, 176)")):
        page.goto(f"{address}#/{id}")
        page.wait_for_function("name => document.title === `The Late Post · ${name}`", arg=name)
        assert color(page, ".top-bar") == ground
    page.goto(f"{address}#/")
    page.wait_for_function("() => document.title === 'Wayreel'")
    assert page.evaluate("[...document.fonts].length") == 0
    assert color(page, ".masthead") == "rgba(0, 0, 0, 0)"


def test_pages_of_links(visit, house):
    """What others show of a link says what the story is, and not what is found; people come to the story."""
    status, headers, body = fetch(f"{house}s/letters")
    text = body.decode()
    assert status == 200 and headers["Content-Security-Policy"].startswith("default-src 'none'") and headers["Content-Language"] == "en"
    assert '<meta property="og:title" content="The Late Post">' in text and "<script" not in text and "<b>" not in text
    # Without a public address there is none for an image.
    assert "og:image" not in text and "og:url" not in text
    status, _, body = fetch(f"{house}s/letters/gate")
    assert status == 200 and "A find in The Late Post" in body.decode() and "secret" not in body.decode()
    assert fetch(f"{house}s/letters/nothing")[0] == 404 and fetch(f"{house}s/nobody")[0] == 404
    page = visit(f"{house}s/letters")
    page.wait_for_url("**/#/letters")
    page.wait_for_selector(".top-bar h1")
    page.goto(f"{house}s/letters/well")
    page.wait_for_url("**/#/letters/event/well")


#: Sends the event of a browser that can install the page, and remembers what it was asked for.
OFFER = """
    window.prompted = 0;
    window.offer = outcome => dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => { prompted++; }, userChoice: Promise.resolve({ outcome }),
    }));
"""


def test_the_offer_to_install(visit, house):
    """It comes after the first find, never before, and not again for 30 days after a no."""
    page = visit(f"{house}#/letters/map/one", position=(48.2, 11.6), prepare=OFFER)
    page.evaluate("offer('dismissed')")
    page.wait_for_timeout(500)
    expect(page.locator('[data-key="install"]')).to_have_count(0)
    stand(page, PLACE)
    page.wait_for_selector('[data-key="install"]')
    assert NAME in page.inner_text('[data-key="install"]')
    page.click('[data-key="install"] .small')
    page.wait_for_function("() => prompted === 1 && localStorage.getItem('wayreel-install')")
    page.reload()
    page.wait_for_selector("h1")
    page.evaluate("offer('accepted')")
    stand(page, (48.1381, 11.5753))
    page.wait_for_selector('.notice[data-key="found-well"]')
    page.wait_for_timeout(500)
    expect(page.locator('[data-key="install"]')).to_have_count(0)
    # A month later.
    page.evaluate("localStorage.setItem('wayreel-install', Date.now() - 31 * 86_400_000)")
    page.goto(house)
    page.reload()
    page.wait_for_selector(".download button")
    page.evaluate("offer('accepted')")
    page.click(".download button")
    page.wait_for_selector('[data-key="install"]')
    page.click('[data-key="install"] .plain')
    assert page.evaluate("Date.now() - localStorage.getItem('wayreel-install') < 60_000")


def test_the_hint_on_a_phone_of_apple(visit, house):
    """Its browsers install pages by their own menus: this is said once."""
    agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
    page = visit(f"{house}#/letters/map/one", position=(48.2, 11.6), user_agent=agent)
    stand(page, PLACE)
    page.click('.notice[data-key="found-gate"] .plain')
    page.wait_for_selector('.notice[data-key="install"]')
    assert "Add to Home Screen" in page.inner_text('.notice[data-key="install"]')
    page.reload()
    page.wait_for_selector("h1")
    stand(page, (48.1381, 11.5753))
    page.click('.notice[data-key="found-well"] .plain')
    page.wait_for_timeout(500)
    expect(page.locator('[data-key="install"]')).to_have_count(0)
