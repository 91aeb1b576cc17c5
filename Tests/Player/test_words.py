"""The texts of the interface: every language has all of them, with the same placeholders and its own plural forms."""
import json, pathlib, re

import pytest

from stand_in import chromium, device, evaluated, expect, serving

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Player/strings"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.json"))

#: The categories of whole numbers and of Intl.PluralRules in the browser, by language: `{fr: {one: [0, 1], …}}`, with at most two numbers each.
CATEGORIES = """languages => Object.fromEntries(languages.map(language => {
    const rules = new Intl.PluralRules(language)
    const numbers = Object.fromEntries(rules.resolvedOptions().pluralCategories.map(category => [category, []]))
    for (const number of [...Array(200).keys(), 1e6]) {
        const those = numbers[rules.select(number)]
        if (those.length < 2) those.push(number)
    }
    return [language, numbers]
}))"""


def words(language):
    """Returns the texts of a language, in which no key may stand twice."""
    def unique(pairs):
        assert len(dict(pairs)) == len(pairs), [key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1]
        return dict(pairs)
    return json.loads((FOLDER / f"{language}.json").read_text(), object_pairs_hook=unique)


def placeholders(text):
    return sorted(re.findall(r"\{(\w+)\}", text))


def test_languages_of_the_page():
    """The page offers the languages that have texts, by the names that the languages have for themselves."""
    script = """import('./components/words.js').then(({ languages }) => Object.entries(languages).map(([tag, name]) =>
        [tag, name.toLowerCase() === new Intl.DisplayNames(tag, { type: 'language' }).of(tag).toLowerCase()]))"""
    offered = evaluated(script)
    assert sorted(offered) == [[language, True] for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_a_language(language):
    english, texts = words("en"), words(language)
    categories = evaluated(CATEGORIES, LANGUAGES)[language]
    assert list(texts) == list(english)
    for key, reference in english.items():
        text = texts[key]
        assert isinstance(text, dict) == isinstance(reference, dict), key
        forms = text if isinstance(text, dict) else {"other": text}
        if isinstance(text, dict):
            assert set(text) == set(categories), key
        whole = placeholders(reference["other"] if isinstance(reference, dict) else reference)
        for category, form in forms.items():
            # A form of one number may say it in words, and others where English does.
            isWord = len(categories[category]) == 1 or isinstance(reference, dict) and "{count}" not in reference.get(category, "{count}")
            wanted = [name for name in whole if name != "count"] if isWord and "{count}" not in form else whole
            assert placeholders(form) == wanted, (key, category)
            assert form.strip() == form != "" and '"' not in form, (key, category)
            assert form.count("{") == form.count("}") == len(placeholders(form)), (key, category)


#: What the page's language becomes by a tag, for a browser whose own language is English.
LOADED = "tag => import('./components/words.js').then(words => words.loadWords(tag).then(() => words.language))"


def test_lookup_of_a_tag():
    """RFC 4647, section 3.4: from the whole tag to its first subtag, whatever its case, then the next wish, then the default."""
    expected = {
        "pt-BR": "pt", "pt": "pt", "DE-at": "de", "fr-Latn-CA-x-private": "fr", "es-419": "es", "ar-EG-u-nu-latn": "ar", "en-GB": "en",
        # The texts of a table's longer tag, and what is shorter than it.
        "zh-Hant-TW": "zh-Hant", "zh-hant": "zh-Hant", "zh-Hans-CN": "en", "zh": "en",
        "nl-NL": "en", "deu": "en", "x-de": "en",
    }
    with serving() as server, chromium() as browser, device(browser, server, locale="en-US") as page:
        server.answers["strings/zh-Hant.json"] = (200, {"close": "關閉"})
        page.evaluate("import('./components/words.js').then(({ languages }) => { languages['zh-Hant'] = '中文' })")
        expect({tag: page.evaluate(LOADED, tag) for tag in expected} == expected)


def test_the_browsers_languages():
    """The first wish that is available; German, French and other browsers get their language."""
    for wishes, expected in [(["de-CH"], "de"), (["nl", "fr-BE", "de"], "fr"), (["gl-ES", "es-ES"], "es"), (["pt-BR", "en"], "pt"), (["ja"], "en")]:
        with serving() as server, chromium() as browser, device(browser, server) as page:
            page.evaluate("wishes => Object.defineProperty(navigator, 'languages', { value: wishes })", wishes)
            expect(page.evaluate(LOADED, None) == expected, (wishes, expected))
