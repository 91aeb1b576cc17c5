"""Panels, notices and labels on small screens, above a keyboard, and with large text."""
import pathlib

import pytest
from playing import EVENTS, go, journal, remember, settle, stand

MIDDLE = (35.28057, -120.66403)
PHONES = [(320, 568), (360, 640), (375, 667), (390, 664)]

#: Gives the page a visual viewport whose keyboard tests open: `openKeyboard(pixels)`.
KEYBOARD = """(() => {
    const viewport = new EventTarget();
    let covered = 0;
    Object.defineProperties(viewport, { height: { get: () => innerHeight - covered }, offsetTop: { get: () => 0 }, scale: { get: () => 1 } });
    Object.defineProperty(window, 'visualViewport', { value: viewport });
    window.openKeyboard = pixels => {
        covered = pixels;
        viewport.dispatchEvent(new Event('resize'));
    };
})()"""

#: Scrolls to what a selector names, and returns its box, and whether it is what is seen in its middle.
SEEN = """selector => {
    const node = document.querySelector(selector);
    node.scrollIntoView({ block: 'nearest' });
    const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return { left, top, right, bottom, width, height, isSeen: node.contains(seen) || seen?.contains(node) };
}"""

#: Records the texts that are drawn on canvases, with their boxes, since the canvas was last filled from its corner.
DRAWN = """(() => {
    const { fillText, fillRect } = CanvasRenderingContext2D.prototype;
    window.drawn = [];
    CanvasRenderingContext2D.prototype.fillRect = function (x, y, ...rest) {
        if (x === 0 && y === 0) window.drawn = [];
        return fillRect.call(this, x, y, ...rest);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text);
        window.drawn.push({ text: String(text), left: x - left, right: x + right, top: y - up, bottom: y + down });
        return fillText.call(this, text, x, y);
    };
})()"""

NOTIFY = "async notice => { const { notify } = await (await import('./player.js')).$load('components/notices.js'); notify(notice); }"
ASK = """async question => {
    const { ask } = await (await import('./player.js')).$load('components/notices.js');
    ask({ ...question, action: { label: 'Do it', onclick: () => { window.isDone = true; } } });
}"""
FOUND = {"symbol": "radio", "title": "Thirty seconds of breakfast", "text": "You found something.", "action": {"label": "Open", "href": "#/late-post/event/x"}}


def at_the_lockbox(open_player, size, **options):
    page = open_player(position=MIDDLE, viewport=dict(zip(("width", "height"), size)), reduced_motion="reduce", **options)
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post/map/once-more")
    stand(page, MIDDLE, fixes=3)
    page.click(".lockbox summary")
    page.fill(".lockbox input", "nine")
    return page


def assert_inside(box, width, height, top=0):
    assert box["isSeen"] and box["width"] > 0 and box["height"] > 0, box
    assert box["left"] >= 0 and box["right"] <= width and box["top"] >= top and box["bottom"] <= height, box


@pytest.mark.parametrize("size", PHONES)
def test_the_lockbox_scrolls(open_player, size):
    """The field, its button, the hint and all that is around can be reached."""
    page = at_the_lockbox(open_player, size)
    page.keyboard.press("Enter")
    page.wait_for_selector(".hint:not([hidden])")
    page.evaluate("document.querySelectorAll('.notice').forEach(notice => notice.remove())")
    page.click(".nearby summary")
    for selector in [".lockbox input", ".lockbox .answer button", ".lockbox .hint", ".nearest", ".around li:last-child"]:
        assert_inside(page.evaluate(SEEN, selector), *size)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight && document.querySelector('.exploration').scrollHeight <= innerHeight")


@pytest.mark.parametrize("size", PHONES)
def test_the_lockbox_stays_above_the_keyboard(open_player, size):
    keyboard = 260
    page = at_the_lockbox(open_player, size, prepare=lambda page: page.add_init_script(KEYBOARD))
    page.focus(".lockbox input")
    page.evaluate("openKeyboard(260)")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hint:not([hidden])")
    for selector in [".lockbox input", ".lockbox .answer button", ".lockbox .hint"]:
        assert_inside(page.evaluate(SEEN, selector), size[0], size[1] - keyboard)
    # A page that is zoomed in has no keyboard, and neither has one whose keyboard is closed.
    page.evaluate("openKeyboard(0)")
    assert page.evaluate("document.documentElement.hasAttribute('data-keyboard')") is False
    assert page.locator(".map-tools").is_visible()


@pytest.mark.parametrize("text", [16, 32])
@pytest.mark.parametrize("size", PHONES)
def test_a_notice_is_a_quarter_of_the_screen(open_player, size, text):
    """At most, also where the browser's text is twice as large; nothing of it is beyond the screen, and all of it opens its link."""
    page = open_player("#/late-post/map/the-book-box", position=MIDDLE, viewport=dict(zip(("width", "height"), size)), reduced_motion="reduce",
                       arguments=(f"--blink-settings=defaultFontSize={text}",))
    page.evaluate(NOTIFY, {**FOUND, "title": FOUND["title"] + " and of a story that has a long name"})
    page.wait_for_selector(".notice a")
    box = page.evaluate(SEEN, ".notice")
    assert_inside(box, *size)
    assert box["height"] <= size[1] / 4 + 1, box
    for part in ["a", ".plain", ".words"]:
        inner = page.locator(f".notice {part}").bounding_box()
        assert inner["x"] >= box["left"] and inner["x"] + inner["width"] <= box["right"], (part, inner)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.mouse.click(box["left"] + box["width"] / 2, box["top"] + 15)
    page.wait_for_function("() => location.hash === '#/late-post/event/x'")
    page.wait_for_selector(".notice", state="detached")


#: The boxes of the map's buttons that a notice covers, or that are not seen.
COVERED = """() => {
    const notice = document.querySelector('.notice').getBoundingClientRect();
    const meets = ({ left, right, top, bottom }) => left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top;
    return [...document.querySelectorAll('.map-tools button')].filter(button => {
        const box = button.getBoundingClientRect();
        const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        return meets(box) || !button.contains(seen);
    }).map(button => button.ariaLabel);
}"""


@pytest.mark.parametrize("text", [16, 32])
@pytest.mark.parametrize("size", [*PHONES, (568, 320), (844, 390)])
def test_a_notice_covers_no_button_of_the_map(open_player, size, text):
    page = open_player(position=MIDDLE, viewport=dict(zip(("width", "height"), size)), reduced_motion="reduce",
                       arguments=(f"--blink-settings=defaultFontSize={text}",))
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post/map/once-more")
    stand(page, MIDDLE, fixes=3)
    settle(page)
    while page.locator(".notices .notice").count():
        page.click(".notices .notice .plain")
    # The buttons return when what was said before has left.
    settle(page)
    place = page.locator(".map-tools button").first.bounding_box()
    page.evaluate(NOTIFY, {"key": "near", "symbol": "walk", "title": "You are close to something",
                           "text": "Walk around until you are inside of a circle of the map, and stay there for a moment."})
    page.wait_for_selector(".notices .notice")
    settle(page)
    assert page.evaluate(COVERED) == []
    for button in page.locator(".map-tools button").all():
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] and box["y"] >= 0 and box["y"] + box["height"] <= size[1], box
    # They return when it leaves.
    page.click(".notices .notice .plain")
    settle(page)
    assert page.locator(".map-tools button").first.bounding_box() == place


@pytest.mark.parametrize("text", [16, 32])
def test_nothing_lies_beyond_a_small_screen(open_player, text):
    """The views of a story at 320 pixels, with text of its usual and of twice its size."""
    page = open_player(position=MIDDLE, viewport={"width": 320, "height": 568}, reduced_motion="reduce",
                       arguments=(f"--blink-settings=defaultFontSize={text}",))
    remember(page, journal(EVENTS))
    for address in ["#/", "#/late-post", "#/late-post/map/once-more", "#/late-post/tour/the-round", "#/late-post/ending", "#/late-post/event/library-door",
                    "#/late-post/journal"]:
        go(page, address)
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, address


LANGUAGES = sorted(path.stem for path in pathlib.Path("Player/strings").glob("*.json"))
#: The texts of notices of the page itself, as `title, text`; a found event also has a link, and a question a button.
NOTICES = [
    ("storage.full", "storage.fullAdvice"), ("storage.trouble", "storage.fullAdvice"), ("near.title", "near.text"), ("lockbox.opened", None),
    *[("near.title", f"locked.{reason}") for reason in ("ever", "found", "opened")], ("near.title", "closed.ever"),
    ("device.failed", "storage.full"), ("device.failed", "device.again"), ("account.failed", "device.again"),
    *[("camera.failed", text) for text in ("refused.format", "storage.full", "storage.trouble")],
    ("account.passkeyAdded", None), ("account.deviceAdded", None), ("account.linkUnknown", "account.linkLater"),
    ("account.linkRefused", "account.none"), ("account.linkRefused", "account.linkEnded"), ("account.failed", "account.noNetwork"),
    *[("account.failed", f"account.provider.{fault}") for fault in ("denied", "expired", "failed")],
    *[("account.failed", f"account.fault.{fault}")
      for fault in ("browser", "client-rate", "name", "pairing", "pairing-refused", "passkey", "provider", "sign-up")],
]
LINKED = [("lockbox.opened", "found.text", "found.open"), ("story.done", None, "ending.link"), ("chapter.done", None, "chapter.next")]
QUESTIONS = [("camera.removeTitle", "camera.removeText", "camera.remove"), ("player.update", None, "player.reload"), ("story.changed", None, "player.reload")]
#: Words of buttons and links that stand in two lines.
BROKEN = """() => [...document.querySelectorAll('#view :is(button, .primary, .secondary, .tag)')].flatMap(node => {
    const texts = [...node.childNodes].flatMap(child => child.nodeType === 3 ? [child] : [...child.childNodes].filter(({ nodeType }) => nodeType === 3));
    return texts.flatMap(text => [...text.data.matchAll(/[\\p{L}\\p{M}]+/gu)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size > 1;
    }).map(([word]) => word));
})"""
#: Shows each notice, and returns those whose words are cut off.
CUT = """async ([notices, linked, questions]) => {
    const { $load } = await import('./player.js');
    const [{ ask, notify }, { say }] = [await $load('components/notices.js'), await $load('components/words.js')];
    const isCut = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => scrollHeight > clientHeight + 2 || scrollWidth > clientWidth + 1;
    const cut = [];
    const look = (show, place, keys, action) => {
        const [title, text, label] = keys.map(key => key && say(key));
        show({ key: 'test', title, text, action: label && { label, ...action } });
        if ([...document.querySelectorAll(`${place} .notice, ${place} .notice :is(strong, span, a, button)`)].some(isCut)) cut.push(keys);
        document.querySelectorAll('.notice').forEach(notice => notice.querySelector('.plain').click());
    };
    for (const keys of notices) look(notify, '.notices', keys);
    for (const keys of linked) look(notify, '.notices', keys, { href: '#/late-post' });
    for (const keys of questions) look(ask, '.foot', keys, { onclick() {} });
    return cut;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_fit_a_small_screen(open_player, language):
    """Notices and questions are shown whole, and views have nothing that is cut off, at 320 pixels."""
    page = open_player("#/~account", position=MIDDLE, viewport={"width": 320, "height": 568}, reduced_motion="reduce", locale=language)
    assert page.evaluate(BEYOND) == []
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    for address in ["#/", "#/late-post", "#/late-post/chapter/the-round", "#/late-post/map/once-more", "#/late-post/tour/the-round", "#/late-post/ending",
                    "#/late-post/journal", *[f"#/late-post/event/{event}" for event in EVENTS[:7]]]:
        go(page, address)
        settle(page)
        page.evaluate("document.querySelectorAll('#view details').forEach(part => { part.open = true })")
        assert page.evaluate(BEYOND) == [] and page.evaluate(BROKEN) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, address
    assert page.evaluate(CUT, [NOTICES, LINKED, QUESTIONS]) == []


WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
#: Texts and controls that lie beyond the width of the page, or that are wider than their boxes.
BEYOND = """() => {
    const width = document.documentElement.clientWidth;
    const isSeen = node => node.checkVisibility({ visibilityProperty: true }) && !node.closest('.spoken, .unseen, .peek, .pin');
    const hasText = node => node.matches('input, button, a, select') || [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
    const isBeyond = node => {
        const { left, right } = node.getBoundingClientRect();
        const isCut = node.clientWidth > 0 && getComputedStyle(node).display !== 'inline' && node.scrollWidth > node.clientWidth + 1;
        return left < -1 || right > width + 1 || isCut;
    };
    return [...document.querySelectorAll('#view *')].filter(node => isSeen(node) && hasText(node) && isBeyond(node))
        .map(node => `${node.tagName}.${node.className} ${node.textContent.slice(0, 40)}`);
}"""


def with_long_words(value, key=None):
    """Returns a story whose texts have a word that is longer than a phone is wide."""
    if isinstance(value, dict):
        return {name: with_long_words(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [with_long_words(part, key) for part in value]
    if isinstance(value, str) and key in ("name", "description", "title", "text", "alt", "clue", "question", "transcript", "hints", "credits"):
        return f"{value} {WORD}"
    return value


@pytest.mark.parametrize("text, width", [(16, 320), (32, 320), (16, 1280)])
def test_words_that_are_longer_than_the_page(open_player, text, width):
    """They are broken in every view and panel, so that nothing is cut off and nothing scrolls sideways."""
    def prepare(page):
        page.add_init_script(DRAWN)
        page.route("**/v1/stories/late-post", lambda route: route.fulfill(json=with_long_words(route.fetch().json())))

    page = open_player(position=MIDDLE, viewport={"width": width, "height": 568}, reduced_motion="reduce", prepare=prepare,
                       arguments=(f"--blink-settings=defaultFontSize={text}",))
    remember(page, journal(EVENTS[:-2], opened=["first-reader"]))
    for address in ["#/", "#/late-post", "#/late-post/chapter/the-book-box", "#/late-post/map/once-more", "#/late-post/tour/the-round",
                    "#/late-post/journal", "#/late-post/ending", *[f"#/late-post/event/{event}" for event in EVENTS]]:
        go(page, address)
        settle(page)
        if "/map/" in address:
            stand(page, MIDDLE, fixes=3, accuracy=80)
            page.click(".lockbox summary")
            page.click(".nearby summary")
            settle(page)
            # Names on the map are shortened.
            assert all(text["right"] - text["left"] < 230 for text in page.evaluate("window.drawn"))
            # The sheet scrolls, and not a part of it.
            assert page.evaluate("getComputedStyle(document.querySelector('.lockbox .question')).overflowY") == "visible"
        assert page.evaluate(BEYOND) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_a_long_task_over_the_live_picture(open_player):
    """The shutter and the way back stay on the screen; the task scrolls."""
    page = open_player(viewport={"width": 320, "height": 568},
                       prepare=lambda page: page.route("**/v1/stories/late-post", lambda route: route.fulfill(json=long_clues(route.fetch().json()))))
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/late-post/event/library-door")
    page.click(".choices button")
    page.wait_for_selector(".shutter")
    for selector in [".shutter", ".live .round"]:
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 568, (selector, box)
    page.get_by_role("button", name="Close").click()
    page.wait_for_selector(".shutter", state="detached")


def long_clues(story):
    for event in (event for chapter in story["chapters"] for event in chapter["events"] if event["content"]["type"] == "camera"):
        event["content"]["clue"] *= 20
    return story


#: Returns the middle of what has the colour of the player's mark on the map, in pixels of the page.
MARK = """() => {
    const canvas = document.querySelector('.exploration > .map');
    const ratio = canvas.width / canvas.clientWidth;
    const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let [x, y, count] = [0, 0, 0];
    for (let index = 0; index < data.length; index += 4) {
        if (data[index] !== 0xff || data[index + 1] !== 0xd2 || data[index + 2] !== 0x1f) continue;
        x += index / 4 % width;
        y += Math.floor(index / 4 / width);
        count += 1;
    }
    return [x / count / ratio, y / count / ratio];
}"""


@pytest.mark.parametrize("language", ["en-US", "ar"])
@pytest.mark.parametrize("size", [(844, 390), (667, 375), (568, 320), (1280, 800), (390, 664)])
def test_the_player_is_in_the_free_part_of_the_map(open_player, size, language):
    """Also on a phone that lies on its side, where the panel is beside the map."""
    page = open_player("#/late-post/map/the-round", position=MIDDLE, viewport=dict(zip(("width", "height"), size)), reduced_motion="reduce",
                       locale=language, color_scheme="light")
    stand(page, MIDDLE, fixes=3)
    settle(page)
    x, y = page.evaluate(MARK)
    for selector in [".sheet.panel", ".top-bar", *[f".map-tools button:nth-child({index})" for index in range(1, 5)]]:
        box = page.locator(selector).bounding_box()
        covers = box["x"] - 10 < x < box["x"] + box["width"] + 10 and box["y"] - 10 < y < box["y"] + box["height"] + 10
        assert not covers, (selector, box, x, y)


def test_one_notice_at_a_time(open_player):
    """Each is announced at once, and shown when the one before has left; what was found comes before what is near."""
    page = open_player(prepare=lambda page: page.clock.install())
    shown = lambda: page.locator(".notice strong").all_inner_texts()
    page.evaluate(NOTIFY, {"key": "near", "title": "You are close to something"})
    assert shown() == ["You are close to something"]
    for title in ["First", "Second"]:
        page.evaluate(NOTIFY, {**FOUND, "title": title, "key": title, "action": {"label": "Open", "href": f"#/{title}"}})
    page.evaluate(NOTIFY, {"key": "later", "title": "The lockbox is open"})
    assert shown() == ["First"]
    assert all(title in page.inner_text("#spoken") for title in ["First", "Second", "The lockbox is open"])
    page.click(".notice .plain")
    # Each leaves by itself, also under a pointer that the click before has left there, but not while the focus is on it, or a pointer
    # has moved to it.
    assert shown() == ["Second"]
    box = page.locator(".notice").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30, steps=3)
    page.clock.run_for(60_000)
    assert shown() == ["Second"]
    page.mouse.move(5, 600)
    page.focus(".notice a")
    page.clock.run_for(60_000)
    assert shown() == ["Second"]
    page.evaluate("document.activeElement.blur()")
    page.clock.run_for(14_000)
    assert shown() == ["The lockbox is open"]
    page.clock.run_for(20_000)
    assert shown() == []
    # What is found makes the end of a chapter wait.
    page.evaluate(NOTIFY, {**FOUND, "key": "done", "title": "Done", "action": {"label": "What is next", "href": "#/late-post"}})
    page.evaluate(NOTIFY, {**FOUND, "kind": "radio", "key": "found"})
    assert shown() == [FOUND["title"]]
    page.click(".notice .plain")
    assert shown() == ["Done"]
    page.clock.run_for(20_000)
    assert shown() == []


def test_a_question_stays_until_it_is_answered(open_player):
    page = open_player("#/late-post/chapter/the-round", viewport={"width": 320, "height": 568}, reduced_motion="reduce", prepare=lambda page: page.clock.install())
    page.evaluate(ASK, {"key": "one", "symbol": "download", "title": "There is a newer player"})
    page.clock.run_for(300_000)
    question = page.evaluate(SEEN, ".foot .notice")
    assert_inside(question, 320, 568)
    # What else lies at the bottom is above it.
    page.wait_for_function("() => document.querySelector('.dock .primary').getBoundingClientRect().bottom <= document.querySelector('.foot .notice').getBoundingClientRect().top")
    page.click(".foot .small")
    assert page.evaluate("window.isDone") is True and page.locator(".foot .notice").count() == 0


@pytest.mark.parametrize("chapter", ["the-book-box", "the-round", "once-more"])
def test_labels_of_the_map_do_not_collide(open_player, chapter):
    """Names, distances and numbers, from several places and at all zooms."""
    page = open_player(position=MIDDLE, viewport={"width": 320, "height": 568}, reduced_motion="reduce", prepare=lambda page: page.add_init_script(DRAWN))
    remember(page, journal(EVENTS[:7], opened=["first-reader"]))
    go(page, f"#/late-post/map/{chapter}")
    seen = set()
    for latitude, longitude in [MIDDLE, (35.2815, -120.6620), (35.27955, -120.66435), (35.2835, -120.6665), (35.2762, -120.6601)]:
        stand(page, (latitude, longitude), fixes=5)
        for button in ["plus"] * 3 + ["minus"] * 5:
            page.click(f'.map-tools button:nth-child({3 if button == "plus" else 4})', force=True)
            settle(page)
            texts = page.evaluate("window.drawn")
            seen |= {text["text"] for text in texts}
            for index, one in enumerate(texts):
                for other in texts[:index]:
                    apart = one["left"] >= other["right"] or other["left"] >= one["right"] or one["top"] >= other["bottom"] or other["top"] >= one["bottom"]
                    assert apart, (one, other)
    assert any(text.endswith(" m") for text in seen), seen


def test_no_letter_of_a_title_is_cut_off(open_player):
    """A title with letters that reach out of their boxes looks the same where nothing is cut off."""
    page = open_player("#/late-post/journal", reduced_motion="reduce")
    page.evaluate("document.querySelector('h1').textContent = 'Journal gjpqy Äg'")
    box = page.locator("h1").bounding_box()
    around = {"x": box["x"] - 8, "y": box["y"] - 8, "width": box["width"] + 16, "height": box["height"] + 16}
    first = page.screenshot(clip=around)
    page.evaluate("document.querySelector('h1').style.overflow = 'visible'")
    assert page.screenshot(clip=around) == first
