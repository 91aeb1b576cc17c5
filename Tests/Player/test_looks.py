"""What nobody should see: words that are cut off or broken in two, and marks of other sizes than everywhere else."""
import pytest
from playing import EVENTS, go, journal, remember, settle
from test_views import SMALL, VIEWS

#: The room of a search field for what it says of itself, and how wide that is.
ROOM = """() => {
    const field = document.querySelector('input[type="search"]'), style = getComputedStyle(field), text = getComputedStyle(field, '::placeholder');
    const context = document.createElement('canvas').getContext('2d');
    context.font = `${text.fontWeight} ${text.fontSize} ${text.fontFamily}`;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return [room, context.measureText(field.placeholder).width, getComputedStyle(field, '::-webkit-search-cancel-button').display];
}"""

#: The words of titles that stand in more than one line, without a hyphen that the browser knows a place for.
BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap(title => {
    const walker = document.createTreeWalker(title, NodeFilter.SHOW_TEXT), broken = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    return broken;
})"""


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "fr-FR", "es-ES", "pt-PT", "ar-EG"])
def test_a_search_field_says_all_of_what_it_is_for(open_player, locale):
    page = open_player("#/late-post/collection", viewport=SMALL, locale=locale)
    for address in ["#/late-post/collection", page.get_attribute("a[href*='/section/']", "href")]:
        go(page, address)
        page.wait_for_selector("input[type='search']")
        room, width, _ = page.evaluate(ROOM)
        assert width <= room, address


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_names_of_stations_are_not_broken(open_player, locale):
    page = open_player("#/late-post", viewport=SMALL, locale=locale)
    page.wait_for_selector(".station strong")
    assert page.evaluate(BROKEN, ".station strong") == []


def test_the_way_back_has_one_size(open_player):
    """In all views."""
    page = open_player(viewport=SMALL)
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    sizes = {}
    for name, address in {**VIEWS, "credits": "#/late-post/credits", "collection": "#/late-post/collection"}.items():
        go(page, address)
        settle(page)
        for width in page.evaluate("[...document.querySelectorAll('.top-bar a.round > .icon')].map(icon => icon.getBoundingClientRect().width)")[:1]:
            sizes.setdefault(width, []).append(name)
    assert len(sizes) == 1, sizes


def test_emphasis_of_arabic_is_no_slant(open_player):
    """Its script has no italics: a browser would bend the letters."""
    page = open_player("#/late-post")
    page.evaluate("""() => document.getElementById('view').insertAdjacentHTML('beforeend',
        '<div class="author" dir="auto" lang="ar"><p>كان <em>كبير</em></p></div><div class="author" dir="auto" lang="en"><p>a <em>b</em></p></div>')""")
    styles = page.evaluate("[...document.querySelectorAll('.author em')].slice(-2).map(node => getComputedStyle(node).fontStyle)")
    assert styles == ["normal", "italic"]


#: Milliseconds of the thread for a text of so many paragraphs, the least of three times.
APPENDED = """async counts => {
    const { authored } = await import(new URL('./components/element.js', document.baseURI).href);
    return counts.map(count => Math.min(...[1, 2, 3].map(() => {
        const start = performance.now();
        authored('a\\n'.repeat(count), { lang: 'en', dir: 'auto' });
        return performance.now() - start;
    })));
}"""


def test_many_paragraphs_take_no_more_time_each(open_player):
    """A text may have 50,000 of them. Their time grew with their square, and was 20 seconds."""
    few, many = open_player("#/late-post").evaluate(APPENDED, [2_000, 20_000])
    assert many < 40 * max(few, 0.5), (few, many)


def test_a_long_text_is_laid_out_once(open_player):
    """Columns of grids in each other measured a paragraph of 100,000 characters again and again."""
    text = "كلمة " * 20_000

    def prepare(page):
        def answer(route):
            story = route.fetch().json()
            story["chapters"][0]["description"] = text
            route.fulfill(json=story | {"sections": [{"id": "all", "name": "All", "description": text, "items": story["sections"][0]["items"]}]})
        page.route("**/v1/stories/late-post", answer)

    page = open_player("#/late-post", viewport=SMALL, prepare=prepare)
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    layout = lambda: next(metric["value"] for metric in client.send("Performance.getMetrics")["metrics"] if metric["name"] == "LayoutDuration")
    seconds = []
    for address in ["chapter/the-book-box", "section/all"]:
        before = layout()
        go(page, f"#/late-post/{address}")
        settle(page)
        seconds.append(layout() - before)
    assert seconds[1] < 6 * seconds[0], seconds
