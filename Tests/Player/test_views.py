"""Checks each view with axe-core and saves a screenshot, in two sizes by day and by night, on a small phone, and from right to left."""
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import PHONE, SCREENSHOTS, TABLET
from playing import EVENTS, go, journal, remember, settle, stand
from test_small_screens import ASK, FOUND, NOTIFY, SEEN

# The player's position, between three events.
MIDDLE = (35.28057, -120.66403)
SIZES = {"phone": PHONE, "tablet": TABLET}
SMALL = {"width": 320, "height": 568}

VIEWS = {
    "1-stories": "#/", "2-chapters": "#/late-post", "3-chapter": "#/late-post/chapter/the-book-box",
    "3-chapter-tour": "#/late-post/chapter/the-round", "4-exploration": "#/late-post/map/the-book-box",
    "4-exploration-far": "#/late-post/map/once-more", "4-exploration-tour": "#/late-post/map/the-round",
    "5-tour-list": "#/late-post/tour/the-round", "6-camera": "#/late-post/event/library-door",
    "7-radio": "#/late-post/event/breakfast-tape", "8-scrapbook": "#/late-post/event/four-cards",
    "9-goggles": "#/late-post/event/house-without-door", "10-quiz": "#/late-post/event/counter", "11-journal": "#/late-post/journal",
    "12-not-found": "#/late-post/event/bell-tower", "12-ending": "#/late-post/ending", "13-no-such-page": "#/a/b/c/d", "13-no-such-story": "#/nobody",
}

# What is done in a view before it is looked at again: a name, what is clicked, and the video that is there then.
ACTS = {
    "4-exploration": [("tilted", ".map-tools button:nth-child(2)"), ("around", ".nearby summary")],
    "4-exploration-far": [("lockbox", ".lockbox summary")],
    "5-tour-list": [("steps", ".segments label:first-of-type")],
    "6-camera": [("sample", ".sample summary"), ("live", ".choices button", ".live video")],
    "7-radio": [("bars", ".segments label:nth-of-type(2)"), ("needles", ".segments label:nth-of-type(3)"), ("transcript", ".transcript summary")],
    "9-goggles": [("live", ".goggles .primary", ".scene video:not([hidden])")],
    "10-quiz": [("chosen", ".choice:nth-of-type(2)"), ("answered", ".quiz .primary")],
}


#: Resolves to the violations alone: all that axe-core looked at is megabytes. By night only colours are others than by day.
AXE = """async within => {
    const day = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], night = { type: 'rule', values: ['color-contrast'] };
    const runOnly = matchMedia('(prefers-color-scheme: dark)').matches ? night : day;
    const { violations } = await axe.run(within ?? document, { runOnly, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""


def look(page, name, within=None):
    """Takes a screenshot, and returns what axe-core finds: on the page, or within what a selector names of a long one."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    settle(page)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", scale="css" if page.viewport_size["width"] > 500 else "device")
    if page.evaluate("window.axe === undefined"):
        page.evaluate(Axe().axe_script)
    return [f"{name}: {violation}" for violation in page.evaluate(AXE, within)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_view(open_player, size, scheme):
    page = open_player(position=MIDDLE, viewport=SIZES[size], color_scheme=scheme, reduced_motion="reduce")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post")
    stand(page, MIDDLE, fixes=3)
    issues = []
    for name, address in VIEWS.items():
        go(page, address)
        if name == "1-stories":
            page.wait_for_selector(".cover img")
            page.wait_for_selector(".download .state")
        page.evaluate("document.querySelectorAll('.notice').forEach(notice => notice.remove())")
        if name == "7-radio":
            page.wait_for_function("() => document.querySelector('canvas.visualizer').visualizer.levels")
            page.evaluate("document.querySelector('audio').currentTime = 9")
        issues += look(page, f"{size}-{scheme}-{name}")
        for act, selector, *pictures in ACTS.get(name, []):
            page.click(selector)
            for video in pictures:
                page.wait_for_function("selector => document.querySelector(selector)?.videoWidth > 0", arg=video)
            issues += look(page, f"{size}-{scheme}-{name}-{act}")
    assert issues == []


def test_from_right_to_left(open_player):
    page = open_player(position=MIDDLE, locale="ar-EG", reduced_motion="reduce")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    assert page.evaluate("[document.documentElement.dir, document.documentElement.lang]") == ["rtl", "ar"]
    issues = []
    for name in ["1-stories", "2-chapters", "4-exploration", "5-tour-list", "7-radio", "10-quiz", "11-journal"]:
        go(page, VIEWS[name])
        if name == "1-stories":
            page.wait_for_selector(".cover img")
        issues += look(page, f"phone-arabic-{name}")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name} is {wide} pixels too wide"
    assert issues == []


#: What lies beyond the sides of the screen, and is not cut off by design.
BEYOND = """() => [...document.querySelectorAll('#view *')].filter(node => {
    const { left, right, width } = node.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1) && !node.closest('.scene, .spoken, .hero, dialog');
}).map(node => node.outerHTML.slice(0, 100))"""


def test_nothing_is_wider_than_a_small_phone(open_player):
    """Nothing lies beyond 320 pixels, which is also the width of a phone at 120 % zoom (WCAG 2.2, 1.4.10)."""
    page = open_player(position=MIDDLE, viewport=SMALL, reduced_motion="reduce")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    issues = []
    for name, address in VIEWS.items():
        go(page, address)
        for act, selector in [(None, None), *(act[:2] for act in ACTS.get(name, []) if len(act) == 2)]:
            if selector:
                page.click(selector)
            issues += look(page, "-".join(filter(None, ["small-light", name, act])))
            issues += [f"{name}, {act}: {node}" for node in page.evaluate(BEYOND)]
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, name
    assert issues == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_lies_above_a_view(open_player, scheme):
    """The small player, a notice, a question and an open lockbox on a small phone, all at once."""
    page = open_player(position=MIDDLE, viewport=SMALL, color_scheme=scheme, reduced_motion="reduce",
                       arguments=("--autoplay-policy=no-user-gesture-required", "--mute-audio"))
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post/event/breakfast-tape")
    page.click(".play")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0")
    go(page, "#/late-post/map/once-more")
    stand(page, MIDDLE, fixes=3)
    issues = look(page, f"small-{scheme}-16-listening")
    page.click(".lockbox summary")
    page.evaluate(NOTIFY, {**FOUND, "kind": "radio"})
    page.evaluate(ASK, {"key": "one", "symbol": "download", "title": "There is a newer player"})
    issues += look(page, f"small-{scheme}-16-above")
    for selector in [".lockbox input", ".listening a", ".foot .notice .small", ".notices a"]:
        assert page.evaluate(SEEN, selector)["isSeen"], selector
    assert issues == []


@pytest.mark.parametrize("size", SIZES)
def test_a_preview(open_player, size):
    page = open_player("#/late-post/map/the-book-box", query="?preview", viewport=SIZES[size], reduced_motion="reduce")
    page.wait_for_selector(".preview")
    assert look(page, f"{size}-light-14-preview") == []
