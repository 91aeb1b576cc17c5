"""A story by a screen reader alone: what Chromium's accessibility tree says, and what is announced."""
import pytest
from hearing import CONTROLS, LISTEN, Reader
from playing import EVENTS, PLACES, found, go, hurry, journal, remember, settle, stand
from test_views import ACTS, MIDDLE, VIEWS

#: Whether the focus is on something that is on the screen and not covered (WCAG 2.2, 2.4.11).
FOCUS = """() => {
    const node = document.activeElement;
    if (node === document.body) return null;
    const box = (node.closest('label') ?? node.parentElement.querySelector(`label[for="${node.id}"]`) ?? node).getBoundingClientRect();
    const [x, y] = [(Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2];
    const seen = document.elementFromPoint(x, y);
    const isSeen = box.width > 0 && seen && (node.contains(seen) || seen.contains(node) || node.closest('label')?.contains(seen)
        || seen.htmlFor === node.id || seen.closest('label')?.htmlFor === node.id);
    return { name: node.getAttribute('aria-label') ?? node.innerText?.trim() ?? '', tag: node.localName, top: Math.round(box.top), isSeen: Boolean(isSeen), html: node.outerHTML.slice(0, 120) };
}"""


def listening(page):
    page.add_init_script(LISTEN)


def faults(reader, view):
    nodes = reader.nodes()
    controls = [node for node in nodes if node.role in CONTROLS or node.states.get("focusable") and node.role not in ("RootWebArea", "main", "heading", "group")]
    listed = [f"{view}: a control without a name: {node}" for node in controls if not node.name]
    listed += [f"{view}: an image without a name: {node}" for node in nodes if node.role in ("image", "img", "Canvas") and not node.name]
    dialogs = [node for node in nodes if node.role == "dialog"]
    if dialogs:
        # What is behind a dialog is not there.
        return listed + [f"{view}: a dialog without a name" for dialog in dialogs if not dialog.name]
    headings = [node for node in nodes if node.role == "heading"]
    if [node.states.get("level") for node in headings].count(1) != 1 or headings[0].states.get("level") != 1:
        listed.append(f"{view}: headings {headings}")
    if [node.role for node in nodes].count("main") != 1:
        listed.append(f"{view}: no main part")
    return listed


def tab_stops(page):
    """Presses Tab through a view and back to the browser; returns the stops."""
    page.evaluate("document.querySelector('h1').focus()")
    stops = []
    for _ in range(60):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None or stops and stop == stops[0]:
            return stops
        stops.append(stop)
    raise AssertionError("the focus does not come round")


def test_every_view_is_named_and_in_order(open_player):
    """All controls have names, each view one main part and one first heading; the focus is never on what is covered."""
    page = open_player(position=MIDDLE, reduced_motion="reduce")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post")
    stand(page, MIDDLE, fixes=3)
    reader = Reader(page)
    listed = []
    for name, address in VIEWS.items():
        go(page, address)
        settle(page)
        listed += faults(reader, name)
        for act, selector, *pictures in ACTS.get(name, []):
            page.click(selector)
            for video in pictures:
                page.wait_for_function("selector => document.querySelector(selector)?.videoWidth > 0", arg=video)
            settle(page)
            listed += faults(reader, f"{name}, {act}")
            if page.locator("dialog[open]").count():
                page.keyboard.press("Escape")
        stops = tab_stops(page)
        print(f"{name}: {', '.join(stop['name'] or stop['tag'] for stop in stops)}")
        listed += [f"{name}: the focus is covered: {stop['html']}" for stop in stops if not stop["isSeen"]]
        tags = [stop["tag"] for stop in stops]
        assert stops and len(stops) == len({(stop["html"], index) for index, stop in enumerate(stops)}), tags
    assert listed == []


def test_a_chapter_is_followed_by_ear(open_player):
    """From the list of stories to the end of a chapter, by roles, names and announcements."""
    page = open_player("#/", position=(35.2806, -120.6640), prepare=lambda page: (listening(page), hurry(page)))
    reader = Reader(page)
    assert next(node for node in reader.nodes() if node.role == "heading" and node.states.get("level") == 2).name == "The Late Post"
    reader.press("link", "Open the story")
    reader.focused_on("heading", "The Late Post")
    reader.heard("The Late Post")
    reader.press("link", "The Book Box", "0 of 3 found")
    reader.press("link", "Start exploring")
    reader.until("image", "Map of The Book Box", "What is around")

    # What the map shows is there in words.
    page.wait_for_function("() => document.querySelector('.nearest .where').innerText.includes(' m, ')")
    reader.press("DisclosureTriangle", "What is around")
    around = [node.name for node in reader.nodes() if node.role == "StaticText" and (" m, " in node.name or "right here" in node.name)]
    assert len(around) >= 3, around

    # A wrong answer: the hint is announced, and the field keeps the focus.
    reader.press("DisclosureTriangle", "Lockbox")
    field = reader.until("textbox", "In which year did it lend its first?")
    reader.session.send("DOM.focus", {"backendNodeId": field.element})
    page.keyboard.type("1955")
    page.keyboard.press("Enter")
    assert "plaque" in reader.heard("Not quite.")
    assert reader.focused().role == "textbox" and "plaque" in reader.focused().description
    page.keyboard.type("1905")
    page.keyboard.press("Enter")
    reader.heard("The lockbox is open")

    # Found events are announced with their names, and a link leads to each.
    stand(page, PLACES["library-door"])
    reader.heard("Where books came from", "You found something")
    reader.press_within("Where books came from", "link", "Open")
    reader.focused_on("heading", "Where books came from")
    assert any("Take the door" in node.name for node in reader.nodes() if node.role == "StaticText")
    reader.press("button", "Look through it here")
    shutter = reader.until("button", "Take the picture")
    # What is behind the picture is not there meanwhile.
    assert shutter.states.get("focused") and not any(node.name == "Journal" for node in reader.nodes())
    page.wait_for_function("() => document.querySelector('.live video')?.videoWidth > 0")
    page.keyboard.press("Enter")
    reader.heard("in your journal")
    reader.until("image", "as it was taken")
    reader.focused_on("button", "Look through it here")

    go(page, "#/late-post/map/the-book-box")
    stand(page, PLACES["breakfast-tape"])
    reader.heard("Thirty seconds of breakfast")
    # In the evening the lamps of another chapter are found there too.
    reader.press_within("Thirty seconds of breakfast", "link", "Open")
    reader.focused_on("heading", "Thirty seconds of breakfast")
    reader.press("button", "Play", key="Space")
    reader.until("button", "Pause")
    reader.press("button", "Pause", key="Space")
    assert reader.find("slider", "Position in the recording").states["orientation"] == "horizontal"
    reader.press("DisclosureTriangle", "Transcript")
    assert any("orchestra swells" in node.name for node in reader.nodes())

    # The last one of the chapter: both are announced, one after the other.
    go(page, "#/late-post/map/the-book-box")
    stand(page, PLACES["four-cards"])
    reader.heard("Four cards at the creek")
    reader.heard("Done", "The Book Box")
    go(page, "#/late-post/journal")
    reader.until("link", "I am the mailman now")
    assert set(found(page)["events"]) - {"five-lamps"} == {"library-door", "breakfast-tape", "four-cards"}


def test_a_quiz_is_followed_by_ear(open_player):
    page = open_player(prepare=listening)
    remember(page, journal(EVENTS[:6]))
    go(page, "#/late-post/event/counter")
    reader = Reader(page)
    group = reader.until("group", "What on the third card says that he did not?")
    assert group
    reader.press("button", "Answer")
    reader.heard("Choose an answer first.")
    assert any(node.name == "Choose an answer first." for node in reader.nodes())
    reader.press("radio", "The roof is dry.", key="Space")
    reader.press("button", "Answer")
    reader.heard("Not right")
    wrong = [node.name for node in reader.nodes() if node.role == "radio"]
    assert any("right answer" in name for name in wrong) and any("your answer, which is wrong" in name for name in wrong), wrong
    reader.focused_on("button", "Go on")
    page.keyboard.press("Enter")
    reader.focused_on("heading", "In 1968 the town voted")


def test_a_position_that_is_refused_is_announced(open_player):
    page = open_player("#/late-post/map/the-book-box", position=MIDDLE, permitted=False, prepare=listening)
    reader = Reader(page)
    reader.press("button", "Show where I am")
    reader.heard("not permitted")
    reader.focused_on("group", "Your position")


@pytest.mark.parametrize("gone", ["play", "getUserMedia"])
def test_what_does_not_work_is_announced(open_player, gone):
    page = open_player(position=MIDDLE, prepare=listening, arguments=())
    remember(page, journal(EVENTS[:4]))
    reader = Reader(page)
    if gone == "play":
        go(page, "#/late-post/event/breakfast-tape")
        page.evaluate("() => { HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError')) }")
        reader.press("button", "Play")
        reader.heard("The browser wants a tap")
    else:
        go(page, "#/late-post/event/library-door")
        reader.press("button", "Look through it here")
        reader.heard("camera")
