"""Stories in several languages: which one is read, switching half-way, without a network, and after a reload."""
import contextlib

from playing import journal, remember
from stand_in import ROOT, Bundle, chromium, device, expect, opened, run, serving, wait_until

ID = "quiz-and-camera"
SCREEN = "{ width: 390, height: 844 }"
DOWNLOAD = f"language => W.loads.download('{ID}', {{ screen: {SCREEN}, language }})"
PLAN = f"language => W.loads.plan('{ID}', {SCREEN}, language)"
OPENED = f"""language => W.lib.story('{ID}', language).then(story => [story.story.language, story.story.name, story.isDownloaded, story.lacksLanguage])"""


def bilingual(word="one"):
    """A story in English and German, with a sound of each, and an image for both."""
    bundle = Bundle(word)
    story = bundle.story
    story["name"] = "The door"
    plain = next(event for event in story["chapters"][0]["events"] if event["id"] == "plain")
    plain["name"] = "The sound"
    plain["content"] = {"type": "radio", "tracks": [{"audio": {"source": "radio/en.mp3", "alt": "Bells"}}]}
    story["chapters"][0]["name"] = "The walk"
    for tag, name in (("en", "mp3"), ("de", "wav")):
        bundle.add(f"radio/{tag}.mp3", "audio", "audio/mp4", (ROOT / f"Media/radio/bunny-4s.{name}").read_bytes(), languages=[tag])
    bundle.translate("de", name="Die Tür", description="eins", replacing={
        "The walk": "Der Weg", "The sound": "Der Klang", "radio/en.mp3": "radio/de.mp3", "Bells": "Glocken", "camera": "camera", "Take it.": "Nimm es auf."})
    return bundle


@contextlib.contextmanager
def reading(locale="en-US", is_static=False, has_player=False, **options):
    with serving() as server, chromium() as browser:
        server.bundle, server.is_static, server.has_player = bilingual(), is_static, has_player
        with device(browser, server, locale=locale, **options) as page:
            yield server, page


def test_lookup():
    """RFC 4647, section 3.4, as Swift's LanguagePreference has it."""
    cases = [
        (["en", "de"], ["de-AT", "en"], "de"), (["en", "de-AT", "de"], ["de-at"], "de-AT"), (["en", "pt-BR"], ["pt"], "pt-BR"),
        (["en", "de-AT"], ["de-CH"], "de-AT"), (["en", "zh-Hant"], ["zh-Hant-TW"], "zh-Hant"), (["en", "fr"], ["nl", "fr"], "fr"),
        (["en", "fr"], ["nl"], None), (["en", "de"], [], None), (["en", "den"], ["de"], None), (["en", "de-x-pirate"], ["de-x-pirate-arr"], "de-x-pirate"),
    ]
    with serving() as server, chromium() as browser, device(browser, server) as page:
        for tags, wishes, wanted in cases:
            found = page.evaluate("([tags, wishes]) => import('./components/language-lookup.js').then(({ bestLanguage }) => bestLanguage(tags, wishes) ?? null)", [tags, wishes])
            expect(found == wanted, (tags, wishes, found))


def test_a_story_is_read_in_the_language_of_the_reader():
    for locale, expected in [("de-AT", ("de", "Die Tür")), ("en-US", ("en", "The door")), ("fr-FR", ("en", "The door"))]:
        for is_static in (False, True):
            with reading(locale, is_static) as (server, page):
                expect(tuple(page.evaluate(OPENED, None)[:2]) == expected, (locale, is_static))
                # A service needs no second request.
                expect(len(server.asked("story.")) == (is_static and locale == "de-AT"), server.asked("story."))
                [listed] = page.evaluate("W.lib.list()")
                expect((listed["language"], listed["name"], listed["languages"]) == (*expected, ["en", "de"]), listed)
                expect("translations" not in listed and listed["description"] == {"de": "eins", "en": "one"}[expected[0]])


def test_a_choice_comes_before_the_browsers_languages():
    with reading("de-DE") as (server, page):
        page.evaluate("import('./components/words.js').then(({ wish }) => { wish('en'); wish('nl') })")
        again = opened(page.context, server)
        expect(again.evaluate("import('./components/words.js').then(({ wishes }) => wishes().slice(0, 3))") == ["nl", "en", "de-DE"])
        expect(again.evaluate(OPENED, None)[:2] == ["en", "The door"])
        # Another page's answer may be kept by the service worker: it is not taken for the wanted one.
        server.answers[f"v1/stories/{ID}"] = (200, server.bundle.told("de"))
        expect(again.evaluate(OPENED, None)[:2] == ["en", "The door"])


def test_media_of_a_language():
    with reading() as (_, page):
        sources = f"language => W.lib.story('{ID}', language).then(story => ['en', 'de'].map(tag => story.audio(`radio/${{tag}}.mp3`) !== undefined).concat(story.image('images/a.jpg') !== undefined))"
        expect(page.evaluate(sources, "en") == [True, False, True])
        expect(page.evaluate(sources, "de") == [False, True, True])


def test_a_download_has_the_media_of_one_language_and_the_texts_of_all():
    with reading("de-DE") as (server, page):
        sizes = {tag: page.evaluate(PLAN, tag)["bytes"] for tag in ("en", "de")}
        only = {tag: next(content for path, (_, content, _) in server.bundle.files.items() if path == server.bundle.path(f"radio/{tag}.mp3", "audio"))
                for tag in ("en", "de")}
        expect(sizes["de"] - sizes["en"] == len(only["de"]) - len(only["en"]))
        page.evaluate(DOWNLOAD)
        expect(not server.asked(server.bundle.path("radio/en.mp3", "audio")))
        server.is_down = True
        expect(page.evaluate(OPENED, None) == ["de", "Die Tür", True, False])
        expect(page.evaluate(OPENED, "en") == ["en", "The door", False, True])
        plan = page.evaluate(PLAN, "en")
        expect(plan["lacksLanguage"] and plan["bytesMissing"] == len(only["en"]), plan)
        server.is_down = False
        page.evaluate(DOWNLOAD, "en")
        server.is_down = True
        for tag, name in (("en", "The door"), ("de", "Die Tür")):
            expect(page.evaluate(OPENED, tag) == [tag, name, True, False])
            expect(page.evaluate(PLAN, tag)["bytesMissing"] == 0)
        # A newer version has both languages, too.
        server.is_down, server.bundle = False, bilingual("two")
        page.evaluate(DOWNLOAD)
        server.is_down = True
        expect([page.evaluate(OPENED, tag)[2] for tag in ("en", "de")] == [True, True])


def test_a_download_of_an_earlier_player():
    """Its record has one language and no list of them."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate(DOWNLOAD)
        record = page.evaluate("caches.keys().then(names => caches.open(names.find(name => name.startsWith('wayreel-story/')))).then(cache => cache.match('wayreel-record')).then(answer => answer.json())")
        expect("languages" not in record and "stories" not in record, list(record))
        server.bundle = bilingual()
        expect(page.evaluate(OPENED, None)[0] == "en" and page.evaluate(OPENED, None)[2])
        plan = page.evaluate(PLAN, "de")
        expect(plan["isUpdate"] and not plan["lacksLanguage"])
        # The update has the media of the language that is read, and of the one that was there.
        page.evaluate(DOWNLOAD, "de")
        server.is_down = True
        expect([page.evaluate(OPENED, tag)[2] for tag in ("en", "de")] == [True, True])


def test_texts_without_a_network():
    """The story is there in the language in which the first visit read it, from a service and from a folder."""
    for is_static in (False, True):
        with reading("de-DE", is_static) as (server, page):
            page.evaluate("W.Installation.start()")
            page.wait_for_function("() => navigator.serviceWorker.controller !== null")
            server.is_down = True
            again = opened(page.context, server)
            expect(again.evaluate(OPENED, None) == ["de", "Die Tür", False, False], is_static)
            expect(again.evaluate("W.lib.list()")[0]["name"] == "Die Tür")
            error = again.evaluate(f"W.lib.story('{ID}', 'en').then(story => story.story.language, error => error.name)")
            expect(error == ("en" if is_static else "StoryUnavailable"), error)


def test_captures_name_their_language():
    with reading("de-DE") as (server, page):
        for language in ("undefined", "'de'"):
            page.evaluate(f"W.queue.add('{ID}', 'camera', new Blob(['photo' + Math.random()], {{ type: 'image/jpeg' }}), {language}).then(() => W.queue.send())")
        wait_until(lambda: len(server.asked("/captures?")) == 2)
        expect(["language=de" in path for path in server.asked("/captures?")] == [False, True])


# The page

def shown(page, text):
    page.wait_for_selector(f"text={text}")


def go(page, hash):
    page.evaluate("hash => { location.hash = hash }", hash)
    page.wait_for_function("hash => document.getElementById('view').dataset.address === hash", arg=hash)


def choose(page, language):
    page.select_option(".of-story select", language)


@contextlib.contextmanager
def playing(**options):
    """The player's page of a device that has found three events."""
    with reading(has_player=True, **options) as (server, page):
        page.goto(f"{server.address}#/{ID}")
        remember(page, journal(["quiz", "camera", "plain"], ()) | {"story": ID})
        page.wait_for_selector(".trail a")
        expect(page.evaluate("document.querySelector('meter').value") == 3)
        yield server, page


def test_switching_half_way():
    """What was found stays found, the page speaks the language, the reader stays in the view, and a reload changes nothing."""
    with playing() as (server, page):
        expect(page.locator(".of-story option").all_inner_texts() == ["English", "Deutsch"])
        shown(page, "The walk")
        expect(page.evaluate("document.documentElement.lang") == "en")
        choose(page, "de")
        shown(page, "Der Weg")
        expect(page.evaluate("[document.documentElement.lang, document.querySelector('h1').lang, document.activeElement.name]") == ["de", "de", "language"])
        expect(page.evaluate("document.querySelector('meter').value") == 3)
        expect(page.locator("text=The walk").count() == 0 and page.locator("text=The door").count() == 0)
        go(page, f"#/{ID}/journal")
        shown(page, "Der Klang")
        go(page, f"#/{ID}/event/camera")
        shown(page, "Nimm es auf.")
        page.reload()
        shown(page, "Nimm es auf.")
        # The list speaks it, too.
        go(page, "#/")
        shown(page, "Die Tür")
        go(page, f"#/{ID}")
        choose(page, "en")
        shown(page, "The walk")
        expect(page.evaluate("document.documentElement.lang") == "en" and page.evaluate("document.querySelector('meter').value") == 3)


def test_a_story_of_one_language_has_no_menu():
    with serving() as server, chromium() as browser:
        server.has_player = True
        with device(browser, server, locale="de-DE") as page:
            page.goto(f"{server.address}#/{ID}")
            page.reload()
            page.wait_for_selector(".trail a")
            expect(page.locator(".of-story").count() == 0)
            # The page keeps the browser's language.
            expect(page.evaluate("document.documentElement.lang") == "de")


def test_listening_goes_on_in_the_other_language():
    with playing() as (server, page):
        go(page, f"#/{ID}/event/plain")
        page.click("button.play")
        page.wait_for_function("() => document.querySelector('audio')?.currentTime > 0.5")
        go(page, f"#/{ID}")
        choose(page, "de")
        shown(page, "Der Weg")
        page.wait_for_function("path => document.querySelector('audio')?.src.endsWith(path)", arg=server.bundle.path("radio/de.mp3", "audio"))
        shown(page, "Glocken")
        expect(page.locator(".listening >> text=Bells").count() == 0)
        page.wait_for_function("() => !document.querySelector('audio').paused && document.querySelector('audio').currentTime > 0.2")


#: Records where media are moved to.
SEEKS = "window.seeks = []; document.addEventListener('seeking', ({ target }) => seeks.push(target.currentTime), true)"
AUDIO = "(() => { const { src, paused, currentTime } = document.querySelector('audio'); return { src, paused, currentTime } })()"


def with_item(source="radio/de.mp3"):
    """A story with an item that has a sound in both languages."""
    bundle = bilingual()
    audio = {"audio": {"source": "radio/en.mp3", "alt": "Bells"}}
    bundle.story["sections"] = [{"id": "tower", "name": "The tower", "items": [{"id": "bell", "name": "A bell", "images": [], "hidden": False, "audio": audio}]}]
    # 30 s, where the others have 4 s.
    bundle.add("radio/long.mp3", "audio", "audio/mp4", (ROOT / "Media/radio/bunny.mp3").read_bytes(), languages=["de"])
    bundle.translate("de", name="Die Tür", replacing={"A bell": "Eine Glocke", "radio/en.mp3": source, "Bells": "Glocken"})
    return bundle


@contextlib.contextmanager
def at_an_item(source="radio/de.mp3"):
    with reading(has_player=True) as (server, page):
        server.bundle = with_item(source)
        page.add_init_script(SEEKS)
        page.goto(f"{server.address}#/{ID}/item/bell")
        page.reload()
        page.click("button.play")
        page.wait_for_function("() => document.querySelector('audio')?.currentTime > 1.2")
        yield server, page, server.bundle.path(source, "audio")


def change(page, path):
    choose(page, "de")
    shown(page, "Eine Glocke")
    page.wait_for_function("path => document.querySelector('audio')?.src.endsWith(path) && document.querySelector('audio').readyState > 0", arg=path)


def test_an_items_sound_goes_on_in_the_other_language():
    with at_an_item() as (_, page, path):
        change(page, path)
        page.wait_for_function("() => seeks.length > 0")
        expect(page.evaluate("seeks[0]") > 1.2, page.evaluate("seeks"))
        page.wait_for_function("() => !document.querySelector('audio').paused && document.querySelector('.controls .play').dataset.state === 'true'")
        expect(page.locator("audio").count() == 1 and page.evaluate("location.hash") == f"#/{ID}/item/bell")
        # It is the item's, also in another view.
        go(page, f"#/{ID}/journal")
        shown(page, "Glocken")
        expect(page.get_attribute(".listening a", "href") == f"#/{ID}/item/bell")


def test_a_sound_that_waits_stays_where_it_is():
    with at_an_item() as (_, page, path):
        page.click("button.play")
        before = page.evaluate(AUDIO)
        change(page, path)
        page.wait_for_function("() => seeks.length > 0")
        after = page.evaluate(AUDIO)
        expect(before["paused"] and after["paused"] and abs(before["currentTime"] - after["currentTime"]) < 0.2, (before, after))


def test_a_sound_of_another_length_begins_at_its_beginning():
    with at_an_item("radio/long.mp3") as (_, page, path):
        change(page, path)
        page.wait_for_function("() => !document.querySelector('audio').paused && document.querySelector('audio').currentTime > 0.2")
        expect(page.evaluate("seeks") == [], page.evaluate("seeks"))


def test_a_video_goes_on_in_the_other_language():
    with reading(has_player=True) as (server, page):
        event = next(event for event in server.bundle.story["chapters"][0]["events"] if event["id"] == "plain")
        event["content"] = {"type": "scrapbook", "items": [{"type": "video", "source": "video/clip.mp4", "alt": "A film"}]}
        server.bundle.translate("de", name="Die Tür", replacing={"The sound": "Der Film"})
        page.add_init_script(SEEKS)
        page.goto(f"{server.address}#/{ID}/event/plain")
        remember(page, journal(["plain"], ()) | {"story": ID})
        page.evaluate("document.querySelector('video').play()")
        page.wait_for_function("() => document.querySelector('video').currentTime > 1")
        choose(page, "de")
        shown(page, "Der Film")
        page.wait_for_function("() => seeks.length > 0 && !document.querySelector('video').paused")
        expect(page.evaluate("seeks[0]") > 1, page.evaluate("seeks"))
        # It does not play by itself when the reader comes back.
        go(page, f"#/{ID}/journal")
        go(page, f"#/{ID}/event/plain")
        expect(page.evaluate("document.querySelector('video').paused && document.querySelector('video').currentTime === 0"))


def test_a_language_that_cannot_be_loaded():
    """It is not chosen, and the page says so."""
    with playing() as (server, page):
        server.is_down = True
        choose(page, "de")
        shown(page, "German could not be loaded")
        page.wait_for_function("() => document.querySelector('.of-story select').value === 'en'")
        shown(page, "The walk")
        server.is_down = False
        choose(page, "de")
        shown(page, "Der Weg")


def test_switching_without_a_network():
    """To a language whose media are not on the device: the page says so, and offers them; they are loaded when there is a network."""
    with playing() as (server, page):
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        go(page, "#/")
        page.click(".download button")
        page.wait_for_selector(".download >> text=On this device")
        server.is_down = True
        page.context.set_offline(True)
        go(page, f"#/{ID}")
        choose(page, "de")
        shown(page, "Der Weg")
        shown(page, "Auf diesem Gerät, aber nicht auf Deutsch")
        shown(page, "ist nicht auf diesem Gerät. Lade es herunter")
        server.is_down = False
        page.context.set_offline(False)
        page.click(".download button")
        page.wait_for_function("() => document.querySelector('.download') === null")
        server.is_down = True
        page.context.set_offline(True)
        page.reload()
        shown(page, "Der Weg")
        expect(page.locator(".offline:visible").count() == 0 and page.locator(".download").count() == 0)


if __name__ == "__main__":
    run(globals())
