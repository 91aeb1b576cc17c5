"""Collections: sections, items, search, favourites; what is new, the house, and the credits."""
import re
import pytest
from collected import ABOUT, NEWS, SECTIONS, give, with_collection, without_a_walk
from conftest import PHONE, TABLET
from hearing import LISTEN, Reader
from playing import EVENTS, go, journal, remember, settle, stand
from test_views import BEYOND, look

HERE = (35.28057, -120.66403)
NAMES = "() => [...document.querySelectorAll('.items:not([hidden] *) strong')].map(node => node.textContent)"
SOUND = ("--autoplay-policy=no-user-gesture-required", "--mute-audio")


def opened(open_player, hash="#/late-post", found=(), **options):
    page = open_player(hash, prepare=give(), reduced_motion="reduce", **options)
    if found:
        remember(page, journal(found))
    return page


def names(page):
    return page.evaluate(NAMES)


def search(page, text):
    """Writes into the field, and waits until it is told what was found."""
    page.fill("input[type=search]", "")
    page.wait_for_function("() => document.querySelector('.search [role=status]').textContent === ''")
    page.fill("input[type=search]", text)
    page.wait_for_function("() => document.querySelector('.search [role=status]').textContent !== ''")
    return names(page)


# Sections and items

def test_a_collection_by_keyboard(open_player):
    """From the story to a picture on the whole screen and back, by links and keys alone."""
    page = opened(open_player, found=EVENTS[:6])
    reader = Reader(page)
    reader.press("link", "Collection")
    reader.focused_on("heading", "Collection")
    reader.press("link", "The bell tower", "3 items")
    reader.focused_on("heading", "The bell tower")
    reader.press("link", "The great bell", "Found")
    reader.focused_on("heading", "The great bell")
    favourite = reader.find("button", "Favourite")
    assert favourite.states["pressed"] == "false"
    reader.operate(favourite, "Space")
    assert reader.find("button", "Favourite").states["pressed"] == "true"
    reader.press("button", "A bell in its frame", "whole screen")
    reader.until("dialog", "Pictures of The great bell")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.viewer figcaption').innerText.includes('Its inscription')")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    reader.focused_on("button", "A bell in its frame")
    reader.press("link", "Next")
    reader.focused_on("heading", "Größe 4: a rope")
    reader.press("link", "Previous", "The great bell")
    reader.focused_on("heading", "The great bell")
    reader.press("link", "Back")
    reader.focused_on("heading", "The bell tower")
    reader.press("link", "Back")
    reader.until("link", "The great bell", "Favourite")


def test_hidden_items_are_there_when_they_are_found(open_player):
    page = opened(open_player)
    go(page, "#/late-post/section/cards")
    assert names(page) == ["東京の提灯", "رِسَالَةٌ إِلَى آمِنَة"]
    assert search(page, "card") == []
    go(page, "#/late-post/item/fifth-card")
    assert page.inner_text("h1") == "Not found yet" and "fifth" not in page.inner_text("#view")
    go(page, "#/late-post/item/lantern")
    assert page.inner_text(".pages > span") == "1 of 2"
    go(page, "#/late-post/section/cards")
    # Its event is found meanwhile, as on another device.
    page.evaluate("""async document => {
        const { $load } = await import('./player.js');
        const [{ JournalStore }, { JournalContents }] = [await $load('journal/journal-store.js'), await $load('journal/journal-contents.js')];
        const store = await JournalStore.open();
        await store.merge('late-post', new JournalContents(document));
    }""", journal(["four-cards"], opened=[]))
    page.wait_for_function("() => document.querySelectorAll('.items strong').length === 3")
    assert page.locator(".item").first.inner_text().split("\n") == ["The fifth card", "Found"]
    assert search(page, "card") == ["The fifth card"]
    go(page, "#/late-post/item/fifth-card")
    assert page.inner_text("h1") == "The fifth card"


def test_what_an_item_belongs_to(open_player):
    """Events that were not found are not named; how far an item is follows the player."""
    page = opened(open_player, "#/late-post/item/great-bell", position=HERE)
    standing = page.locator(".standing")
    assert standing.locator("a").all_inner_texts() == ["The Round", "Show the map"]
    assert "Stop 2 of the tour" in standing.inner_text() and "Madrid" not in standing.inner_text()
    stand(page, HERE, fixes=3)
    page.wait_for_function("() => document.querySelector('.standing .far').innerText.includes('55 m')")
    stand(page, (35.2812, -120.66453), fixes=8)
    page.wait_for_function("() => document.querySelector('.standing .far').innerText.includes('40 m')")
    remember(page, journal(EVENTS[:6]))
    page.wait_for_selector(".standing")
    assert standing.locator("a").all_inner_texts() == ["The Round", "Madrid: over three fences", "Show the map"]
    standing.locator("a").last.click()
    page.wait_for_selector(".exploration")


@pytest.mark.parametrize("address", ["#/late-post/item/none", "#/late-post/section/none"])
def test_what_is_not_there(open_player, address):
    page = opened(open_player, address)
    assert page.inner_text("h1") == "Something is wrong" and "The story has no such" in page.inner_text("#view")


def test_a_long_section_grows(open_player):
    items = [{"id": f"i{number}", "name": f"Item {number}", "images": [], "hidden": False} for number in range(150)]
    page = open_player("#/late-post/section/all", prepare=give(sections=[{"id": "all", "name": "All", "items": items}]))
    assert len(names(page)) == 48
    assert page.inner_text(".item-list button") == "Show 48 more"
    page.click(".item-list button")
    assert page.evaluate("document.activeElement.innerText") == "Item 48"
    page.click(".item-list button")
    page.click(".item-list button")
    assert len(names(page)) == 150 and page.is_hidden(".item-list button")


# Search

@pytest.mark.parametrize("text, found", [
    ("bell", ["The great bell", "Größe 4: a rope", "The fifth card"]), ("BELL gr", ["The great bell", "Größe 4: a rope"]), ("ell", []),
    ("grosse", ["Größe 4: a rope"]), ("GRÖSSE", ["Größe 4: a rope"]), ("größe", ["Größe 4: a rope"]), ("lodz", ["Größe 4: a rope"]),
    ("soren angstrom", ["The great bell"]), ("Søren Ång", ["The great bell"]), ("oeuvre", ["Œuvre of a clockmaker"]), ("naive", ["Œuvre of a clockmaker"]),
    ("inscription", ["The great bell"]), ("stroke", ["The great bell"]), ("weight 640", ["The great bell"]), ("fire", ["The great bell"]),
    ("東京", ["東京の提灯"]), ("提灯", ["東京の提灯"]), ("京", ["東京の提灯"]), ("大阪", []),
    ("رسالة", ["رِسَالَةٌ إِلَى آمِنَة"]), ("امنه", ["رِسَالَةٌ إِلَى آمِنَة"]), ("احمد باريس", []), ("احمد القاهرة", ["رِسَالَةٌ إِلَى آمِنَة"]),
    ("  the   bell! ", ["The great bell", "The fifth card", "Größe 4: a rope"]),
])
def test_what_is_found(open_player, text, found):
    page = opened(open_player, found=EVENTS[:6])
    go(page, "#/late-post/collection")
    assert search(page, text) == found


def test_a_search_is_announced_and_marked(open_player):
    page = opened(open_player, found=EVENTS[:6])
    page.context.add_init_script(LISTEN)
    page.reload()
    page.wait_for_selector("h1")
    go(page, "#/late-post/section/tower")
    reader = Reader(page)
    reader.find("search")
    page.focus("input[type=search]")
    page.keyboard.type("großE")
    reader.heard("1 item found")
    assert page.locator(".results mark").all_inner_texts() == ["Größe"]
    assert page.is_hidden(".content")
    search(page, "angst")
    assert page.locator(".results mark").all_inner_texts() == ["Ångst"]
    search(page, "lodz bell")
    assert page.locator(".results .excerpt").inner_text() == "Hemp, from Łódź. The bell was rung with it."
    assert page.locator(".results mark").all_inner_texts() == ["Łódź", "bell"]
    # Other sections have more; the same is looked for there.
    search(page, "bell")
    page.click(".results a.secondary")
    page.wait_for_function("() => document.querySelector('.search [role=status]').textContent === '3 items found'")
    assert page.input_value("input[type=search]") == "bell"
    # Whoever looked at an item comes back to what was found.
    page.click(".results .item >> nth=2")
    page.wait_for_selector("article.exhibit")
    page.click(".top-bar a")
    page.wait_for_function("() => document.querySelector('.search [role=status]').textContent === '3 items found'")
    page.fill("input[type=search]", "zzz")
    page.wait_for_function("() => document.querySelector('.search [role=status]').textContent === 'Nothing was found for “zzz”.'")
    page.fill("input[type=search]", "?")
    assert page.is_visible(".content")
    page.keyboard.press("Enter")
    assert page.url.endswith("#/late-post/collection")


#: Makes 5,000 items with texts of 60 words of 20,000, and measures searches of one letter, of several words, and of a part of a text.
MEASURE = """async () => {
    const { ItemIndex, wordsOf } = await (await import('./player.js')).$load('collections/item-index.js')
        .catch(() => import('./collections/item-index.js'));
    let seed = 7;
    const random = most => { seed = (seed * 48271) % 2147483647; return seed % most; };
    const letters = 'aeiounrstldmkgbpvfhçéøß';
    const words = Array.from({ length: 20000 }, () => Array.from({ length: 3 + random(8) }, () => letters[random(letters.length)]).join(''));
    const some = count => Array.from({ length: count }, () => words[Math.floor(20000 * (random(1000) / 1000) ** 2)]).join(' ');
    const cjk = () => Array.from({ length: 12 }, () => String.fromCodePoint(0x4E00 + random(2000))).join('');
    const entries = Array.from({ length: 5000 }, (_, number) => ({ name: `${some(3)} ${number}`, texts: [`${some(60)}. ${cjk()}`] }));
    const start = performance.now();
    const index = await ItemIndex.of(entries);
    const built = performance.now() - start;
    const times = ['a', 'e s', words[3].slice(0, 3), `${words[0].slice(0, 2)} ${words[1].slice(0, 2)} n`, '\\u4E05', 'xyz'].map(text => {
        const runs = Array.from({ length: 9 }, () => {
            const start = performance.now();
            index.search(wordsOf(text));
            return performance.now() - start;
        });
        return runs.sort((a, b) => a - b)[4];
    });
    // What a search finds is what a comparison of all words finds.
    const plain = text => text.normalize('NFD').replace(/\\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('ß', 'ss');
    const slow = wanted => entries.filter(({ name, texts }) => `${name} ${texts[0]}`.split(/[ .]+/).some(word => plain(word).startsWith(wanted))).length;
    return { built, times, isRight: ['a', 'ce', 'oss'].every(wanted => index.search([wanted]).length === slow(wanted)) };
}"""


def measured(page):
    """What a search of 5,000 items takes at a processor that is slowed four times."""
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    figures = page.evaluate(MEASURE)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return figures


def test_a_search_in_5000_items(open_player):
    """The times depend on what else the machine does; `scripts/bench-player` prints them, too."""
    page = open_player()
    figures = measured(page)
    print(f"5,000 items at 4 x slowed CPU: index {figures['built']:.0f} ms, searches {', '.join(f'{time:.1f}' for time in figures['times'])} ms")
    assert figures["isRight"]


def test_the_page_answers_while_the_index_is_made(open_player):
    """What was written last is what is shown."""
    items = [{"id": f"i{number}", "name": f"Word{number} of {number % 7}", "text": f"text {number} " * 40, "images": [], "hidden": False} for number in range(5000)]
    page = open_player("#/late-post/collection", prepare=give(sections=[{"id": "all", "name": "All", "items": items}]))
    page.focus("input[type=search]")
    page.keyboard.type("word4999", delay=5)
    page.wait_for_function("() => document.querySelector('.search [role=status]').textContent === '1 item found'")
    assert names(page) == ["Word4999 of 1"]


# Favourites

def test_favourites_after_a_reload(open_player):
    page = opened(open_player, "#/late-post/item/rope")
    assert page.get_attribute(".favourite", "aria-pressed") == "false"
    page.click(".favourite")
    go(page, "#/late-post/item/lantern")
    page.click(".favourite")
    page.reload()
    page.wait_for_selector(".favourite")
    assert page.get_attribute(".favourite", "aria-pressed") == "true"
    go(page, "#/late-post/collection")
    assert page.inner_text(".content > section h2") == "Favourites"
    assert names(page) == ["東京の提灯", "Größe 4: a rope"]
    go(page, "#/late-post/item/lantern")
    page.click(".favourite")
    go(page, "#/late-post/collection")
    assert names(page) == ["Größe 4: a rope"]


def test_favourites_are_those_of_an_account(open_player):
    """Another account of the device does not see them, and they leave the device with the account."""
    page = opened(open_player, "#/late-post/item/rope")
    page.click(".favourite")
    marks = """async ([player, forgets]) => {
        const { $load } = await import('./player.js');
        const [{ keepAccount, leaveAccount, databaseOf }, { marksIn, keepMarks, forgetMarks }] = [await $load('journal/account.js'), await $load('journal/reader-marks.js')];
        const before = marksIn('late-post', 'favourites') ?? null;
        keepAccount({ player, token: 'none' });
        const own = marksIn('late-post', 'favourites') ?? null;
        keepMarks('late-post', 'favourites', ['clock']);
        if (forgets) forgetMarks(databaseOf(player));
        const after = marksIn('late-post', 'favourites') ?? null;
        leaveAccount();
        return [before, own, after, marksIn('late-post', 'favourites')];
    }"""
    assert page.evaluate(marks, ["ines", False]) == [["rope"], None, ["clock"], ["rope"]]
    assert page.evaluate(marks, ["ines", True]) == [["rope"], ["clock"], None, ["rope"]]


def test_a_browser_that_keeps_nothing(open_player):
    def prepare(page):
        give()(page)
        page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }")
    page = open_player("#/late-post/item/rope", prepare=prepare)
    page.click(".favourite")
    assert page.get_attribute(".favourite", "aria-pressed") == "true"
    go(page, "#/late-post/collection")
    assert names(page) == ["Größe 4: a rope"]


@pytest.mark.parametrize("kept", ["[]", "null", '{"late-post": 7}', '{"late-post": {"favourites": "rope", "news": {}}}', "{"])
def test_damaged_marks(open_player, kept):
    def prepare(page):
        give()(page)
        page.add_init_script(f"localStorage.setItem('wayreel-marks/wayreel', {kept!r})")
    page = open_player("#/late-post/collection", prepare=prepare)
    assert page.locator(".sections li").count() == 2
    go(page, "#/late-post")
    assert page.inner_text(".entry-link .new") == "2 new"


# Pictures on the whole screen

def viewer(page):
    return page.evaluate("""() => ({
        scale: Number(document.querySelector('.stage').dataset.scale), caption: document.querySelector('.viewer figcaption').innerText.split('\\n'),
        transform: document.querySelector('.stage img').style.transform,
    })""")


def at_the_viewer(open_player, **options):
    page = opened(open_player, "#/late-post/item/great-bell", **options)
    page.click(".gallery .enlarge >> nth=0")
    page.wait_for_selector("dialog.viewer[open]")
    settle(page)
    return page


def test_a_picture_by_keys_and_buttons(open_player):
    page = at_the_viewer(open_player)
    assert viewer(page)["caption"] == ["Picture 1 of 3", "A bell in its frame", "Ines Ferreira · CC BY 4.0"]
    page.keyboard.press("ArrowLeft")
    # The bundle's own credits are told where the author said none.
    assert viewer(page)["caption"] == ["Picture 3 of 3", "Bruno Díaz · CC BY 4.0"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    assert viewer(page)["scale"] == 1.5
    before = viewer(page)["transform"]
    for key in ("ArrowDown", "ArrowRight", "+", "ArrowRight"):
        page.keyboard.press(key)
    assert viewer(page)["transform"] != before and viewer(page)["caption"][0] == "Picture 1 of 3"
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    # No more than its edge comes into the screen.
    edges = page.evaluate("""() => {
        const image = document.querySelector('.stage img'), { left, right, width, height } = image.getBoundingClientRect();
        const shown = Math.min(width, height * image.naturalWidth / image.naturalHeight);
        return [(left + right - shown) / 2, (left + right + shown) / 2];
    }""")
    assert edges[0] == pytest.approx(0, abs=0.5) and edges[1] > PHONE["width"]
    for _ in range(3):
        page.keyboard.press("-")
    assert viewer(page)["scale"] == 1
    for _ in range(9):
        page.click(".viewer [aria-label=Larger]")
    assert viewer(page)["scale"] == 8
    page.click(".viewer [aria-label='Next picture']")
    assert viewer(page) | {"transform": ""} == {"scale": 1, "caption": ["Picture 2 of 3", "Its inscription", "Bruno Díaz · CC BY 4.0"], "transform": ""}
    page.click(".viewer [aria-label=Close]")
    page.wait_for_selector("dialog", state="detached")


def touch(client, kind, *points):
    client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})


def test_a_picture_by_fingers(open_player):
    page = at_the_viewer(open_player)
    client = page.context.new_cdp_session(page)
    touch(client, "touchStart", (150, 300), (240, 300))
    for step in range(1, 7):
        touch(client, "touchMove", (150 - 15 * step, 300), (240 + 15 * step, 300))
    touch(client, "touchEnd")
    assert viewer(page)["scale"] == pytest.approx(3, abs=0.1)
    # One finger moves what is enlarged, and does not turn to the next picture.
    before = viewer(page)["transform"]
    touch(client, "touchStart", (300, 300))
    for step in range(1, 6):
        touch(client, "touchMove", (300 - 30 * step, 300))
    touch(client, "touchEnd")
    assert viewer(page)["transform"] != before and viewer(page)["caption"][0] == "Picture 1 of 3"
    # A double tap shows all of it again.
    for _ in range(2):
        touch(client, "touchStart", (200, 300))
        touch(client, "touchEnd")
    assert viewer(page)["scale"] == 1
    for _ in range(2):
        touch(client, "touchStart", (200, 300))
        touch(client, "touchEnd")
    assert viewer(page)["scale"] == 3
    page.keyboard.press("-")
    page.keyboard.press("-")
    page.keyboard.press("-")
    touch(client, "touchStart", (300, 300))
    for step in range(1, 6):
        touch(client, "touchMove", (300 - 30 * step, 305))
    touch(client, "touchEnd")
    assert viewer(page)["caption"][0] == "Picture 2 of 3"


def test_a_picture_by_the_wheel_and_the_way_back(open_player):
    page = at_the_viewer(open_player, viewport=TABLET, has_touch=False)
    page.mouse.move(300, 400)
    page.mouse.wheel(0, -700)
    page.wait_for_function("() => document.querySelector('.stage').dataset.scale > 2")
    page.mouse.dblclick(300, 400)
    assert viewer(page)["scale"] == 1
    page.go_back()
    page.wait_for_selector("dialog", state="detached")


def test_arrows_from_right_to_left(open_player):
    page = at_the_viewer(open_player, locale="ar-EG")
    page.keyboard.press("ArrowLeft")
    assert viewer(page)["caption"][1] == "Its inscription"


# Sound

def test_a_sound_with_captions(open_player):
    page = opened(open_player, "#/late-post/item/great-bell", arguments=SOUND)
    assert page.locator(".radio canvas").count() == 0
    page.click('[aria-label="Captions"]')
    page.wait_for_selector("audio track", state="attached")
    # Its captions are those of a longer video.
    page.evaluate("""() => {
        const track = document.querySelector('audio track').track;
        track.addCue(new VTTCue(0, 60, '[One <i>stroke</i>]'));
    }""")
    page.click(".play")
    page.wait_for_function("() => document.querySelector('.caption').innerText.includes('[One stroke]')")
    page.evaluate("document.querySelector('audio').loop = true")
    go(page, "#/late-post/news")
    page.click(".listening a")
    page.wait_for_selector("article.exhibit")
    assert page.inner_text("h1") == "The great bell"
    page.wait_for_function("() => document.querySelector('.play').dataset.state === 'true'")


# Events and tours

def test_events_and_stops_show_items(open_player):
    page = opened(open_player, "#/late-post/event/arbor", found=EVENTS[:6])
    assert page.inner_text(".kind") == "Exhibit"
    assert page.locator(".event h2").all_inner_texts()[0] == "The great bell"
    page.click(".exhibit .favourite")
    page.click(".exhibit a.small")
    page.wait_for_selector("article.exhibit")
    assert page.get_attribute(".favourite", "aria-pressed") == "true"
    go(page, "#/late-post/tour/the-round")
    page.click(".segments label:first-of-type")
    while "stop 2" not in page.inner_text(".pages").lower():
        page.click('[data-turn="-1"]')
    page.wait_for_selector(".tour .exhibit .gallery")
    page.click('[data-turn="1"]')
    page.wait_for_selector(".tour .exhibit", state="detached")


def test_collections_without_a_network(open_player):
    """Their script is on the device after the first visit, without having been used."""
    page = open_player("#/late-post", workers="allow")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("h1")
    for address, title in {"collection": "Collection", "news": "What’s new", "credits": "Credits"}.items():
        go(page, f"#/late-post/{address}")
        assert page.inner_text("h1") == title
    page.context.set_offline(False)


def test_an_event_whose_item_is_gone(open_player):
    change = lambda story: with_collection(story) | {"sections": []}
    page = open_player("#/late-post/event/arbor", prepare=give(change))
    remember(page, journal(EVENTS[:6]))
    assert page.inner_text(".missing") == "The story has no such item."


def test_a_story_without_a_walk(open_player):
    page = open_player("#/late-post", prepare=give(without_a_walk), reduced_motion="reduce")
    assert page.locator(".entry-link").all_inner_texts() == ["Collection", "What’s new\n2 new", "About"]
    assert page.locator(".trail, .progress, .prompt").count() == 0
    assert page.locator(".lead .author").inner_text() != ""
    assert look(page, "phone-light-collection-without-walk") == []
    page.click(".entry-link >> nth=0")
    page.click(".section >> nth=0")
    page.click(".item >> nth=0")
    page.wait_for_selector("article.exhibit")


def test_a_story_without_all_this(open_player):
    plain = lambda route: route.fulfill(json={name: part for name, part in route.fetch().json().items() if name != "sections"})
    page = open_player("#/late-post", prepare=lambda page: page.route(re.compile(r"/v1/stories/late-post(/story[.][^/]*[.]json)?$"), plain))
    assert page.locator(".entry-links").count() == 0
    for name in ("collection", "news", "about", "credits"):
        go(page, f"#/late-post/{name}")
        assert page.inner_text("h1") not in ("", "Something is wrong")


# What is new, the house, and the credits

def test_what_is_new(open_player):
    page = opened(open_player)
    assert page.inner_text(".entry-link .new") == "2 new"
    page.click(".entry-link:has(.new)")
    page.wait_for_selector(".news")
    # The newest first, and none of the future.
    assert page.locator(".news h2").all_inner_texts() == ["The tower is open again", "A new ladder"]
    assert page.locator(".news time").all_inner_texts() == ["October 30, 2026", "March 1, 2026"]
    assert page.locator(".news .new").count() == 2
    go(page, "#/late-post")
    assert page.locator(".entry-link .new").count() == 0
    page.unroute("**/v1/stories/late-post")
    more = [{"id": "more", "date": "2026-05-01", "title": "One more"}]
    page.route("**/v1/stories/late-post", lambda route: route.fulfill(json=with_collection(route.fetch().json(), news=NEWS + more)))
    page.reload()
    page.wait_for_selector(".entry-link .new")
    assert page.inner_text(".entry-link .new") == "1 new"
    go(page, "#/late-post/news")
    assert page.locator(".news article:has(.new) h2").all_inner_texts() == ["One more"]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"])
def test_dates_have_no_time_zone(open_player, zone):
    page = opened(open_player, "#/late-post/news", timezone_id=zone, locale="de-DE" if zone.startswith("Europe") else "en-GB")
    assert page.get_attribute(".news time", "datetime") == "2026-10-30"
    assert re.fullmatch(r"30\.? (October|Oktober) 2026|October 30, 2026", page.inner_text(".news time >> nth=0"))


def test_the_house(open_player):
    page = opened(open_player, "#/late-post/about", position=(35.2812, -120.6641))
    assert page.locator("address p").all_inner_texts() == ABOUT["address"].split("\n")
    stand(page, (35.2812, -120.6641), fixes=3)
    page.wait_for_function("() => document.querySelector('.house .far').innerText.startsWith('65 m')")
    links = page.locator(".house .choices a")
    assert [links.nth(number).get_attribute("href") for number in range(2)] == [
        "geo:35.2806,-120.6641", "https://www.openstreetmap.org/?mlat=35.2806&mlon=-120.6641#map=17/35.2806/-120.6641"]
    assert links.all_inner_texts() == ["Open in a map app", "Open openstreetmap.org"]
    page.click("a[href='#/late-post/credits']")
    page.wait_for_selector(".attributions")


def test_credits_by_licence(open_player):
    page = opened(open_player, "#/late-post/credits")
    groups = page.evaluate("""() => [...document.querySelectorAll('.attributions section:has(h2)')].map(section => [
        section.querySelector('h2').innerText.trim(), section.querySelector('h2 a')?.href ?? null,
        [...section.querySelectorAll('li')].map(row => [...row.children].map(child => child.innerText.trim().replace(/[\\u2068\\u2069]/g, '')))])""")
    assert groups == [
        ["CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", [
            ["Ines Ferreira", "The great bell", "From example.org"], ["Bruno Díaz", "The great bell"]]],
        ["CC0 1.0", "http://creativecommons.org/publicdomain/zero/1.0/", [["آمنة", "The great bell"]]],
        ["No licence is given", None, [["Ada", "Once More Than You Should"]]],
    ]
    assert page.locator(".attributions a[href^='javascript']").count() == 0


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_the_sample_credits_all_that_it_shows(open_player, locale):
    page = open_player("#/late-post/credits", locale=locale)
    manifest = page.evaluate("async () => (await fetch('v1/stories/late-post/manifest.json')).json()")
    shown = {entry["source"] for entry in manifest["media"] if entry["role"] in ("image", "audio", "video")}
    credited = {source for credit in manifest["credits"] for source in credit["sources"] if credit.get("author") and credit.get("license")}
    assert len(shown) == 12 and shown == credited
    assert page.locator(".attributions h2").all_inner_texts() == ["Apache-2.0", "Free to use however you wish", "CC BY-SA 4.0", "CC BY 3.0"]


# All views

VIEWS = {
    "chapters": "#/late-post", "collection": "#/late-post/collection", "section": "#/late-post/section/tower", "cards": "#/late-post/section/cards",
    "item": "#/late-post/item/great-bell", "news": "#/late-post/news", "about": "#/late-post/about", "credits": "#/late-post/credits",
    "event": "#/late-post/event/arbor", "item-missing": "#/late-post/item/none",
}
LOOKS = {
    "phone-light": dict(viewport={"width": 390, "height": 664}), "phone-dark": dict(viewport={"width": 390, "height": 664}, color_scheme="dark"),
    "small-light": dict(viewport={"width": 320, "height": 568}), "desktop-light": dict(viewport={"width": 1280, "height": 800}),
    "phone-arabic": dict(viewport={"width": 390, "height": 664}, locale="ar-EG"), "small-arabic": dict(viewport={"width": 320, "height": 568}, locale="ar-EG"),
}


@pytest.mark.parametrize("name", LOOKS)
def test_every_view_of_a_collection(open_player, name):
    page = opened(open_player, position=HERE, found=EVENTS[:6], **LOOKS[name])
    go(page, "#/late-post/item/rope")
    page.click(".favourite")
    issues = []
    for view, address in VIEWS.items():
        go(page, address)
        page.evaluate("document.querySelectorAll('.notice').forEach(notice => notice.remove())")
        issues += look(page, f"{name}-collection-{view}")
        issues += [f"{name}, {view}: {node}" for node in page.evaluate(BEYOND)]
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, view
        if view in ("collection", "section"):
            page.fill("input[type=search]", "bell")
            page.wait_for_selector(".results .items")
            issues += look(page, f"{name}-collection-{view}-search")
            issues += [f"{name}, {view}: {node}" for node in page.evaluate(BEYOND)]
            page.fill("input[type=search]", "")
    go(page, VIEWS["item"])
    page.click(".gallery .enlarge >> nth=0")
    page.wait_for_selector("dialog.viewer[open]")
    issues += look(page, f"{name}-collection-viewer")
    assert issues == []


def test_names_with_markup_are_text(open_player):
    evil = "<img src=x onerror=alert(1)>"
    sections = [{"id": "a", "name": evil, "description": evil, "items": [
        {"id": "b", "name": evil, "text": evil, "images": [{"source": "images/lamps.jpg", "alt": evil, "author": evil, "license": "javascript:alert(1)"}], "hidden": False}]}]
    page = open_player("#/late-post", prepare=give(sections=sections, about={"text": evil, "address": evil}, news=[{"id": "a", "date": "2026-01-01", "title": evil}]))
    for address in ("collection", "section/a", "item/b", "news", "about", "credits"):
        go(page, f"#/late-post/{address}")
        assert page.locator("img[src=x], a[href^=javascript]").count() == 0
    go(page, "#/late-post/collection")
    assert search(page, "onerror") == [evil]
    assert page.locator("mark").all_inner_texts() == ["onerror"]
