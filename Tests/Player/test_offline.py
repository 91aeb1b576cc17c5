"""The player and its stories without a network, in Chromium."""
import contextlib

from stand_in import Bundle, chromium, device, expect, opened, run, serving, wait_until

ID = "quiz-and-camera"
DOWNLOAD = f"""async () => {{
  window.progress = []
  await W.loads.download('{ID}', {{ screen: {{ width: 390, height: 844 }}, onProgress: state => progress.push(state) }})
  return W.lib.story('{ID}').then(story => story.isDownloaded)
}}"""
FAILED = f"() => W.loads.download('{ID}', {{ screen: {{ width: 390, height: 844 }} }}).then(() => 'loaded', error => error.name)"


@contextlib.contextmanager
def installed():
    """Opens a device on which the player is installed."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate("W.Installation.start().then(installation => { window.installation = installation })")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        yield server, page


def text_of(page, source, role="image"):
    """Returns the bytes of a file as the page receives them, as text with one character for each byte."""
    return page.evaluate(f"""async ([source, role]) => {{
        const story = await W.lib.story('{ID}')
        const {{ src }} = story.image(source, role)
        return [...new Uint8Array(await (await fetch(src)).arrayBuffer())].map(byte => String.fromCharCode(byte)).join('')
    }}""", [source, role])


def caches(page):
    return page.evaluate("caches.keys().then(names => names.sort())")


def test_the_player_without_a_network():
    with installed() as (server, page):
        server.is_down = True
        page.goto(server.address + "?anything#/story")
        expect(page.title() == "Stand-in")
        again = opened(page.context, server)
        # The last list and story are available, but no media.
        expect(again.evaluate("W.lib.list().then(list => list.map(story => story.id))") == [ID])
        expect(again.evaluate(f"W.lib.story('{ID}').then(story => story.story.description)") == "one")
        expect(again.evaluate("W.clock.offset") == 0, "kept answers do not tell the time")
        server.is_down = False
        server.answers[f"v1/stories/{ID}"] = (503, {})
        expect(again.evaluate(f"W.lib.story('{ID}').then(story => story.story.description)") == "one")


def test_extras_are_kept_when_they_are_first_used():
    """Only those of the player that is on the device."""
    with installed() as (server, page):
        status = "path => fetch(path).then(answer => answer.status, () => 'no network')"
        extra = server.answers["player-preview.js"] = (200, b"export const a = 1;")
        expect(page.evaluate(status, "player-preview.js") == 200)
        server.is_down = True
        expect(page.evaluate("fetch('player-preview.js').then(answer => answer.text())") == extra[1].decode())
        server.is_down, server.version = False, "player-2"
        server.answers["player-other.js"] = extra
        page.evaluate("fetch('player.json')")
        wait_until(lambda: page.evaluate("caches.match('player.json').then(answer => answer.json()).then(json => json.version)") == "player-2")
        expect(page.evaluate(status, "player-other.js") == 200)
        server.is_down = True
        expect(page.evaluate(status, "player-other.js") == "no network")


def test_a_network_that_asks_for_a_login():
    """Its page, instead of all answers, replaces nothing on the device, now and later without a network."""
    with installed() as (server, page):
        page.evaluate(f"W.lib.story('{ID}')")
        login = (200, b"<!doctype html><title>Welcome to our network</title>")
        for path in ["player.json", "v1/stories", f"v1/stories/{ID}", f"v1/stories/{ID}/manifest.json"]:
            server.answers[path] = login
        for is_down in (False, True):
            server.is_down = is_down
            again = opened(page.context, server)
            expect(again.evaluate("W.lib.list().then(list => list.map(story => story.id))") == [ID])
            expect(again.evaluate(f"W.lib.story('{ID}').then(story => story.story.description)") == "one")
            again.close()
        # Where the service is gone, or is being replaced, the player still starts.
        server.is_down = False
        server.answers["player.json"] = (404, {})
        expect(opened(page.context, server).evaluate("W.lib.hasService") is True)


def test_a_story_without_a_network():
    with installed() as (server, page):
        plan = page.evaluate(f"W.loads.plan('{ID}', {{ width: 390, height: 844 }})")
        small = [entry for entry in server.bundle.media if entry.get("screen") != "large"]
        sizes = sum(server.bundle.files[entry["path"]][2]["bytes"] for entry in small)
        expect(plan["bytes"] == plan["bytesMissing"] == sizes and plan["files"] == len(small) and not plan["isUpdate"], plan)
        expect(page.evaluate(DOWNLOAD))
        expect(page.evaluate("progress.at(-1)") == {"bytes": sizes, "total": sizes, "files": len(small), "filesTotal": len(small)})
        large = next(entry["path"] for entry in server.bundle.media if entry.get("screen") == "large")
        expect(not server.asked(large), "media of other screens are not loaded")
        plan = page.evaluate(f"W.loads.plan('{ID}', {{ width: 390, height: 844 }})")
        expect(plan["bytesMissing"] == 0 and plan["downloaded"] == plan["version"], plan)

        server.is_down = True
        again = opened(page.context, server)
        expect(again.evaluate("W.lib.list().then(list => list[0].downloaded.bytes)") == sizes)
        expect(text_of(again, "images/word.jpg").endswith("one"))
        image = again.evaluate(f"W.lib.story('{ID}').then(story => story.image('images/a.jpg'))")
        expect(image["width"] == 640 and len(image["candidates"]) == 1, "only what is on the device is offered")
        levels = again.evaluate(f"W.lib.story('{ID}').then(story => story.levels('radio/bunny.mp3')).then(levels => "
                                "[0, 0.5, 1, 9].map(seconds => levels.share(levels.channels[0], seconds)))")
        expect(levels == [0, 0.5, 1, 0], levels)

        captions = again.evaluate("""async ID => {
            const video = document.createElement('video'), track = document.createElement('track')
            Object.assign(track, { kind: 'captions', src: (await W.lib.story(ID)).captions('video/clip.srt') })
            video.append(track)
            track.track.mode = 'hidden'
            await new Promise((resolve, reject) => { track.onload = resolve; track.onerror = reject })
            return [...track.track.cues].map(cue => cue.text)
        }""", ID)
        expect(captions == ["[Birds]"], captions)

        # Audio and video play from the device, and seeking works.
        for kind, call in (("audio", "audio('radio/bunny.mp3').url"), ("video", "video('video/clip.mp4').sources[0].url")):
            played = again.evaluate(f"""async () => {{
                const media = document.createElement('{kind}')
                media.src = (await W.lib.story('{ID}')).{call}
                const until = name => new Promise((resolve, reject) => {{
                  media.addEventListener(name, resolve, {{ once: true }})
                  media.addEventListener('error', () => reject(new Error(media.error.message)), {{ once: true }})
                }})
                await until('canplaythrough')
                media.currentTime = media.duration * 0.75
                await until('seeked')
                await media.play()
                await until('ended')
                return [media.duration, media.currentTime]
            }}""")
            expect(played[0] > 1 and abs(played[0] - played[1]) < 0.1, played)


def test_ranges():
    with installed() as (server, page):
        page.evaluate(DOWNLOAD)
        content = server.bundle.files[server.bundle.path("radio/bunny.mp3", "audio")][1]
        server.is_down = True
        size = len(content)
        for asked, status, first, last in (("bytes=0-1", 206, 0, 1), ("bytes=100-199", 206, 100, 199), (f"bytes={size - 5}-", 206, size - 5, size - 1),
                                           ("bytes=-7", 206, size - 7, size - 1), (f"bytes=10-{size * 2}", 206, 10, size - 1), ("bytes=0-", 206, 0, size - 1),
                                           (f"bytes={size}-", 416, 0, -1), ("bytes=5-4", 416, 0, -1), ("bytes=0-1,5-6", 200, 0, size - 1), ("lines=1-2", 200, 0, size - 1)):
            got = page.evaluate(f"""async range => {{
                const {{ url }} = (await W.lib.story('{ID}')).audio('radio/bunny.mp3')
                const answer = await fetch(url, {{ headers: {{ Range: range }} }})
                return [answer.status, answer.headers.get('Content-Range'), answer.headers.get('Content-Type'), [...new Uint8Array(await answer.arrayBuffer())]]
            }}""", asked)
            expect(got[0] == status and bytes(got[3]) == content[first:last + 1], (asked, got[:3], len(got[3])))
            if status == 206: expect(got[1] == f"bytes {first}-{last}/{size}" and got[2] == "audio/mp4", got[:3])
            if status == 416: expect(got[1] == f"bytes */{size}", got[:3])


def test_a_download_goes_on():
    with installed() as (server, page):
        last = server.bundle.path("video/clip.mp4", "video")
        server.failing = {last}
        expect(page.evaluate(FAILED) == "StoryUnavailable")
        expect(page.evaluate(f"W.lib.story('{ID}').then(story => story.isDownloaded)") is False)
        server.failing, server.cut = set(), {last}
        expect(page.evaluate(FAILED) == "StoryUnavailable", "a file that is cut off is not kept")
        server.cut = set()
        before = len(server.requests)
        expect(page.evaluate(DOWNLOAD))
        media = [path for _, path, _ in server.requests[before:] if "/media/" in path]
        expect(len(media) == 1 and media[0].endswith(last), media)


def test_a_download_is_stopped():
    with installed() as (server, page):
        stopped = page.evaluate(f"""async () => {{
            const controller = new AbortController()
            return W.loads.download('{ID}', {{ signal: controller.signal, onProgress: ({{ bytes }}) => bytes > 1000 && controller.abort() }})
              .catch(error => error.name)
        }}""")
        expect(stopped == "AbortError", stopped)
        expect(page.evaluate(DOWNLOAD))


def test_a_story_that_changes():
    with installed() as (server, page):
        page.evaluate(DOWNLOAD)
        page.evaluate(f"W.store.record('{ID}', [{{ outcome: 'found', event: 'quiz', position: {{ latitude: 1, longitude: 2 }}, timestamp: '2026-11-23T17:00:00Z' }}])")
        page.evaluate(f"W.lib.story('{ID}').then(story => {{ window.playing = story }})")
        old = server.bundle
        server.bundle = Bundle("two", extra=[("images/new.jpg", b"\xff\xd8new")])
        plan = page.evaluate(f"W.loads.plan('{ID}', {{ width: 390, height: 844 }})")
        missing = [entry for path, (_, _, entry) in server.bundle.files.items() if path not in old.files]
        expect(plan["isUpdate"] and plan["bytesMissing"] == sum(entry["bytes"] for entry in missing), plan)
        before = len(server.requests)
        expect(page.evaluate(DOWNLOAD))
        media = [path for _, path, _ in server.requests[before:] if "/media/" in path]
        expect(len(media) == len(missing), "files that both versions have are not loaded again")

        server.is_down = True
        # The session in progress keeps its files. A new session starts with the new version and the same journal.
        word = "async () => { const answer = await fetch(playing.image('images/word.jpg').src); return (await answer.text()).slice(-3) }"
        expect(page.evaluate("W.loads.tidy()") is None)
        expect(page.evaluate(word) == "one")
        again = opened(page.context, server)
        expect(text_of(again, "images/word.jpg").endswith("two"))
        expect(again.evaluate(f"W.store.contents('{ID}').then(contents => [...contents.found.keys()])") == ["quiz"])
        kept = lambda: [name for name in caches(again) if name.startswith("wayreel-story/")]
        expect(len(kept()) == 2, kept())
        page.close()
        wait_until(lambda: again.evaluate("W.loads.tidy()") is None and len(kept()) == 1)
        expect(text_of(again, "images/word.jpg").endswith("two"))


def test_an_update_after_the_clock_went_back():
    """What was loaded last is what is played, whatever the device's clock said."""
    with installed() as (server, page):
        page.evaluate(DOWNLOAD)
        server.bundle = Bundle("two")
        page.evaluate("() => { const now = Date.now; Date.now = () => now() - 86_400_000; }")
        page.evaluate(DOWNLOAD)
        expect(text_of(page, "images/word.jpg").endswith("two"))
        # One that an earlier player has kept, with a time in the future, is older than all that have numbers.
        page.evaluate("""async () => {
            const names = (await caches.keys()).filter(name => name.startsWith('wayreel-story/'));
            for (const name of names) {
                const cache = await caches.open(name), record = await (await cache.match('wayreel-record')).json();
                if (record.story.description !== 'one') continue;
                const { number, ...old } = record;
                await cache.put('wayreel-record', new Response(JSON.stringify({ ...old, completed: Date.now() + 1e12 })));
            }
        }""")
        expect(text_of(page, "images/word.jpg").endswith("two"))
        page.evaluate("W.loads.tidy()")
        expect(text_of(page, "images/word.jpg").endswith("two"))


def test_what_is_missing_and_what_does_not_exist():
    """A story that the service does not have is another fault than no network; without one, a story says that its media are not here."""
    with installed() as (server, page):
        name = "name => W.lib.story(name).then(story => story.isKept, error => error.name)"
        expect(page.evaluate(name, "nobody") == "StoryUnknown" and page.evaluate(name, ID) is False)
        server.is_down = True
        expect(page.evaluate(name, "nobody") == "StoryUnavailable" and page.evaluate(name, ID) is True)


def test_a_slow_network():
    """It is not called missing; the story opens with what is on the device."""
    with installed() as (server, page):
        page.evaluate(f"W.lib.story('{ID}')")
        server.seconds_slow = 6
        expect(page.evaluate(f"W.lib.story('{ID}').then(story => [story.isKept, story.isLate, story.story.description])") == [True, True, "one"])
        server.seconds_slow, server.is_down = 0, True
        expect(page.evaluate(f"W.lib.story('{ID}').then(story => [story.isKept, story.isLate])") == [True, False])


def test_a_story_that_changes_while_it_is_loaded():
    with installed() as (server, page):
        def change(path):
            server.before_media = lambda path: None
            server.bundle = Bundle("two")
            server.bundle.files |= first.files  # The service keeps old files for ten minutes.
        first = server.bundle
        server.before_media = change
        expect(page.evaluate(DOWNLOAD))
        server.is_down = True
        expect(text_of(opened(page.context, server), "images/word.jpg").endswith("two"))


def test_removal():
    with installed() as (server, page):
        page.evaluate(DOWNLOAD)
        page.evaluate(f"W.store.record('{ID}', [{{ outcome: 'found', event: 'quiz', position: {{ latitude: 1, longitude: 2 }}, timestamp: '2026-11-23T17:00:00Z' }}])")
        page.evaluate("W.loads.addEventListener('change', ({ detail }) => { window.changed = detail.story })")
        page.evaluate(f"W.loads.remove('{ID}')")
        expect(page.evaluate("window.changed") == ID)
        expect(not [name for name in caches(page) if name.startswith("wayreel-story/")])
        expect(page.evaluate(f"W.store.contents('{ID}').then(contents => contents.isEmpty)") is False, "the journal stays")


def test_storage_that_is_full():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        session = page.context.new_cdp_session(page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": server.address.rstrip("/"), "quotaSize": 200_000})
        expect(page.evaluate(FAILED) == "StorageFull", page.evaluate(FAILED))
        expect(page.evaluate(f"W.lib.story('{ID}').then(story => story.isDownloaded)") is False, "half a story is none")
        session.send("Storage.overrideQuotaForOrigin", {"origin": server.address.rstrip("/")})
        expect(page.evaluate(DOWNLOAD))


def test_a_newer_player():
    with installed() as (server, page):
        server.version = "player-2"
        page.evaluate("W.Installation.start().then(installation => { window.installation = installation; "
                      "installation.addEventListener('update', () => { window.isNewer = true }) })")
        page.wait_for_function("() => window.isNewer")
        expect("wayreel-shell/player-1" in caches(page), "pages keep the one that they have")
        page.evaluate("installation.apply()")
        wait_until(lambda: [name for name in caches(page) if name.startswith("wayreel-shell/")] == ["wayreel-shell/player-2"])


def kept_texts(page):
    """Returns the languages whose texts are kept, by the caches of the player's versions."""
    return page.evaluate("""async () => {
        const names = (await caches.keys()).filter(name => name.startsWith('wayreel-shell/')).sort()
        const paths = async name => (await (await caches.open(name)).keys()).map(({ url }) => /strings[/](.+)[.]json$/.exec(url)?.[1])
        return Object.fromEntries(await Promise.all(names.map(async name => [name.slice(14), (await paths(name)).filter(Boolean).sort()])))
    }""")


LANGUAGE = """async tag => {
    const words = await import('./components/words.js')
    await words.chooseLanguage(tag).catch(() => {})
    return [words.language, words.say('close'), localStorage.getItem('wayreel-language')]
}"""


STARTED = "import('./components/words.js').then(words => words.loadWords().then(() => [words.language, words.say('close')]))"


def test_the_texts_of_the_languages_in_use():
    """Only those are downloaded and kept, others when a page asks for them; a newer player has them before a page asks."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        expect(page.evaluate(LANGUAGE, "de") == ["de", "Schließen", "de"])
        page.evaluate("W.Installation.start()")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        expect(kept_texts(page) == {"player-1": ["de"]} and not server.asked("fr.json"), kept_texts(page))
        expect(page.evaluate(LANGUAGE, "fr") == ["fr", "Fermer", "fr"])
        expect(kept_texts(page) == {"player-1": ["de", "fr"]}, kept_texts(page))

        # The page of a network that asks for a login is not kept as texts.
        server.answers["strings/es.json"] = (200, b"<!doctype html><title>Welcome to our network</title>")
        expect(page.evaluate(LANGUAGE, "es") == ["fr", "Fermer", "fr"] and kept_texts(page) == {"player-1": ["de", "fr"]})
        del server.answers["strings/es.json"]

        server.version = "player-2"
        page.evaluate("W.Installation.start().then(installation => { window.installation = installation; "
                      "installation.addEventListener('update', () => { window.isNewer = true }) })")
        page.wait_for_function("() => window.isNewer")
        expect(kept_texts(page) == {"player-1": ["de", "fr"], "player-2": ["de", "fr"]}, kept_texts(page))
        page.evaluate("installation.apply()")
        wait_until(lambda: kept_texts(page) == {"player-2": ["de", "fr"]})

        # Without a network, the page keeps its language, and one that starts without texts of its own has those of another.
        server.is_down = True
        again = opened(page.context, server)
        expect(again.evaluate(STARTED) == ["fr", "Fermer"])
        expect(again.evaluate(LANGUAGE, "pt") == ["fr", "Fermer", "fr"])
        again.evaluate("localStorage.setItem('wayreel-language', 'ar')")
        expect(opened(page.context, server).evaluate(STARTED) == ["de", "Schließen"])


def test_a_static_folder():
    with serving() as server, chromium() as browser:
        server.is_static = True
        with device(browser, server) as page:
            page.evaluate("W.Installation.start()")
            page.wait_for_function("() => navigator.serviceWorker.controller !== null")
            expect(page.evaluate(DOWNLOAD))
            # Nothing is sent, because there is no service.
            expect(page.evaluate(f"W.sync.sync('{ID}').then(contents => contents === undefined)") and not server.asked("/players/"))
            server.is_down = True
            again = opened(page.context, server)
            expect(again.evaluate("W.lib.list().then(list => list.length)") == 1 and text_of(again, "images/word.jpg").endswith("one"))


def test_files_run_nothing_from_the_device():
    with installed() as (server, page):
        svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>document.documentElement.setAttribute("ran", origin)</script></svg>'
        path = server.bundle.add("radio/bunny.mp3", "plot", "image/svg+xml", svg)
        page.evaluate(DOWNLOAD)
        server.is_down = True
        page.goto(f"{server.address}v1/stories/{ID}/{path}")
        expect(page.evaluate("document.documentElement.localName") == "svg" and not page.evaluate("document.documentElement.hasAttribute('ran')"))


def test_a_hostile_bundle():
    """Nothing is loaded from other addresses, and no document is used as an image."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        bundle = server.bundle
        bad = ["../../../etc/passwd", "media/../../player.json", "https://evil.example/a.jpg", "//evil.example/a.jpg", "media//evil", "javascript:alert(1)", "data:image/jpeg,x",
               "media/a/..", "media/%2e%2e/x.jpg", "media/.hidden/x.jpg", "media\\..\\x.jpg", "/media/a/b.jpg", "blob:x", "media/a/b.jpg?x", "media/a/b.jpg#x", "media/a/b.jpg\n", ""]
        manifest = bundle.manifest
        for number, path in enumerate(bad):
            manifest["files"].append({"path": path, "type": "image/jpeg", "bytes": 1, "sha256": "0", "width": 1, "height": 1})
            manifest["media"].append({"source": f"bad-{number}", "role": "image", "path": path})
        for number, kind in enumerate(("image/svg+xml", "text/html", "application/javascript")):
            manifest["files"].append({"path": f"media/aa/{number}.jpg", "type": kind, "bytes": 1, "sha256": "0", "width": 1, "height": 1})
            manifest["media"].append({"source": f"type-{number}", "role": "image", "path": f"media/aa/{number}.jpg"})
        server.answers[f"v1/stories/{ID}/manifest.json"] = (200, manifest)
        seen = page.evaluate(f"""async names => {{
            const story = await W.lib.story('{ID}')
            return names.map(name => [name, story.image(name)?.src]).filter(([, src]) => src !== undefined)
        }}""", [f"bad-{number}" for number in range(len(bad))] + [f"type-{number}" for number in range(3)])
        expect(seen == [], seen)
        outside = page.evaluate(f"""async () => {{
            const {{ candidates }} = (await W.lib.story('{ID}')).image('images/a.jpg')
            return candidates.filter(({{ url }}) => !url.startsWith(document.baseURI + 'v1/stories/{ID}/media/'))
        }}""")
        expect(outside == [], outside)
        for damaged in ([], {}, {**manifest, "media": None}, {**manifest, "database": None}, b"<html>"):
            server.answers[f"v1/stories/{ID}/manifest.json"] = (200, damaged)
            expect(page.evaluate(f"W.lib.story('{ID}').then(() => 'open', error => error.name)") == "StoryUnavailable", damaged)
        server.answers[f"v1/stories/{ID}/manifest.json"] = (200, manifest)
        page.evaluate(FAILED)
        expect(all(path.startswith("/v1/") or not path.startswith("/etc") for _, path, _ in server.requests))
        # A player.json that names a service of another host is rejected.
        server.answers["player.json"] = (200, {"service": True, "version": "1", "api": "https://evil.example/v1/"})
        expect(page.evaluate("W.StoryLibrary.open().then(() => 'open', error => error.message)") == "player.json names another host")


if __name__ == "__main__":
    run(globals())
