"""What players share: the link of a story and of a find, its code, and the card of a journey."""
import re, base64, random, struct
import pytest, segno, zxingcpp
from conftest import SCREENSHOTS
from playing import EVENTS, go, journal, remember
from stand_in import ROOT, evaluated
from test_ending import complete
from test_views import look

# Codes

CODES = """async texts => {
    const { qrCode } = await import('./sharing/qr-code.js');
    return texts.map(text => qrCode(text)?.map(row => row.map(Number).join('')));
}"""


def decoded(rows, side=6):
    """The text of a code by zxing-cpp, from an image with four light modules around it."""
    width = (len(rows) + 8) * side
    blank = [b"\xff" * width] * (4 * side)
    lines = [b"".join(b"\0" * side if module == "1" else b"\xff" * side for module in f"0000{row}0000") for row in rows]
    pixels = b"".join([*blank, *(line for line in lines for _ in range(side)), *blank])
    return read(pixels, width, width)


def read(pixels, width, height):
    return [(code.text, code.ec_level) for code in zxingcpp.read_barcodes(memoryview(pixels).cast("B", shape=[height, width]), zxingcpp.BarcodeFormat.QRCode)]


def letters(count):
    return "".join(random.Random(count).choice("abcdefghijklmnopqrstuvwxyz0123456789/:.-%") for _ in range(count))


#: The most bytes of each version with error correction M (ISO/IEC 18004, table 7).
ROOM = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]


def test_full_codes_are_those_of_another_encoder():
    """Module by module, in all versions. Without padding there is only one code for each mask."""
    texts = [letters(count) for count in ROOM]
    for version, (text, rows) in enumerate(zip(texts, evaluated(CODES, texts)), start=1):
        codes = [segno.make(text.encode(), version=version, error="m", mode="byte", mask=mask, boost_error=False) for mask in range(8)]
        assert rows in [["".join(map(str, row)) for row in code.matrix] for code in codes], version


def test_codes_are_read():
    texts = [letters(count) for count in [1, 2, 13, *ROOM, *(count + 1 for count in ROOM[:-1])]]
    texts += ["https://example.org/s/late-post", "https://example.org/s/größe/ü", "https://مثال.example/s/a"]
    for text, rows in zip(texts, evaluated(CODES, texts)):
        assert decoded(rows) == [(text, "M")], text
    assert evaluated(CODES, [letters(214), "é" * 107]) == [None, None]


def test_a_damaged_code_is_read():
    """A logo's worth of modules is turned over in the middle of the data."""
    text = "https://stories.example.org/s/late-post/bell-tower"
    [rows] = evaluated(CODES, [text])
    middle = range(len(rows) // 2 - 3, len(rows) // 2 + 3)
    damaged = ["".join(str(1 - int(module)) if y in middle and x in middle else module for x, module in enumerate(row)) for y, row in enumerate(rows)]
    assert damaged != rows and decoded(damaged) == [(text, "M")]


# Links

#: A device with a dialog for sharing, which fails as `window.fault` says.
SHARES = """
    Object.assign(window, { shared: [], fault: undefined });
    const share = async data => {
        shared.push({ ...data, ...data.files && { files: data.files.map(({ name, type }) => [name, type]) } });
        if (window.fault) throw new DOMException('It is not shared.', window.fault);
    };
    Object.defineProperties(navigator, { share: { value: share }, canShare: { value: () => true } });
"""
WITHOUT = "delete Navigator.prototype.share; delete Navigator.prototype.canShare;"

#: The pixels of a picture, in levels of grey, and its size; `picture` is base64 or a selector of a canvas.
GREY = """async picture => {
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d', { willReadFrequently: true });
    const bytes = picture.length < 100 ? undefined : Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
    const source = bytes ? await createImageBitmap(new Blob([bytes])) : document.querySelector(picture);
    [canvas.width, canvas.height] = [source.width, source.height];
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(Math.round((data[at] + data[at + 1] + data[at + 2]) / 3));
    return [btoa(text), canvas.width, canvas.height];
}"""


def codes(page, picture):
    """The texts of the codes in a screenshot, or in a canvas."""
    text, width, height = page.evaluate(GREY, picture if isinstance(picture, str) else base64.b64encode(picture).decode())
    return [text for text, _ in read(base64.b64decode(text), width, height)]


def opened(open_player, hash, contents=None, init=SHARES, change=None, **options):
    def prepare(page):
        page.add_init_script(init)
        if change:
            page.route(re.compile(r"/v1/stories/late-post(/story[.][^/]*[.]json)?$"), lambda route: route.fulfill(json=change(route.fetch().json())))
    page = open_player("#/late-post", prepare=prepare, reduced_motion="reduce", **options)
    remember(page, contents or journal(EVENTS[:3]))
    go(page, hash)
    return page


def press(page):
    page.click('#view button[aria-label^="Share"]')
    page.wait_for_selector("dialog[open] .address")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_link_of_a_story(open_player, scheme):
    page = opened(open_player, "#/late-post", color_scheme=scheme)
    press(page)
    address = page.url.split("#")[0] + "s/late-post"
    assert page.inner_text(".sharing .address") == address
    assert codes(page, page.screenshot()) == [address]
    page.click(".sharing .primary")
    assert page.evaluate("shared") == [{"title": "The Late Post", "url": address}]
    # Who closes the device's dialog has shared nothing, and nothing is said.
    page.evaluate("window.fault = 'AbortError'")
    page.click(".sharing .primary")
    assert page.inner_text(".sharing [role=status]") == ""
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Share the story"
    press(page)
    go(page, "#/late-post/journal")
    assert page.locator("dialog").count() == 0


def test_the_link_of_a_find_names_nothing(open_player):
    """Neither to who gets it nor on the screen, which others may see."""
    page = opened(open_player, "#/late-post/event/breakfast-tape")
    press(page)
    address = page.url.split("#")[0] + "s/late-post/breakfast-tape"
    page.click(".sharing .primary")
    assert page.evaluate("shared") == [{"title": "The Late Post", "text": "I found something in “The Late Post”. Can you find it too?", "url": address}]
    assert "Thirty seconds" not in page.inner_text("dialog") and codes(page, page.screenshot()) == [address]
    go(page, "#/late-post/event/bell-tower")
    assert page.inner_text("h1") == "Not found yet" and page.locator('#view button[aria-label^="Share"]').count() == 0


def test_a_device_that_does_not_share(open_player):
    """The link is copied; where the browser refuses that too, it is selected."""
    page = opened(open_player, "#/late-post", init=WITHOUT)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page)
    assert page.locator(".sharing .choices button").count() == 1
    page.click(".sharing .primary")
    page.wait_for_function("() => document.querySelector('.sharing [role=status]').textContent === 'The link is copied.'")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == page.inner_text(".sharing .address")
    page.evaluate("void (Clipboard.prototype.writeText = async () => { throw new DOMException('', 'NotAllowedError') })")
    page.click(".sharing .primary")
    page.wait_for_function("() => document.querySelector('.sharing [role=status]').textContent.includes('yourself')")
    assert page.evaluate("getSelection().toString()") == address


def test_sharing_that_fails_copies(open_player):
    page = opened(open_player, "#/late-post")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page)
    page.evaluate("window.fault = 'NotAllowedError'")
    page.click(".sharing .primary")
    page.wait_for_function("() => document.querySelector('.sharing [role=status]').textContent === 'The link is copied.'")


def test_addresses():
    """Below the page's own folder. A static site has a folder for each."""
    script = """async () => {
        const { addressOf } = await import('./sharing/share-link.js');
        const of = (base, hasService, id, event) => addressOf({ id, app: { library: { base: new URL(base), hasService } } }, event && { id: event });
        return [of('https://a.example/', true, 'tale'), of('https://a.example/', true, 'tale', 'bell'), of('https://a.example/site/', false, 'tale'),
            of('https://a.example/site/', false, 'tale', 'bell'), of('https://a.example/', true, 'a b')];
    }"""
    assert evaluated(script) == ["https://a.example/s/tale", "https://a.example/s/tale/bell", "https://a.example/site/s/tale/",
                                 "https://a.example/site/s/tale/bell/", "https://a.example/s/a%20b"]


# Cards

LAMPS = ROOT / "Media/story/images/lamps.jpg"
#: It says where it was taken.
TOWN = ROOT / "Media/captures/town-coolpix-gps.jpg"

#: Keeps a photo of an event on the device, as the camera's view does.
KEEP = """async ([event, picture, type, timestamp]) => {
    const { $load } = await import('./player.js');
    const [{ JournalStore }, { CaptureQueue }] = await Promise.all(['journal/journal-store.js', 'journal/capture-queue.js'].map(path => $load(path)));
    const store = await JournalStore.open();
    const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
    const queue = new CaptureQueue({ store, library: { keepsPlayers: false }, clock: { text: () => timestamp } });
    const id = await queue.add('late-post', event, new Blob([bytes], { type }));
    await store.record('late-post', [{ outcome: 'capture-kept', event, id, timestamp }]);
    store.close();
    return id;
}"""


def keep(page, path, time, kind="image/jpeg", event="library-door"):
    content = path if isinstance(path, bytes) else path.read_bytes()
    return page.evaluate(KEEP, [event, base64.b64encode(content).decode(), kind, f"2026-11-23T{time}:00Z"])


def at_the_end(open_player, photos=(), contents=None, **options):
    """Opens the card at the end of the story; returns the page and the ids of the photos."""
    page = opened(open_player, "#/late-post", contents or complete(), **options)
    ids = [keep(page, *photo) for photo in photos]
    page.reload()
    page.wait_for_selector("h1")
    go(page, "#/late-post/ending")
    page.locator(".ending .choices button").click()
    page.wait_for_selector('.sharing a[href^="blob:"]', state="attached")
    return page, ids


def shows(page, id):
    """Waits until the card has a photo, and its file is made."""
    page.wait_for_function("id => document.querySelector('.card-picture')?.dataset.photo === id", arg=id)
    page.wait_for_timeout(500)


#: The pixels of the card at some places, and the number of its colours.
PIXELS = """places => {
    const canvas = document.querySelector('.card-picture'), context = canvas.getContext('2d');
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set(new Uint32Array(data.buffer));
    return [canvas.width, canvas.height, colors.size, ...places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3))];
}"""

#: The texts that are written on canvases, in a script that runs before the page.
WRITTEN = """
    window.written = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        written.push({ text, x, y, width: this.measureText(text).width, align: this.textAlign, direction: this.direction });
        return fillText.call(this, text, x, y);
    };
"""


def chunks(png):
    """The names of a PNG's chunks."""
    names, at = [], 8
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        names.append(name.decode())
        at += 12 + length
    return names


def saved(page, tmp_path):
    with page.expect_download() as download:
        page.click(".sharing a[download]")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_card_is_shared_only_by_the_player(open_player, tmp_path):
    """Nothing leaves the device before a button is pressed, and then only the picture, without metadata and position."""
    sent = []
    page, [old, last] = at_the_end(open_player, [(LAMPS, "17:10"), (TOWN, "17:50")], init=SHARES + WRITTEN)
    page.on("request", lambda request: sent.append(request.url) if not request.url.startswith("blob:") else None)
    shows(page, last)
    assert page.evaluate("shared") == [] and sent == []
    texts = {entry["text"] for entry in page.evaluate("written")}
    assert {"The Late Post", "10 of 10", "4 of 6", "2 hr 5 min", "Found", "Points", "Time", "Distance"} <= texts
    assert not any("35.2" in text or "120.6" in text for text in texts)
    alt = "A journey through “The Late Post”. Found: 10 of 10 · Points: 4 of 6 · Time: 2 hr 5 min · Distance: 1.5 km"
    assert page.get_attribute(".card-picture", "aria-label") == alt
    page.click(".sharing .primary")
    address = page.url.split("#")[0] + "s/late-post"
    assert page.evaluate("shared") == [{"title": "The Late Post", "text": f"{alt}\n{address}", "files": [["The Late Post.png", "image/png"]]}]
    path = saved(page, tmp_path)
    assert path.name == "The Late Post.png"
    content = path.read_bytes()
    assert struct.unpack_from(">II", content, 16) == (1080, 1350)
    assert set(chunks(content)) <= {"IHDR", "sRGB", "gAMA", "IDAT", "IEND"}
    assert codes(page, content) == [address] and codes(page, ".card-picture") == [address]
    assert sent == []


def test_the_photo_of_a_card(open_player):
    """The last one, until the player chooses another one, or none. What is no photo is not offered."""
    page, [old, broken, last] = at_the_end(
        open_player, [(LAMPS, "17:10"), (b"this is no photo", "17:20", "image/heic"), (TOWN, "17:50")])
    shows(page, last)
    labels = page.eval_on_selector_all(".photos input", "all => all.map(input => [input.getAttribute('aria-label'), input.checked])")
    assert [checked for _, checked in labels] == [False, True, False] and labels[0][0] == "No photo"
    assert all(label.startswith("Where books came from, Nov 23, 2026") for label, _ in labels[1:])
    top = [(x, y) for x in (200, 540, 900) for y in (100, 300, 500)]
    first = page.evaluate(PIXELS, top)
    assert first[:2] == [1080, 1350] and first[2] > 1000
    page.focus(".photos input >> nth=1")
    page.keyboard.press("ArrowRight")
    shows(page, old)
    second = page.evaluate(PIXELS, top)
    assert second[3:] != first[3:]
    page.locator(".photos label").first.click()
    shows(page, "")
    third = page.evaluate(PIXELS, top)
    assert third[3:] not in (first[3:], second[3:]) and [255, 210, 31] in third[3:]


def test_a_card_without_photos(open_player):
    """A story that is not finished; the page's dark colours do not change the card."""
    page, _ = at_the_end(open_player, contents=journal(EVENTS[:4], opened=[]), color_scheme="dark", init=WITHOUT + WRITTEN)
    page.wait_for_function("() => written.length > 0")
    assert not page.locator(".photos").is_visible() and not page.locator(".sharing .primary").is_visible()
    width, height, colors, *pixels = page.evaluate(PIXELS, [(20, 20), (540, 1340), (540, 1310)])
    assert pixels[1:] == [[255, 210, 31], [255, 255, 255]] and colors > 20
    assert {"4 of 10", "Found"} <= {entry["text"] for entry in page.evaluate("written")}


def test_photos_of_other_devices(open_player):
    """They come after those of this one, as soon as they are loaded."""
    document = complete() | {"captures": [{"id": "other-1", "event": "library-door", "file": "/v1/players/me/captures/other-1", "timestamp": "2026-11-23T18:00:00Z"}]}
    page = opened(open_player, "#/late-post", document)
    page.route("**/v1/players/me/captures/other-1", lambda route: route.fulfill(body=TOWN.read_bytes(), content_type="image/jpeg"))
    own = keep(page, LAMPS, "17:10")
    page.route("**/player.json", lambda route: route.fulfill(json=route.fetch().json() | {"players": True}))
    page.route("**/v1/players/me/stories/**", lambda route: route.fulfill(status=503, json={}))
    page.route("**/v1/stories/late-post/events/**", lambda route: route.fulfill(status=503, json={}))
    page.reload()
    page.wait_for_selector("h1")
    go(page, "#/late-post/ending")
    page.locator(".ending .choices button").click()
    shows(page, own)
    page.wait_for_function("() => document.querySelectorAll('.photos input').length === 3")
    page.locator(".photos label").last.click()
    shows(page, "other-1")


NAMES = {
    "short": "Ebb", "long": "The exceedingly long and winding story of the late post, and of all the letters that never arrived at the "
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenverein in time", "arabic": "حكاية البريد المتأخر ورسائل لم تصل", "wide": "W" * 300, "signs": "🗺️ <b>Map</b> & “more” / \\ …",
}


@pytest.mark.parametrize("locale", ["en-US", "ar-EG", "de-DE"])
@pytest.mark.parametrize("name", NAMES)
def test_names_on_a_card(open_player, name, locale):
    """All texts lie on the card, in the direction of the page, and none is written over another one."""
    def change(story):
        return story | {"name": NAMES[name], "language": "ar" if name == "arabic" else "en", "face": {"name": f"The Museum of {NAMES[name]}"}}
    page, _ = at_the_end(open_player, change=change, init=SHARES + WRITTEN, locale=locale)
    page.wait_for_function("() => written.length > 8")
    texts = page.evaluate("written.splice(0)")
    side = "right" if locale == "ar-EG" else "left"
    for entry in texts:
        assert entry["align"] == side, entry
        left = entry["x"] - (entry["width"] if side == "right" else 0)
        assert 71 <= left and left + entry["width"] <= 1009 and 0 < entry["y"] < 1320, entry
    lines = sorted({round(entry["y"]) for entry in texts})
    assert all(after - before >= 30 for before, after in zip(lines, lines[1:])), lines
    title = [entry["text"] for entry in texts][1:-8]
    assert len(title) <= 4 and ("".join(title).replace(" ", "") == NAMES[name].replace(" ", "") or title[-1].endswith("…"))
    if name == "arabic":
        assert all(entry["direction"] == "rtl" for entry in texts[1:2])
    assert codes(page, ".card-picture") == [page.url.split("#")[0] + "s/late-post"]
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    data = page.evaluate("document.querySelector('.card-picture').toDataURL()").split(",")[1]
    (SCREENSHOTS / f"card-{name}-{locale[:2]}.png").write_bytes(base64.b64decode(data))


@pytest.mark.parametrize("language", ["x-elvish", "i-klingon"])
def test_a_card_in_a_language_that_browsers_do_not_know(open_player, language):
    page, _ = at_the_end(open_player, change=lambda story: story | {"name": NAMES["long"], "language": language}, init=SHARES + WRITTEN)
    page.wait_for_function("() => written.length > 8")


@pytest.mark.parametrize("scheme, locale", [("light", "en-US"), ("dark", "en-US"), ("light", "ar-EG"), ("light", "de-DE")])
@pytest.mark.parametrize("size", [(320, 568), (390, 664)])
def test_what_sharing_looks_like(open_player, size, scheme, locale):
    options = {"viewport": dict(zip(("width", "height"), size)), "color_scheme": scheme, "locale": locale}
    page, [photo] = at_the_end(open_player, [(LAMPS, "17:10")], **options)
    shows(page, photo)
    name = f"sharing-{size[0]}-{scheme}-{locale[:2]}"
    issues = look(page, f"{name}-card", "dialog")
    beyond = "[document.documentElement.scrollWidth, document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth]"
    assert page.evaluate(beyond) == [size[0], 0]
    page.keyboard.press("Escape")
    issues += look(page, f"{name}-ending")
    go(page, "#/late-post")
    page.locator("#view button.round").first.click()
    page.wait_for_selector("dialog[open] .address")
    issues += look(page, f"{name}-link", "dialog")
    assert page.evaluate(beyond) == [size[0], 0]
    page.keyboard.press("Escape")
    issues += look(page, f"{name}-story")
    assert issues == []
