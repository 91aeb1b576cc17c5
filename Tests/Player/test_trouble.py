"""Failures on phones: no permission, poor fixes, no network, blocked audio; and hostile stories."""
import math
import pytest
from conftest import ADDRESS
from playing import EVENTS, PLACES, found, go, journal, remember, settle, stand

MIDDLE = (35.28057, -120.66403)


def test_no_permission_for_the_position(open_player):
    page = open_player("#/late-post/map/the-book-box", position=MIDDLE, permitted=False)
    page.click(".prompt .primary")
    page.wait_for_function("() => document.querySelector('.prompt').innerText.includes('not permitted')")
    go(page, "#/late-post")
    assert page.locator(".trail a").count() == 3


def test_no_camera(open_player):
    """Without the flags for a fake camera there is no camera and no permission for one."""
    page = open_player(position=MIDDLE, arguments=())
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/library-door")
    page.click(".choices button")
    page.wait_for_selector(".camera .missing:not([hidden])")
    assert page.locator("#capture-file").count() == 1
    go(page, "#/late-post/event/house-without-door")
    page.click(".goggles .primary")
    page.wait_for_selector(".goggles .missing:not([hidden])")
    # The still view turns by keys.
    before = page.inner_text(".pins")
    page.focus(".scene")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.pins').innerText !== before", arg=before)


@pytest.mark.parametrize("fault", ["abort", 404, 503, "html", "words"])
def test_a_player_that_cannot_start(open_player, fault):
    """The page is never blank: it says what is wrong, and can be tried again."""
    def answer(route):
        if fault == "abort": route.abort()
        elif fault == "html": route.fulfill(status=200, content_type="text/html", body="<p>Welcome to our network")
        else: route.fulfill(status=503 if fault == "words" else fault, json={})

    address = "**/strings/*.json" if fault == "words" else "**/player.json"
    page = open_player(prepare=lambda page: page.route(address, answer))
    text = {"abort": "The service cannot be reached", "html": "What the service sent is damaged", "words": "The page could not be loaded"}
    assert text.get(fault, "The service cannot answer now") in page.inner_text("#view")
    page.unroute(address)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".poster")


def test_a_browser_that_denies_storage(open_player):
    """As with blocked cookies. The page plays, and the language can be changed while it is open."""
    denied = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } })"
    page = open_player(prepare=lambda page: page.add_init_script(denied))
    page.wait_for_selector(".poster")
    page.select_option(".language select", "ar")
    page.wait_for_function("() => document.documentElement.dir === 'rtl'")
    go(page, "#/late-post")
    page.wait_for_selector(".trail a")


def test_a_language_that_cannot_be_loaded(open_player):
    """It is not chosen, and the page says so in the language that it has."""
    page = open_player(locale="de-AT", prepare=lambda page: page.route("**/strings/fr.json", lambda route: route.abort()))
    page.wait_for_selector(".poster")
    page.select_option(".language select", "fr")
    page.wait_for_selector(".notice >> text=Das hat nicht geklappt")
    page.wait_for_function("() => document.querySelector('.language select').value === 'de'")
    assert page.evaluate("[document.documentElement.lang, localStorage.getItem('wayreel-language')]") == ["de", None]
    page.select_option(".language select", "pt")
    page.wait_for_function("() => document.documentElement.lang === 'pt'")
    assert page.evaluate("localStorage.getItem('wayreel-language')") == "pt"


def test_a_private_window(open_player):
    """What the browser does not keep is not called kept."""
    nothing = "Object.defineProperty(window, 'indexedDB', { value: undefined })"
    page = open_player("#/late-post/journal", prepare=lambda page: page.add_init_script(nothing))
    page.wait_for_selector(".sync >> text=This browser keeps nothing on this device")
    assert "is kept on this device" not in page.inner_text(".sync")


def test_an_event_that_is_found_meanwhile(open_player):
    """By another device, whose journal arrives while its address is open."""
    page = open_player("#/late-post/event/breakfast-tape")
    assert page.inner_text("h1") == "Not found yet"
    other = page.context.new_page()
    other.goto(ADDRESS)
    remember(other, journal(["breakfast-tape"], opened=[]))
    page.wait_for_selector("h1 >> text=Thirty seconds of breakfast")
    page.wait_for_selector(".radio")


def test_an_empty_photo(open_player):
    """It is refused at once, and not kept and sent again and again."""
    page = open_player()
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/late-post/event/library-door")
    page.set_input_files("#capture-file", {"name": "IMG_0001.HEIC", "mimeType": "image/heic", "buffer": b""})
    page.wait_for_selector(".notice >> text=The capture could not be kept")
    assert page.locator(".capture").count() == 0 and found(page)["captures"] == 0


def test_a_story_that_does_not_exist(open_player):
    """The page says so, and what to do, and does not blame the network."""
    page = open_player("#/no-such-story")
    assert page.inner_text("h1") == "There is no such story"
    assert "network" not in page.inner_text("#view").lower()
    page.click('a:has-text("All stories")')
    page.wait_for_selector(".poster")


def test_a_story_without_network_and_download(open_player):
    """Whoever opens it is told what may be missing, until there is a network; and is not told after a download."""
    page = open_player(workers="allow")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.wait_for_function("async () => Boolean(await caches.match('v1/stories/late-post/manifest.json'))")
    page.context.set_offline(True)
    page.reload()
    go(page, "#/late-post")
    page.wait_for_selector(".offline")
    assert "Download the story" in page.inner_text(".offline")
    go(page, "#/late-post/chapter/the-round")
    assert page.locator(".offline").is_visible()
    page.context.set_offline(False)
    page.wait_for_selector(".offline", state="hidden")
    go(page, "#/")
    download(page)
    page.wait_for_function("() => document.querySelector('.download .state').innerText.startsWith('On this device')")
    page.context.set_offline(True)
    page.reload()
    go(page, "#/late-post")
    page.wait_for_selector(".trail")
    assert not page.locator(".offline").is_visible()


def test_a_slow_network(open_player):
    """Its note does not say that there is none."""
    def slow(page):
        page.route("**/v1/stories/late-post*", lambda route: route.fulfill(response=(answer := route.fetch()), headers={**answer.headers, "wayreel-kept": "late"}))
        page.route("**/v1/stories/late-post/manifest.json", lambda route: route.fulfill(response=(answer := route.fetch()), headers={**answer.headers, "wayreel-kept": "late"}))

    page = open_player("#/late-post", prepare=slow)
    assert page.inner_text(".offline strong") == "The network is slow, and the story is not on this device"


def test_names_of_another_direction(open_player):
    """An Arabic name in a list of an English page stays where the sentence has it: before the distance, whatever is in it."""
    name = "جرس (1880)!"

    def answer(route):
        document = route.fetch().json()
        for chapter in document["chapters"]:
            for event in chapter["events"]:
                event["name"] = name
                for pin in event["content"].get("pins", []):
                    pin["image"]["alt"] = name
        route.fulfill(json=document)
    page = open_player(position=MIDDLE, prepare=lambda page: page.route("**/v1/stories/late-post", answer))
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/house-without-door")
    page.wait_for_selector(".pins li")
    # Where the name and the distance behind it are drawn.
    left = page.evaluate("""() => {
        const item = document.querySelector('.pins li'), range = document.createRange();
        const boxOf = (node, from, to) => {
            range.setStart(node, from);
            range.setEnd(node, to);
            return range.getBoundingClientRect();
        };
        const text = [...item.childNodes].at(-1), walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT), texts = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        const named = texts.find(node => node.data.includes('جرس')), distance = texts.find(node => /[0-9] m/.test(node.data));
        const at = distance.data.search(/[0-9]+ m/), start = named.data.indexOf('جرس');
        return [boxOf(named, start, start + 3).left, boxOf(named, start + 10, start + 11).left, boxOf(distance, at, at + 1).left];
    }""")
    # The word is at the right of its own punctuation, and both are before the distance.
    assert left[1] < left[0] < left[2], left
    go(page, "#/late-post/map/the-book-box")
    stand(page, MIDDLE, fixes=3)
    page.click(".nearby summary")
    assert page.locator(".around a bdi").first.inner_text() == name
    # In texts that are not elements, the name is isolated.
    go(page, "#/")
    assert page.evaluate("async name => (await (await import('./player.js')).$load('components/words.js')).say('device.done', { name })", name) == f"\u2068{name}\u2069 is on this device now."


def test_no_permission_for_the_compass(open_player):
    """The page has to request permission, as on iOS."""
    def prepare(page):
        page.add_init_script("DeviceOrientationEvent.requestPermission = async () => 'denied'")
    page = open_player(position=MIDDLE, prepare=prepare)
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/house-without-door")
    page.click(".goggles .primary")
    page.wait_for_function("() => document.querySelector('.goggles .missing').innerText.includes('compass')")
    assert page.locator(".scene video:visible").count() == 1


def test_the_goggles_turn_with_the_device(open_player):
    """A pin in the direction of the camera is in the middle of the view.

    The bearing of the bell from (35.2798, -120.66477) is 30.9°.
    """
    page = open_player(position=(35.2798, -120.66477))
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/house-without-door")
    page.click(".goggles .primary")
    # The bearing on a flat Earth, which is accurate enough for 100 m.
    latitude, longitude = 35.28068 - 35.2798, -120.66413 + 120.66477
    bearing = math.degrees(math.atan2(longitude * math.cos(math.radians(35.28)), latitude))
    # A device held upright with its camera to the north has alpha 0, beta 90, gamma 0; alpha increases
    # counter-clockwise.
    scene = page.locator(".scene").bounding_box()
    off = lambda box: abs(box["x"] + box["width"] / 2 - scene["x"] - scene["width"] / 2) if box else scene["width"]
    # The view follows calmly, by the time between readings.
    for _ in range(100):
        page.evaluate("""alpha => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
            { alpha, beta: 90, gamma: 0, absolute: true }))""", 360 - bearing)
        page.wait_for_timeout(60)
        if off(page.locator(".pin >> nth=1").bounding_box()) < scene["width"] * 0.03:
            break
    else:
        raise AssertionError("the pin did not come to the middle")


def test_a_fix_of_500_metres(open_player):
    page = open_player("#/late-post/map/the-book-box", position=PLACES["library-door"], accuracy=500)
    stand(page, PLACES["library-door"], accuracy=500)
    assert found(page)["events"] == []
    assert "500" in page.inner_text(".accuracy")


def test_no_compass(open_player):
    """Devices without one tell of directions by the compass's points, and keep the map to the north."""
    def prepare(page):
        page.add_init_script("delete window.DeviceOrientationEvent")
    page = open_player("#/late-post/map/the-book-box", position=MIDDLE, prepare=prepare)
    stand(page, MIDDLE)
    page.wait_for_function("() => /[0-9] m, [NESW]/.test(document.querySelector('.nearest .where').innerText)")
    page.click('.map-tools button:first-child')
    assert page.get_attribute('.map-tools button:first-child', "aria-pressed") == "false"


def test_a_signal_that_is_lost(open_player):
    """A receiver that fails before its first fix: the page goes on waiting, and takes the fix that comes."""
    page = open_player("#/late-post/map/the-book-box", position=MIDDLE, prepare=lambda page: page.context.set_geolocation(None))
    page.wait_for_selector(".prompt:not([hidden]) .waiting")
    stand(page, MIDDLE)
    page.wait_for_selector(".prompt", state="hidden")


def download(page):
    page.click(".download button")


def test_a_network_that_goes_while_a_story_is_loaded(open_player):
    """The page says so, and the next try loads the rest."""
    page = open_player()
    page.wait_for_selector(".download button")
    loaded = []

    def answer(route):
        loaded.append(route.request.url)
        route.abort() if len(loaded) > 2 else route.continue_()
    page.route("**/media/**", answer)
    download(page)
    page.wait_for_selector('.notice[data-key="storage"]')
    assert page.inner_text('.notice[data-key="storage"] strong') == "The download stopped"
    page.unroute("**/media/**")
    again = []
    page.on("request", lambda request: "/media/" in request.url and again.append(request.url))
    download(page)
    page.wait_for_function("() => document.querySelector('.download .state').innerText.startsWith('On this device')")
    assert not set(loaded[:2]) & set(again)


def test_a_device_that_is_full(open_player):
    page = open_player()
    page.wait_for_selector(".download button")
    client = page.context.new_cdp_session(page)
    client.send("Storage.overrideQuotaForOrigin", {"origin": ADDRESS.rstrip("/"), "quotaSize": 100_000})
    download(page)
    page.wait_for_selector('.notice[data-key="storage"]')
    assert page.inner_text('.notice[data-key="storage"]') != ""
    # It plays from the network all the same.
    page.click(".poster a.primary")
    page.wait_for_selector(".trail")


def test_sound_that_may_not_start(open_player):
    page = open_player(position=MIDDLE)
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/breakfast-tape")
    page.wait_for_selector(".play")
    # Fakes a browser that refuses to play before the first tap.
    page.evaluate("() => { HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('', 'NotAllowedError')) }")
    page.click(".play")
    page.wait_for_selector(".radio .missing:not([hidden])")
    assert page.get_attribute(".play", "aria-label") == "Play"


def test_a_service_that_keeps_no_players(open_player):
    """Without `--data` the service takes neither captures nor journals; they are kept on the device, also without a network, and nothing
    is refused."""
    page = open_player(position=MIDDLE)
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/library-door")
    page.wait_for_selector("#capture-file", state="attached")
    page.context.set_offline(True)
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    page.wait_for_selector(".capture")
    assert page.inner_text(".capture .state") == "Kept on this device"
    page.context.set_offline(False)
    assert found(page)["captures"] == 1
    go(page, "#/late-post/journal")
    assert page.inner_text(".sync > .soft") == "Your journal is kept on this device."


def test_a_story_that_is_prepared_again(open_player):
    """Where files of the version that is played are gone, the page offers the new one."""
    def prepare(page):
        page.route("**/media/**/*.jpg", lambda route: route.fulfill(status=404))
    page = open_player(position=MIDDLE, prepare=prepare)
    page.wait_for_selector(".download .state")
    go(page, "#/late-post")
    page.wait_for_selector(".trail")
    assert page.locator('.notice[data-key="changed"]').count() == 0

    def answer(route):
        manifest = route.fetch().json()
        manifest["database"]["sha256"] = "f" * 64
        route.fulfill(json=manifest)
    page.route("**/v1/stories/late-post/manifest.json", answer)
    go(page, "#/late-post/chapter/the-round")
    page.wait_for_selector('.notice[data-key="changed"] button:has-text("Load it")')
    page.unroute("**/media/**/*.jpg")
    page.click('.notice[data-key="changed"] button:has-text("Load it")')
    page.wait_for_function("() => document.querySelector('.hero img')?.naturalWidth > 0")


@pytest.mark.parametrize("view, button", [("library-door", ".choices button"), ("house-without-door", ".goggles .primary")])
def test_a_view_that_is_left_while_the_camera_is_asked_for(open_player, view, button):
    """The camera does not stay on."""
    page = open_player(position=MIDDLE)
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, f"#/late-post/event/{view}")
    page.evaluate("""() => {
        const devices = navigator.mediaDevices, ask = devices.getUserMedia.bind(devices), answered = new Promise(resolve => { window.answer = resolve; });
        devices.getUserMedia = async wanted => { await answered; return window.stream = await ask(wanted); };
    }""")
    page.click(button)
    go(page, "#/late-post/journal")
    page.evaluate("answer()")
    page.wait_for_function("() => window.stream?.getTracks().every(track => track.readyState === 'ended')")


def test_a_live_picture(open_player):
    """The fake camera's picture is stored as a capture at its full size."""
    page = open_player(position=MIDDLE)
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/library-door")
    page.click(".choices button")
    page.wait_for_function("() => document.querySelector('.live video')?.videoWidth > 0")
    page.click(".shutter")
    page.wait_for_selector(".capture img")
    page.wait_for_function("() => document.querySelector('.capture img').naturalWidth > 0")


HOSTILE = "<img src=x onerror='window.pwned=1'><script>window.pwned=2</script><svg onload='window.pwned=3'>"


def test_a_hostile_story_runs_nothing(open_player):
    """Markup in all texts and foreign addresses for all files are shown as text, or not at all."""
    plain = {}

    def poisoned(value, key=None):
        if isinstance(value, dict):
            return {name: poisoned(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [poisoned(part, key) for part in value]
        if isinstance(value, str) and key in ("name", "description", "title", "text", "alt", "clue", "question", "transcript", "hints", "answers", "label"):
            return f"{HOSTILE} {value}"
        return value

    def answer_story(route):
        document = route.fetch().json()
        plain.update(document)
        route.fulfill(json=poisoned(document))

    def answer_manifest(route):
        manifest = route.fetch().json()
        paths = ["javascript:window.pwned=4", "//evil.example/x.jpg", "https://evil.example/x.jpg", "media/../../x.jpg", "data:text/html,x"]
        renamed = {}
        for index, file in enumerate(manifest["files"]):
            if index % 2:
                renamed[file["path"]] = paths[index % len(paths)]
                file["path"] = renamed[file["path"]]
        for entry in manifest["media"]:
            entry["path"] = renamed.get(entry["path"], entry["path"])
        route.fulfill(json=manifest)

    asked = []

    def prepare(page):
        page.route("**/v1/stories/late-post", answer_story)
        page.route("**/v1/stories/late-post/manifest.json", answer_manifest)
        page.on("request", lambda request: asked.append(request.url))

    page = open_player(position=MIDDLE, prepare=prepare)
    remember(page, journal(EVENTS))
    for address in ["#/", "#/late-post", "#/late-post/chapter/the-book-box", "#/late-post/map/the-book-box", "#/late-post/tour/the-round",
                    "#/late-post/journal", "#/late-post/event/%3Cscript%3E", *[f"#/late-post/event/{event}" for event in EVENTS]]:
        go(page, address)
        settle(page)
        assert page.evaluate("window.pwned") is None, address
        assert page.evaluate("document.querySelectorAll('script').length") == 1, address
        links = page.evaluate("[...document.querySelectorAll('[href], [src]')].map(node => node.href || node.src)")
        assert all(str(link).startswith((ADDRESS, "blob:")) or not isinstance(link, str) for link in links), links
    assert "onerror" in page.inner_text("h1")
    assert all(url.startswith((ADDRESS, "blob:")) for url in asked), [url for url in asked if not url.startswith(ADDRESS)]


def test_files_of_stories_run_nothing_by_themselves(open_player):
    """An SVG that is opened directly cannot run scripts, and has an origin of its own."""
    page = open_player()
    manifest = page.evaluate("async () => (await fetch('v1/stories/late-post/manifest.json')).json()")
    path = next(file["path"] for file in manifest["files"] if file["type"] == "image/svg+xml")
    answer = page.context.request.get(f"{ADDRESS}v1/stories/late-post/{path}")
    policy = answer.headers["content-security-policy"]
    assert "sandbox" in policy and "script-src" not in policy and "default-src 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_page_is_served_strictly(open_player):
    answer = open_player().context.request.get(ADDRESS)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy and "style-src 'self'" in policy and "unsafe" not in policy
    assert "camera=(self)" in answer.headers["permissions-policy"]
