"""Authors' texts with emphasis, lists, quotes and links: their nodes, where links lead, and what a screen reader gets of them."""
import pytest
import stand_in
from conftest import PHONE, TABLET
from hearing import Reader
from playing import EVENTS, PLACES, go, journal, remember, stand
from test_views import BEYOND, SMALL, look

#: The HTML of a text, by the page's own function.
RENDER = """async ([text, most]) => {
    const { authored } = await import(new URL('./components/element.js', document.baseURI).href);
    const node = authored(text, { lang: 'de', dir: 'auto' }, most);
    return [node.outerHTML.replace(/^<div class="author" lang="de" dir="auto">|<[/]div>$/g, ''), node.innerText];
}"""
CYRILLIC = "\u0430\u0440\u0440\u04cf\u0435.example"
LINK = 'target="_blank" rel="noopener noreferrer external" referrerpolicy="no-referrer"'


def paragraph(*parts): return {"type": "paragraph", "of": list(parts)}
def link(href, *parts): return {"type": "link", "href": href, "of": list(parts)}
def strong(*parts): return {"type": "strong", "of": list(parts)}
def emphasis(*parts): return {"type": "emphasis", "of": list(parts)}


@pytest.mark.parametrize("text, html", [
    ("One.\nTwo & <b>three</b>.\n\n ", "<p>One.</p><p>Two &amp; &lt;b&gt;three&lt;/b&gt;.</p>"), ("", ""), (None, ""),
    ([paragraph("Ring ", strong("once ", emphasis("more")), ".")], "<p>Ring <strong>once <em>more</em></strong>.</p>"),
    ([{"type": "list", "items": [[paragraph("a")], [paragraph("b"), {"type": "list", "start": 3, "items": [[paragraph("c")], []]}]]}],
     '<ul><li><p>a</p></li><li><p>b</p><ol start="3"><li><p>c</p></li><li></li></ol></li></ul>'),
    ([{"type": "quote", "of": [paragraph("a"), paragraph("b")]}], "<blockquote><p>a</p><p>b</p></blockquote>"),
    ([paragraph(link("https://example.org/a?b", "the ", strong("tower")))],
     f'<p><a href="https://example.org/a?b" {LINK}>the <strong>tower</strong> (<bdi>example.org</bdi>)</a></p>'),
    ([paragraph(link("https://example.org", "https://example.org"))], f'<p><a href="https://example.org" {LINK}>https://example.org</a></p>'),
    ([paragraph(link("https://evil.example/x", "https://example.org"))],
     f'<p><a href="https://evil.example/x" {LINK}>https://example.org (<bdi>evil.example</bdi>)</a></p>'),
    ([paragraph(link("mailto:info@example.org?subject=B", "write"), link("tel:+431", "+431"), link("geo:1,2", "here"))],
     f'<p><a href="mailto:info@example.org?subject=B" {LINK}>write (<bdi>info@example.org</bdi>)</a><a href="tel:+431" {LINK}>+431</a>'
     f'<a href="geo:1,2" {LINK}>here (<bdi>1,2</bdi>)</a></p>'),
    # Names of hosts may seem to be others: Cyrillic letters, as Python's codec of IDNA writes them, and a port that is not the usual one.
    ([paragraph(link(f"https://{CYRILLIC}/", f"https://{CYRILLIC}/"))],
     f'<p><a href="https://{CYRILLIC}/" {LINK}>https://{CYRILLIC}/ (<bdi>{CYRILLIC.encode("idna").decode()}</bdi>)</a></p>'),
    ([paragraph(link("https://example.org:8443/x", "example.org"))],
     f'<p><a href="https://example.org:8443/x" {LINK}>example.org (<bdi>example.org:8443</bdi>)</a></p>'),
    # What a newer story may have is its words.
    ([paragraph("a ", {"type": "code", "of": ["b"]}), {"type": "verse", "of": ["c"]}, {"type": "rule"}], "<p>a <span>b</span></p><span>c</span><span></span>"),
])
def test_nodes(text, html):
    assert stand_in.evaluated(RENDER, [text, 100])[0] == html


def test_the_beginning_of_a_text():
    assert stand_in.evaluated(RENDER, [[paragraph("a"), paragraph("b")], 1])[0] == "<p>a</p>"


@pytest.mark.parametrize("href", [
    "javascript:alert(1)", " javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\nscript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "vbscript:x", "file:///etc/passwd", "blob:https://example.org/x", "#/", "/v1/stories", "page.html", "//example.org", "https:/example.org", "https://",
    "", " https://example.org", None, {"a": 1}, "http://[::1", "http://[::g]/", "https://example.org:65536/", "https://:80/", "https://1.2.3.256/",
    "https://example.org@evil.example/", "https://a:b@c.example/", "https://@c.example/\u202e", "https://exa\tmple.org/", "https://example.org/\n",
    "https://example.org/\u202egpj", "https://example.org\\@evil.example/", "https://a b.example/", "https://a%00b.example/",
    "mailto:a\u2066@b.example",
])
def test_other_addresses_are_no_links(href):
    """Also where the JSON was not made by Wayreel."""
    assert stand_in.evaluated(RENDER, [[paragraph(link(href, "a"))], 1])[0] == "<p><span>a</span></p>"


@pytest.mark.parametrize("words", ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "&lt;b&gt;", "\" onclick=\"alert(1)"])
def test_words_are_never_markup(words):
    text = [paragraph(words, strong(words), link("https://example.org", words)), {"type": "quote", "of": [paragraph(words)]}]
    html, shown = stand_in.evaluated(RENDER, [text, 100])
    assert shown.count(words) == 4
    assert "<img" not in html and "<script" not in html and " onclick" not in html.replace("\" onclick=\"alert(1)", "")


# In views

RICH = [
    paragraph("It ", emphasis("leans"), ", and ", strong("rings"), ": see ", link("https://example.org/bells?tower=1", "its history"), "."),
    {"type": "list", "start": 4, "items": [[paragraph("Up")], [paragraph("Down, as in "), {"type": "list", "items": [[paragraph("slowly")], [paragraph("not at all")]]}]]},
    {"type": "quote", "of": [paragraph("Who rang the bell, and why? Nobody knows, and ", link("https://a-very-long-name-of-a-host.museum.example/x", "nobody asks"), ".")]},
]


def rich(page):
    """Gives all texts of the story markup, before the page is opened."""
    def answer(route):
        story = route.fetch().json()
        story["description"] = story["credits"] = RICH
        for chapter in story["chapters"]:
            chapter["description"] = RICH
            for lockbox in chapter["lockboxes"]:
                lockbox["question"] = RICH
            for event in chapter["events"]:
                event["description"] = RICH
                for content in (event["content"], event.get("journal", {}).get("content") or {}):
                    content.update({"clue": RICH} if "clue" in content else {})
                    for question in content.get("questions", []):
                        question["text"] = RICH
                    for track in content.get("tracks", []):
                        track["transcript"] = RICH
                    for item in content.get("items", []):
                        item.update({"text": RICH} if item.get("type") == "text" else {})
        route.fulfill(json=story)
    page.route("**/v1/stories/late-post", answer)


VIEWS = {
    "chapters": "#/late-post", "chapter": "#/late-post/chapter/the-book-box", "camera": "#/late-post/event/library-door", "radio": "#/late-post/event/breakfast-tape",
    "scrapbook": "#/late-post/event/four-cards", "quiz": "#/late-post/event/counter", "tour": "#/late-post/tour/the-round", "journal": "#/late-post/journal",
    "ending": "#/late-post/ending", "lockbox": "#/late-post/map/once-more",
}


@pytest.mark.parametrize("size, locale, scheme", [(PHONE, "en-US", "light"), (SMALL, "ar-EG", "light"), (TABLET, "en-US", "dark")])
def test_rich_texts_in_all_views(open_player, size, locale, scheme):
    page = open_player(position=PLACES["matinee"], viewport=size, locale=locale, color_scheme=scheme, reduced_motion="reduce", prepare=rich)
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post")
    stand(page, PLACES["five-lamps"])
    issues = []
    for name, address in VIEWS.items():
        go(page, address)
        if name == "lockbox":
            page.click(".lockbox summary")
        if name == "chapters":
            page.click("details.about summary")
        if name == "radio":
            page.click(".transcript summary")
        page.evaluate("document.querySelectorAll('.notice').forEach(notice => notice.remove())")
        assert "[object" not in page.inner_text("body"), name
        issues += look(page, f"rich-{name}-{locale}-{size['width']}") + [f"{name}: {node}" for node in page.evaluate(BEYOND)]
    assert issues == []


def test_rich_texts_by_ear(open_player):
    """Lists are lists with numbers, and links say where they lead."""
    page = open_player("#/late-post/chapter/the-book-box", prepare=rich)
    reader = Reader(page)
    reader.find("link", "its history (example.org)")
    reader.find("blockquote")
    nodes = reader.nodes()
    assert [node.name for node in nodes if node.role == "ListMarker"][:2] == ["4.", "5."]
    assert {"emphasis", "strong"} <= {node.role for node in nodes}


def test_links_open_only_when_pressed(open_player):
    """They open a page of their own, which neither gets the story's address nor the page itself."""
    page = open_player("#/late-post/chapter/the-book-box", prepare=rich)
    asked = []
    page.context.route("https://example.org/**", lambda route: (asked.append(route.request.headers), route.fulfill(body="<title>Bells</title>", content_type="text/html")))
    page.wait_for_timeout(500)
    assert asked == []
    with page.context.expect_page() as opened:
        page.click("text=its history")
    opened.value.wait_for_load_state()
    assert opened.value.url == "https://example.org/bells?tower=1"
    assert len(asked) == 1 and "referer" not in asked[0]
    assert opened.value.evaluate("[window.opener, document.referrer]") == [None, ""]
    assert page.url.endswith("#/late-post/chapter/the-book-box")


def test_a_question_is_the_label_of_its_field(open_player):
    page = open_player("#/late-post/map/the-book-box", position=PLACES["library-door"], prepare=rich)
    page.click(".lockbox summary")
    assert "It leans, and rings: see its history (example.org)." in Reader(page).until("textbox", "It leans").name
    assert page.inner_text(".lockbox .author ol li >> nth=0") == "Up"
    assert "4. Up" in page.text_content(".lockbox .peek")
