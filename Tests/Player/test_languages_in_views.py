"""Every view of a story: the language of each text, and the menu that changes it."""
import copy
import pytest
from collected import with_collection
from playing import EVENTS, go, journal, remember, settle, stand
from test_small_screens import SEEN, assert_inside

HERE = (35.2806, -120.6640)
VIEWS = ["", "/chapter/the-round", "/map/the-book-box", "/map/the-round", "/tour/the-round", *[f"/event/{event}" for event in EVENTS], "/journal", "/ending",
         "/collection", "/section/tower", "/item/great-bell", "/item/letter", "/news", "/about", "/credits"]


# Texts that fall back

def content_texts(content, key):
    """The texts of an event's content, as Documentation/stories.md has their keys: `(key, part, name)`."""
    kind = content["type"]
    if kind == "camera":
        yield f"{key}/camera/clue", content, "clue"
        if "sample" in content: yield f"{key}/camera/sample/alt", content["sample"], "alt"
    for number, track in enumerate(content.get("tracks", []), 1):
        yield from track_texts(track, f"{key}/radio/{number}")
    for number, item in enumerate(content.get("items", []), 1):
        yield f"{key}/scrapbook/{number}/{'text' if item['type'] == 'text' else 'alt'}", item, "text" if item["type"] == "text" else "alt"
    for number, pin in enumerate(content.get("pins", []), 1):
        yield f"{key}/goggles/{number}/alt", pin["image"], "alt"
    for number, question in enumerate(content.get("questions", []), 1):
        yield f"{key}/quiz/{number}/text", question, "text"
        if "image" in question: yield f"{key}/quiz/{number}/image/alt", question["image"], "alt"
        for index, choice in enumerate(question["choices"], 1):
            yield f"{key}/quiz/{number}/choices/{index}", choice, "text"


def track_texts(track, key):
    yield f"{key}/alt", track["audio"], "alt"
    yield f"{key}/transcript", track, "transcript"


def texts(story):
    """All texts of a story with their keys, where it has them: `(key, part, name)`."""
    for name in ("name", "description", "credits"):
        yield f"story/{name}", story, name
    yield "story/cover/alt", story["cover"], "alt"
    for name in ("text", "address", "hours"):
        yield f"about/{name}", story["about"], name
    for entry in story["news"]:
        for name in ("title", "text"):
            yield f"news/{entry['id']}/{name}", entry, name
        if "image" in entry: yield f"news/{entry['id']}/image/alt", entry["image"], "alt"
    for section in story["sections"]:
        for name in ("name", "description"):
            yield f"section/{section['id']}/{name}", section, name
        for item in section["items"]:
            key = f"item/{item['id']}"
            for name in ("name", "text"):
                yield f"{key}/{name}", item, name
            for number, image in enumerate(item["images"], 1):
                yield f"{key}/images/{number}/alt", image, "alt"
            if "audio" in item: yield from track_texts(item["audio"], f"{key}/audio")
    for chapter in story["chapters"]:
        for name in ("name", "description"):
            yield f"chapter/{chapter['id']}/{name}", chapter, name
        yield f"chapter/{chapter['id']}/image/alt", chapter["image"], "alt"
        for lockbox in chapter["lockboxes"]:
            yield f"lockbox/{lockbox['id']}/question", lockbox, "question"
            for number in range(len(lockbox["hints"])):
                yield f"lockbox/{lockbox['id']}/hints/{number + 1}", lockbox["hints"], number
        for event in chapter["events"]:
            key = f"event/{event['id']}"
            for name in ("name", "description"):
                yield f"{key}/{name}", event, name
            yield from content_texts(event["content"], key)
            for name in ("title", "description"):
                yield f"{key}/journal/{name}", event["journal"], name
            if "content" in event["journal"]: yield from content_texts(event["journal"]["content"], f"{key}/journal")


def half_translated(story):
    """The sample story in German, in which every second text fell back to English. Each says which language it is in."""
    story = copy.deepcopy(with_collection(story)) | {"language": "de", "languages": ["en-US", "de"], "version": 3}
    fallen = {}
    for index, (key, part, name) in enumerate(texts(story)):
        has = name < len(part) if isinstance(part, list) else name in part
        if not has: continue
        tag = "en-US" if index % 2 else "de"
        mark = f"[{tag}]"
        text = part[name]
        part[name] = f"{mark} {text}" if isinstance(text, str) else [{"type": "paragraph", "of": [mark]}, *text]
        if tag == "en-US": fallen[key] = tag
    return story | {"textLanguages": fallen}


#: Texts and images that say a language, as `said, marked, text`: the second is that by which a screen reader chooses its voice.
SPOKEN = """() => {
    const said = text => [...text.matchAll(/\\[(en-US|de)\\]/g)].map(([, tag]) => tag);
    const languageOf = node => node.closest('[lang]').lang;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const rows = [];
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        for (const tag of said(data)) rows.push([tag, languageOf(parentElement), data]);
    }
    for (const image of document.querySelectorAll('img[alt]')) for (const tag of said(image.alt)) rows.push([tag, languageOf(image), image.alt]);
    for (const video of document.querySelectorAll('video[aria-label]')) for (const tag of said(video.ariaLabel)) rows.push([tag, languageOf(video), video.ariaLabel]);
    return rows;
}"""


def at_home(open_player, change, found=EVENTS[:8], opened=("first-reader",), **options):
    page = open_player(position=HERE, prepare=lambda page: page.route("**/v1/stories/late-post", lambda route: route.fulfill(json=change(route.fetch().json()))),
                       **options)
    remember(page, journal(found, opened=opened))
    return page


def test_texts_name_the_language_that_they_fell_back_to(open_player):
    page = at_home(open_player, half_translated, locale="de-DE")
    wrong, seen = [], set()

    def look(view):
        rows = page.evaluate(SPOKEN)
        wrong.extend((view, *row) for row in rows if row[0] != row[1])
        seen.update(row[0] for row in rows)
        return rows

    for view in VIEWS:
        go(page, f"#/late-post{view}")
        settle(page)
        assert look(view), view
    assert seen == {"en-US", "de"}
    # What comes later: a hint, what was looked for, an image on the whole screen, and the list of stories.
    go(page, "#/late-post/map/once-more")
    page.click(".lockbox summary")
    page.fill(".lockbox input", "nine")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hint:not([hidden])")
    look("hint")
    go(page, "#/late-post/collection")
    for word in ("bell", "hemp", "inscription", "stroke"):
        page.fill("input[type=search]", word)
        page.wait_for_selector(".results mark")
        look(word)
    go(page, "#/late-post/item/great-bell")
    page.click(".gallery .enlarge >> nth=0")
    page.wait_for_selector("dialog.viewer[open]")
    look("viewer")
    assert wrong == []


def test_the_list_of_stories_names_the_languages_of_its_words(open_player):
    listed = {"id": "late-post", "language": "en-US", "languages": ["en-US", "de"], "name": "[en-US] name", "description": "[en-US] words",
              "translations": {"de": {"name": "[de] name", "description": "[en-US] words", "textLanguages": {"story/description": "en-US"}}}}
    page = open_player(locale="de-DE", prepare=lambda page: page.route("**/v1/stories", lambda route: route.fulfill(json=[listed])))
    page.wait_for_selector(".poster .author")
    assert sorted(row[:2] for row in page.evaluate(SPOKEN)) == [["de", "de"], ["en-US", "en-US"]]


def test_what_is_said_is_in_its_language(open_player):
    """A view's title, and the notices of finds."""
    page = at_home(open_player, half_translated, found=EVENTS[:2], locale="de-DE")
    spoken = lambda: page.evaluate("[...document.querySelectorAll('#spoken span[lang]')].map(({ lang, textContent }) => [lang, textContent])")
    for event in EVENTS[:2]:
        go(page, f"#/late-post/event/{event}")
    assert len(spoken()) == 2 and all(f"[{language}]" in text for language, text in spoken())
    go(page, "#/late-post/map/the-book-box")
    stand(page, (35.28014, -120.66392))
    page.wait_for_selector(".notice[data-kind]")
    rows = page.evaluate(SPOKEN)
    assert rows and all(said == marked for said, marked, _ in rows), rows


# The menu

#: What the menu of languages covers: texts and controls beside it whose boxes meet its own.
UNDER = """() => {
    const menu = document.querySelector('.of-story');
    const { left, right, top, bottom } = menu.getBoundingClientRect();
    const isOther = node => !menu.contains(node) && !node.contains(menu) && node.checkVisibility({ visibilityProperty: true }) && !node.matches('.spoken, .spoken *');
    const hasText = node => node.matches('a, button, input, select, summary') || [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
    const meets = box => box.left < right - 1 && box.right > left + 1 && box.top < bottom - 1 && box.bottom > top + 1;
    return [...document.querySelectorAll('#view *')].filter(node => isOther(node) && hasText(node) && [...node.getClientRects()].some(meets))
        .map(node => `${node.tagName}.${node.className} ${node.textContent.slice(0, 40)}`);
}"""


@pytest.mark.parametrize("text", [16, 32])
@pytest.mark.parametrize("locale", ["en-US", "ar-EG"])
def test_every_view_has_the_menu(open_player, locale, text):
    """On a small screen it can be reached, and covers nothing."""
    page = at_home(open_player, with_collection, locale=locale, viewport={"width": 320, "height": 568}, reduced_motion="reduce",
                   arguments=(f"--blink-settings=defaultFontSize={text}",))
    for view in VIEWS:
        go(page, f"#/late-post{view}")
        settle(page)
        while page.locator(".notices .notice").count():
            page.click(".notices .notice .plain")
        assert page.locator(".of-story select").count() == 1, view
        assert_inside(page.evaluate(SEEN, ".of-story select"), 320, 568)
        assert page.evaluate(UNDER) == [], view
        box = page.locator(".of-story").bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, (view, box)


@pytest.mark.parametrize("view, english, german", [
    ("/chapter/the-round", "The Round", "Die Runde"), ("/map/the-round", "The Round", "Die Runde"), ("/tour/the-round", "The Round", "Die Runde"),
    ("/event/arbor", "Madrid: over three fences", "Madrid: über drei Zäune"), ("/item/second-card", "The second card: Madrid", "Die zweite Karte: Madrid"),
])
def test_the_language_changes_in_the_view(open_player, view, english, german):
    """By the keyboard, and the reader stays there, with the focus on the menu."""
    page = open_player(position=HERE, viewport={"width": 320, "height": 568})
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, f"#/late-post{view}")
    assert page.inner_text("h1") == english
    page.focus(".of-story select")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("text => document.querySelector('h1').innerText === text", arg=german)
    assert page.evaluate("[document.documentElement.lang, document.querySelector('h1').lang, document.activeElement.name, location.hash]") == [
        "de", "de", "language", f"#/late-post{view}"]
    page.select_option(".of-story select", "en-US")
    page.wait_for_function("text => document.querySelector('h1').innerText === text", arg=english)
