"""The sample story in English, German and the pseudo-language: no view has a word of another language."""
import os, re, subprocess, tempfile

import pytest
from playing import EVENTS, go, journal, remember, settle, stand
from test_views import ACTS, MIDDLE, VIEWS

#: Words that are in nearly every sentence of one language, and in none of the other.
COMMON = {
    "en": r"the|and|of|is|are|you|your|with|this|that|it|its|for|from|to|has|have|not|found|here",
    "de": r"der|das|den|dem|und|ist|sind|du|dein|deine|mit|dies|ein|eine|einen|nicht|für|von|zu|hat|noch|auf|hier",
}

#: All texts of the page that somebody sees or hears, but lines that were spoken before (they stay for ten seconds), and those that say that they are in a language of their own.
TEXTS = """tag => {
    const own = node => node.closest?.('[lang]')?.lang.split('-')[0] ?? tag;
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) {
            if (!node.parentElement.closest('script, noscript, style, option, #spoken') && own(node.parentElement) === tag) texts.push(node.data.trim());
        } else if (own(node) === tag) {
            for (const name of ['aria-label', 'alt', 'title', 'placeholder', 'aria-description']) texts.push((node.getAttribute(name) ?? '').trim());
        }
    }
    return [...new Set([document.title, ...texts])].filter(text => text.length > 1);
}"""


def texts_of_all_views(page, tag):
    """Yields the name of each view, and of what was done in it, with its texts."""
    for name, address in VIEWS.items():
        go(page, address)
        for act, selector in [(None, None), *(act[:2] for act in ACTS.get(name, []) if len(act) == 2)]:
            if selector:
                page.click(selector)
            settle(page)
            yield "-".join(filter(None, [name, act])), page.evaluate(TEXTS, tag)


@pytest.mark.parametrize("locale, tag, other", [("en-US", "en", "de"), ("de-AT", "de", "en")])
def test_no_word_of_another_language(open_player, locale, tag, other):
    page = open_player(position=MIDDLE, locale=locale, reduced_motion="reduce")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    assert page.evaluate("document.documentElement.lang").split("-")[0] == tag
    go(page, "#/late-post")
    stand(page, MIDDLE, fixes=3)
    strange, read = [], 0
    for view, texts in texts_of_all_views(page, tag):
        read += sum(1 for text in texts if re.search(rf"\b({COMMON[tag]})\b", text, re.IGNORECASE))
        strange += [f"{view}: {text}" for text in texts if re.search(rf"\b({COMMON[other]})\b", text, re.IGNORECASE)]
    assert strange == []
    # The texts were there to be looked at.
    assert read > 100


def test_switched_half_way(open_player):
    """A reader of German who has found six events goes on in English, and nothing German stays."""
    page = open_player(position=MIDDLE, locale="de-DE", reduced_motion="reduce")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post")
    assert any(re.search(rf"\b({COMMON['de']})\b", text) for text in page.evaluate(TEXTS, "de"))
    page.select_option("select[name='language']", "en-US")
    page.wait_for_function("() => document.documentElement.lang.startsWith('en')")
    for name in ["2-chapters", "3-chapter", "5-tour-list", "8-scrapbook", "10-quiz", "11-journal"]:
        go(page, VIEWS[name])
        settle(page)
        texts = page.evaluate(TEXTS, "en")
        assert [text for text in texts if re.search(rf"\b({COMMON['de']})\b", text, re.IGNORECASE)] == [], name
    assert page.evaluate("document.querySelectorAll('main a[href*=\"/event/\"]').length") >= 6


@pytest.fixture(scope="module")
def pseudo_site():
    """A folder with the player and the sample story in the pseudo-language, served on a port of its own."""
    with tempfile.TemporaryDirectory() as folder:
        wayreel = os.environ["WAYREEL"]
        bundles = f"{folder}/bundles"
        os.mkdir(bundles)
        subprocess.run([wayreel, "prepare", "Media/story/story.xml", "-o", f"{bundles}/late-post", "--screen", "iphone-4s", "--language", "qps",
                        "--quiet"], check=True)
        server = subprocess.Popen([wayreel, "serve", "--listen", "127.0.0.1:0", "--stories", bundles, "--log", "false"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            yield re.search(r"http://[0-9.:]+/?", server.stdout.readline()).group()
        finally:
            server.terminate()
            server.wait()


def test_the_pseudo_language(open_player, pseudo_site):
    """Every text of the story is in brackets and has accents: none was written into the page, and none is cut off without a sign."""
    page = open_player(position=MIDDLE, reduced_motion="reduce", viewport={"width": 320, "height": 568})
    page.goto(pseudo_site)
    page.wait_for_selector("h1")
    remember(page, journal(EVENTS[:6], opened=["first-reader"]))
    go(page, "#/late-post")
    page.select_option("select[name='language']", "qps")
    page.wait_for_function("() => document.querySelector('h1').textContent.startsWith('[')")
    english = subprocess.run([os.environ["WAYREEL"], "story", "show", "Media/story/story.xml", "--json"], check=True, capture_output=True, text=True).stdout
    sentences = {word for word in re.findall(r'"([A-Z][^"\\\\]{24,})"', english) if " " in word and "/" not in word}
    assert len(sentences) > 40
    wide, left = [], []
    for view, texts in texts_of_all_views(page, "qps"):
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wide.append(view)
        left += [f"{view}: {text}" for text in texts if text in sentences]
    assert (wide, left) == ([], [])
