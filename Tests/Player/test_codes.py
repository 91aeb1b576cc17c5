"""Codes of events: what a text means, hashes as hashlib makes them, the view that takes them, and the print kit as another library reads it."""
import contextlib, hashlib, json, os, pathlib, shutil, subprocess

import pytest, zxingcpp

from stand_in import Bundle, chromium, evaluated, serving

HASHING = {"function": "PBKDF2-HMAC-SHA256", "iterations": 1000, "salt": "00112233445566778899aabbccddeeff"}


def hashed(code, hashing=HASHING):
    return hashlib.pbkdf2_hmac("sha256", code.encode(), bytes.fromhex(hashing["salt"]), hashing["iterations"]).hex()


# Codes

def test_hashes_are_those_of_another_implementation():
    hashings = [HASHING, HASHING | {"iterations": 210_000}, HASHING | {"salt": "ff"}]
    script = """async hashings => {
        const { hashOf } = await import('./codes/event-code.js');
        return Promise.all(hashings.map(hashing => hashOf('7KQ2', hashing)));
    }"""
    assert evaluated(script, hashings) == [hashed("7KQ2", hashing) for hashing in hashings]


def test_what_a_text_means():
    texts = {"7kq2": "7KQ2", " 7K-q2 ": "7KQ2", "suzb": "5V28", "7KQ": "7KQ", "7KQ22": "7KQ22", "0OIL": "0OIL", "7KQé": "7KQé", "": "", "7 " * 8 + "K": "7 " * 8 + "K", "7K" + " " * 13 + "Q2": "7K" + " " * 13 + "Q2"}
    script = "async texts => { const { meantBy } = await import('./codes/event-code.js'); return texts.map(meantBy); }"
    assert evaluated(script, list(texts)) == list(texts.values())


def test_what_a_link_leads_to():
    texts = ["https://a.example/b/#/mill/code/7KQ2", "https://a.example/?x#/g%C3%B6/code/7kq2", "https://a.example/#/mill", "https://a.example/#/mill/code/a/b",
             "https://a.example/#/%E0%A4%A/code/7KQ2", "mailto:a@b#/mill/code/7KQ2", "7KQ2", ""]
    script = "async texts => { const { codeLink } = await import('./codes/event-code.js'); return texts.map(text => codeLink(text) ?? null); }"
    assert evaluated(script, texts) == [
        {"page": "https://a.example/b/", "story": "mill", "code": "7KQ2"}, {"page": "https://a.example/?x", "story": "gö", "code": "7kq2"}, *[None] * 6]


# The view

def coded():
    """A story of three events: the door is found by its code, the vault by another after the door, and the yard by walking."""
    bundle = Bundle()
    bundle.story |= {"id": "mill", "codeHashing": HASHING}
    def event(name, activation, **more):
        place = {"latitude": 1, "longitude": 2}
        return {"id": name, "name": name.title(), "position": place, "activation": {"radius": 20, **activation}, **more,
                "content": {"type": "scrapbook", "items": [{"type": "text", "text": f"Words of the {name}."}]}}
    events = [event("door", {"trigger": "code", "codeHash": hashed("7KQ2")}),
              event("vault", {"trigger": "code", "codeHash": hashed("M3PX")}, condition={"type": "found", "event": "door"}),
              event("yard", {"trigger": "enter"})]
    bundle.story["chapters"] = [{"id": "house", "name": "The house", "order": "free", "presentation": "steps", "lockboxes": [], "events": events}]
    return bundle


#: A detector that reads what `window.seen` says, since Chromium has none on Linux, and a camera for it.
DETECTOR = """window.BarcodeDetector = class {
    static async getSupportedFormats() { return ['qr_code']; }
    async detect() { return window.seen ? [{ rawValue: window.seen }] : []; }
};
navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
    setInterval(() => context.fillRect(0, 0, Math.random() * 9, 9), 50);
    return canvas.captureStream(20);
};"""


@contextlib.contextmanager
def at(address, prepare="", **options):
    """A page at a part of the player's address."""
    with serving() as server, chromium() as browser:
        server.bundle, server.has_player = coded(), True
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US", service_workers="block", **options)
        try:
            context.add_init_script(prepare)
            page = context.new_page()
            faults = []
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(f"{server.address}{address}")
            page.wait_for_selector("h1")
            page.address = server.address
            yield page
            assert faults == []
        finally:
            context.close()


def enter(page, code):
    page.fill("#code", code)
    page.click(".event-code button.primary")


def status(page, text):
    page.wait_for_selector(f"#code-status:has-text('{text}')")


def test_a_link_finds_its_event():
    with at("#/mill/code/7kq2") as page:
        page.wait_for_function("() => location.hash === '#/mill/event/door'")
        page.wait_for_selector("h1:has-text('Door')")
        assert "Words of the door." in page.inner_text(".page")
        # It stays found, and opens again.
        page.goto("about:blank")
        page.goto(f"{page.address}#/mill/code/7KQ2")
        page.wait_for_function("() => location.hash === '#/mill/event/door'")


def test_typed_codes():
    with at("#/mill") as page:
        page.click("text=Enter a code")
        page.wait_for_selector("#code")
        enter(page, "7KQ")
        status(page, "A code has four characters")
        enter(page, "m3 px")
        status(page, "it is too early. Find something else first")
        enter(page, "7kq2")
        page.wait_for_function("() => location.hash === '#/mill/event/door'")
        page.goto(f"{page.address}#/mill/code")
        page.wait_for_selector("#code")
        enter(page, "M3PX")
        page.wait_for_function("() => location.hash === '#/mill/event/vault'")


def test_wrong_codes_are_slowed_down():
    with at("#/mill/code") as page:
        page.wait_for_selector("#code")
        for _ in range(2):
            page.fill("#code", "")
            enter(page, "2222")
            status(page, "Nothing in this story has this code.")
            assert not page.is_disabled(".event-code button.primary")
        enter(page, "3333")
        status(page, "Wait 5 seconds.")
        assert page.is_disabled(".event-code button.primary")
        # Neither another way in nor a reload helps; then it goes on.
        page.goto("about:blank")
        page.goto(f"{page.address}#/mill/code/7KQ2")
        status(page, "Wait")
        assert page.evaluate("location.hash") == "#/mill/code/7KQ2"
        page.wait_for_selector(".event-code button.primary:enabled", timeout=10_000)
        page.click(".event-code button.primary")
        page.wait_for_function("() => location.hash === '#/mill/event/door'")
        assert page.evaluate("localStorage.getItem('wayreel-codes-mill')") is None


@pytest.mark.parametrize("seen, told", [
    ("https://elsewhere.example/#/mill/code/7KQ2", "That is a code of elsewhere.example"), ("WIFI:S:x;;", "That is not the code of a story."),
    ("#/other/code/7KQ2", "That is a code of another story. Open that story"), ("#/mill/code/2222", "Nothing in this story has this code.")])
def test_scanned_codes_of_others(seen, told):
    with at("#/mill/code", DETECTOR) as page:
        page.click("text=Scan the code")
        page.wait_for_selector(".event-code video:visible")
        page.evaluate("seen => { window.seen = seen }", seen if ":" in seen else page.address + seen)
        status(page, told)
        page.wait_for_selector(".event-code video", state="hidden")


def test_a_scanned_code():
    with at("#/mill/code", DETECTOR) as page:
        page.evaluate("address => { window.seen = `${address}#/mill/code/7KQ2` }", page.address)
        page.click("text=Scan the code")
        page.wait_for_function("() => location.hash === '#/mill/event/door'")


def test_no_scan_without_a_detector():
    with at("#/mill/code", "delete window.BarcodeDetector") as page:
        page.wait_for_selector("#code")
        assert page.query_selector("text=Scan the code") is None


def test_where_to_enter_a_code():
    """What waits for its code says so on its page, with a link."""
    with at("#/mill/event/door") as page:
        page.click("text=Find its code there, and enter it")
        page.wait_for_selector("#code")
        assert page.evaluate("location.hash") == "#/mill/code"


# The print kit

KIT = """story:
  id: mill
  language: en
  name: The Mill
  chapters:
    - id: house
      name: The house
      events:
"""


def story(folder, codes):
    """A story whose events have these codes."""
    path = pathlib.Path(folder, "story.yml")
    path.write_text(KIT + "".join(f"""        - id: e{number}
          name: Event {number}
          description: Where the {number}th stone lies, and a long text about it that has to be broken into lines.
          position: {{latitude: 48.4, longitude: 15.6}}
          activation: {{radius: 10, trigger: code, code: "{code}"}}
          scrapbook:
            - text: Words
""" for number, code in enumerate(codes, start=1)))
    return path


def run(*words, fails=False):
    program = os.environ.get("WAYREEL") or pytest.skip("there is no program")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stderr if fails else done.stdout


def texts(path):
    """What zxing-cpp reads in a grey image of PGM."""
    data = path.read_bytes()
    _, width, height, _ = data.split(maxsplit=4)[:4]
    width, height = int(width), int(height)
    return [code.text for code in zxingcpp.read_barcodes(memoryview(data[-width * height:]).cast("B", shape=[height, width]), zxingcpp.BarcodeFormat.QRCode)]


@pytest.mark.parametrize("layout, count", [("page", 5), ("sheet", 1)])
def test_printed_codes_are_read(tmp_path, layout, count):
    if not shutil.which("pdftoppm"): pytest.skip("there is no pdftoppm")
    codes = ["7KQ2", "M3PX", "2345", "WXY9", "ACDE"]
    run("codes", story(tmp_path, codes), "--address", "https://tours.example.org/krems/", "--layout", layout, "-o", tmp_path / "codes.pdf")
    subprocess.run(["pdftoppm", "-gray", "-r", "150", tmp_path / "codes.pdf", tmp_path / "page"], check=True)
    pages = sorted(tmp_path.glob("page*.pgm"))
    assert len(pages) == count
    assert sorted(text for page in pages for text in texts(page)) == sorted(f"https://tours.example.org/krems/#/mill/code/{code}" for code in codes)


def test_bundles_have_hashes_alone(tmp_path):
    codes = ["7KQ2", "M3PX"]
    run("prepare", story(tmp_path, codes), "-o", tmp_path / "bundle", "--screen", "iphone-15", "--quiet")
    run("player", tmp_path / "bundle", "-o", tmp_path / "site")
    told = json.loads((tmp_path / "site/v1/stories/mill.json").read_text())
    hashing = told["codeHashing"]
    activations = [event["activation"] for event in told["chapters"][0]["events"]]
    assert [activation.get("codeHash") for activation in activations] == [hashed(code, hashing) for code in codes]
    assert hashing["iterations"] >= 210_000 and len(hashing["salt"]) == 32
    files = [path for path in (tmp_path / "bundle").rglob("*") if path.is_file()] + [path for path in (tmp_path / "site/v1").rglob("*") if path.is_file()]
    assert files and not any(code.encode() in path.read_bytes() for path in files for code in codes)
