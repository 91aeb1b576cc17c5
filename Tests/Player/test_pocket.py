"""While a player walks: the screen stays on, finds are heard and felt, and sounds have captions."""
import pytest
from conftest import ADDRESS
from hearing import LISTEN
from playing import EVENTS, PLACES, found, go, journal, remember, settle, stand
from test_small_screens import PHONES
from test_views import BEYOND, look

MAP, TOUR = "#/late-post/map/the-book-box", "#/late-post/tour/the-round"
HERE = (35.2806, -120.6640)

#: A device that can keep its screen on, and tells its battery; `hide(true)` hides the page, which takes all locks away.
DEVICE = """
    class Lock extends EventTarget {
        released = false;
        async release() {
            if (this.released) return;
            this.released = true;
            this.dispatchEvent(new Event('release'));
        }
    }
    let isHidden = false;
    Object.assign(window, {
        locks: [], refuses: false,
        held: () => locks.filter(lock => !lock.released).length,
        battery: Object.assign(new EventTarget(), { level: 0.8, charging: false }),
        discharge(level, charging = false) {
            Object.assign(battery, { level, charging });
            battery.dispatchEvent(new Event('levelchange'));
        },
        hide(isNow) {
            isHidden = isNow;
            if (isNow) locks.forEach(lock => lock.release());
            document.dispatchEvent(new Event('visibilitychange'));
        },
    });
    Object.defineProperties(document, { hidden: { get: () => isHidden }, visibilityState: { get: () => isHidden ? 'hidden' : 'visible' } });
    Object.defineProperty(navigator, 'wakeLock', { value: { async request(kind) {
        if (refuses || isHidden || kind !== 'screen') throw new DOMException('It is not allowed.', 'NotAllowedError');
        locks.push(new Lock());
        return locks.at(-1);
    } } });
    navigator.getBattery = async () => battery;
"""

#: Counts vibrations, and the sounds that start, by their seconds.
SIGNALS = """
    Object.assign(window, { vibrations: [], sounds: [] });
    Object.defineProperty(navigator, 'vibrate', { value: pattern => vibrations.push(pattern) > 0 });
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...rest) {
        sounds.push(this.buffer.duration);
        return start.apply(this, rest);
    };
"""

#: A browser whose page makes no sound before it was tapped: those of tests count what is evaluated as a tap.
UNTOUCHED = """
    let isTouched = false;
    addEventListener('click', () => { isTouched = true; }, true);
    const { resume } = AudioContext.prototype;
    AudioContext.prototype.resume = function () { return isTouched ? resume.call(this) : new Promise(() => {}); };
    Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: isTouched }) });
"""

BIRD = {"source": "radio/bird.mp3", "alt": "A bird whistles twice"}
LONG = {"source": "radio/breakfast.mp3", "alt": "All of breakfast"}


def signals(arrival, events=()):
    """Returns a function that prepares a page, so that the story and some of its events have signals."""
    def prepare(page):
        def answer(route):
            story = route.fetch().json()
            story["arrival"] = arrival
            for chapter in story["chapters"]:
                for event in chapter["events"]:
                    # Who is there has found it.
                    event["activation"].update({"trigger": "enter"})
                    event.update({key: value for key, value in dict(events).get(event["id"], {}).items()})
            route.fulfill(json={key: value for key, value in story.items() if value is not None})
        page.add_init_script(SIGNALS)
        page.add_init_script(LISTEN)
        page.route("**/v1/stories/late-post", answer)
    return prepare


def device(page):
    page.add_init_script(DEVICE)


def held(page, count):
    page.wait_for_function("count => held() === count", arg=count)


def walking(open_player, hash=MAP, **options):
    page = open_player(hash, position=HERE, prepare=device, reduced_motion="reduce", **options)
    stand(page, HERE, fixes=3)
    return page


# The screen

@pytest.mark.parametrize("hash", [MAP, TOUR])
def test_the_screen_stays_on_while_walking(open_player, hash):
    page = walking(open_player, hash)
    held(page, 1)
    assert page.inner_text(".switch") == "Screen stays on" and page.is_checked(".switch input")
    # A page that is hidden loses it, and asks again when it is shown.
    page.evaluate("hide(true)")
    held(page, 0)
    page.evaluate("hide(false)")
    held(page, 1)
    go(page, "#/late-post")
    held(page, 0)
    go(page, hash)
    held(page, 1)


def test_who_only_reads_has_a_screen_as_always(open_player):
    """No view but the map and the tour, no map without positions, and none where all was found."""
    page = open_player("#/late-post", position=HERE, permitted=False, prepare=device)
    remember(page, journal(EVENTS[:6]))
    for address in [MAP, TOUR]:
        go(page, address)
        page.wait_for_selector(".prompt:not([hidden])")
        assert page.locator(".switch").count() == 0 or not page.locator(".switch").is_visible()
    go(page, "#/late-post/journal")
    page.context.grant_permissions(["geolocation"])
    for address in ["#/late-post/event/breakfast-tape", "#/late-post/journal", "#/late-post/chapter/the-book-box", "#/late-post/ending"]:
        go(page, address)
        stand(page, HERE, fixes=2)
    assert page.evaluate("locks.length") == 0
    # The chapter is done.
    go(page, MAP)
    stand(page, HERE, fixes=3)
    assert page.locator(".done").is_visible() and not page.locator(".switch").is_visible()
    assert page.evaluate("locks.length") == 0


def test_positions_have_to_arrive(open_player):
    page = open_player("#/late-post", position=HERE, prepare=device)
    page.clock.install()
    go(page, MAP)
    stand(page, HERE, fixes=3)
    held(page, 1)
    page.clock.run_for(115_000)
    assert page.evaluate("held()") == 1
    page.clock.run_for(10_000)
    held(page, 0)
    assert not page.locator(".switch").is_visible()
    stand(page, HERE, fixes=2)
    held(page, 1)


def test_a_player_switches_the_screen(open_player):
    page = walking(open_player)
    held(page, 1)
    page.locator(".switch").click()
    held(page, 0)
    page.reload()
    page.wait_for_selector("h1")
    stand(page, HERE, fixes=3)
    page.wait_for_selector(".switch")
    assert not page.is_checked(".switch input") and page.evaluate("locks.length") == 0
    page.focus(".switch input")
    page.keyboard.press("Space")
    held(page, 1)
    assert page.locator(".switch input").get_attribute("role") == "switch"


def test_a_low_battery_is_said_once(open_player):
    page = walking(open_player)
    held(page, 1)
    page.evaluate("discharge(0.16)")
    assert page.evaluate("held()") == 1
    page.evaluate("discharge(0.15)")
    held(page, 0)
    page.wait_for_selector('.notice[data-key="battery"]')
    assert page.inner_text(".notice strong") == "The battery is low"
    assert page.inner_text(".switch small") == "Not now: low battery"
    page.click(".notice .plain")
    page.evaluate("discharge(0.15, true)")
    held(page, 1)
    assert page.inner_text(".switch small") == ""
    page.evaluate("discharge(0.1)")
    held(page, 0)
    go(page, "#/late-post")
    go(page, MAP)
    page.wait_for_function("() => document.querySelector('.switch small').textContent !== ''")
    assert page.locator(".notice").count() == 0 and page.evaluate("held()") == 0


def test_a_device_that_refuses(open_player):
    page = open_player("#/late-post", position=HERE, prepare=device)
    page.evaluate("window.refuses = true")
    go(page, MAP)
    stand(page, HERE, fixes=3)
    page.wait_for_function("() => document.querySelector('.switch small').textContent === 'Not now: not allowed here'")
    page.evaluate("window.refuses = false; hide(true); hide(false)")
    held(page, 1)
    assert page.inner_text(".switch small") == ""
    # It takes the lock away while the page is shown; nobody insists.
    page.evaluate("locks.at(-1).release()")
    page.wait_for_function("() => document.querySelector('.switch small').textContent !== ''")
    stand(page, HERE, fixes=2)
    assert page.evaluate("[held(), locks.length]") == [0, 1]


def test_a_browser_without_wake_locks(open_player):
    page = open_player("#/late-post", position=HERE, prepare=lambda page: page.add_init_script("delete Navigator.prototype.wakeLock"))
    go(page, MAP)
    stand(page, HERE, fixes=3)
    page.wait_for_selector(".nearest .where")
    assert not page.locator(".pocket").is_visible()


# Finds

def arrived(open_player, arrival={"sound": BIRD, "vibrate": True}, events=(), place="library-door", before=None, **options):
    """Opens a chapter, taps, walks to an event, and waits until it is found. Returns the page."""
    page = open_player("#/late-post/chapter/the-book-box", position=HERE, prepare=signals(arrival, events), **options)
    page.wait_for_timeout(300)
    page.click(".dock .primary")
    page.wait_for_selector(".exploration")
    if before:
        before(page)
    arrive(page, place)
    return page


def arrive(page, place):
    stand(page, PLACES[place])
    page.wait_for_selector(f'.notice[data-key="found-{place}"]')
    page.wait_for_timeout(300)


def test_a_find_is_heard_and_felt(open_player):
    """Once: not after the page is loaded again."""
    page = arrived(open_player)
    assert page.evaluate("vibrations") == [[80, 60, 160]]
    assert page.evaluate("sounds") == [pytest.approx(2.23, abs=0.1)]
    assert page.inner_text(".notice .heard") == "A bird whistles twice"
    assert page.get_attribute(".notice .heard bdi", "lang") == "en-US" and "You found something." not in page.inner_text(".notice")
    assert page.evaluate("heard.some(text => text.includes('You found something.')) && !heard.some(text => text.includes('whistles'))")
    page.reload()
    page.wait_for_selector("h1")
    page.click("h1")
    stand(page, PLACES["library-door"], fixes=3)
    assert page.evaluate("[vibrations, sounds]") == [[], []]


def test_the_sound_is_there_before_it_is_needed(open_player):
    """It is loaded when the chapter opens, once for all events, and those that were found need none."""
    asked = []
    prepare = signals({"sound": BIRD, "vibrate": False})

    def watched(page):
        prepare(page)
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith(".m4a") else None)
    page = open_player("#/late-post", position=HERE, prepare=watched)
    assert asked == []
    go(page, "#/late-post/chapter/the-book-box")
    page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('.m4a') && responseEnd > 0)")
    go(page, MAP)
    page.click("h1")
    arrive(page, "library-door")
    assert len(asked) == 1 and page.evaluate("sounds.length") == 1 and page.evaluate("vibrations") == []
    remember(page, journal(EVENTS))
    go(page, MAP)
    settle(page)
    assert len(asked) == 1


def test_a_browser_that_was_not_touched_stays_silent(open_player):
    """And does not catch up on it at the next tap."""
    prepare = signals({"sound": BIRD, "vibrate": True})
    page = open_player(MAP, position=HERE, prepare=lambda page: (prepare(page), page.add_init_script(UNTOUCHED)))
    arrive(page, "library-door")
    assert page.inner_text(".notice .heard") == "A bird whistles twice"
    page.click("h1")
    page.wait_for_timeout(1500)
    assert page.evaluate("sounds") == []
    arrive(page, "breakfast-tape")
    assert page.evaluate("sounds.length") == 1


def test_an_author_decides(open_player):
    """Events with signals of their own, silence, a sound that is none, and a story without any."""
    own = {"library-door": {"arrival": {"vibrate": False}}}
    page = arrived(open_player, events=own)
    assert page.evaluate("[vibrations, sounds]") == [[], []]
    assert page.locator(".notice .heard").count() == 0 and "You found something." in page.inner_text(".notice")
    page = arrived(open_player, arrival=None, events={"library-door": {"arrival": {"sound": BIRD, "vibrate": False}}})
    assert page.evaluate("vibrations") == [] and page.evaluate("sounds.length") == 1
    page = arrived(open_player, arrival={"sound": LONG, "vibrate": True})
    assert page.evaluate("sounds") == [] and page.evaluate("vibrations.length") == 1
    page = arrived(open_player, arrival=None)
    assert page.evaluate("[vibrations, sounds]") == [[], []] and not page.locator(".pocket .round").count()


def test_a_player_decides(open_player):
    page = arrived(open_player, before=lambda page: (page.click('.pocket [aria-label^="Sound"]'), page.click('.pocket [aria-label^="Vibration"]')))
    assert page.evaluate("[vibrations, sounds]") == [[], []]
    assert page.inner_text(".notice .heard") == "A bird whistles twice"
    page.reload()
    page.wait_for_selector(".pocket")
    assert [page.get_attribute(f".pocket .round >> nth={index}", "aria-pressed") for index in (0, 1)] == ["false", "false"]
    page.click('.pocket [aria-label^="Sound"]')
    arrive(page, "breakfast-tape")
    assert page.evaluate("vibrations") == [] and page.evaluate("sounds.length") == 1


def test_a_device_that_does_not_vibrate(open_player):
    page = open_player(MAP, position=HERE, prepare=signals({"vibrate": True}), has_touch=False)
    page.wait_for_selector(".nearest")
    assert page.locator(".pocket .round").count() == 0


def test_what_plays_is_not_disturbed(open_player):
    """No sound over a recording; and one that the player starts ends the sound of a find."""
    page = open_player("#/late-post", position=HERE, prepare=signals({"sound": BIRD, "vibrate": True}), arguments=("--mute-audio",))
    remember(page, journal(["breakfast-tape"]))
    go(page, "#/late-post/event/breakfast-tape")
    page.click(".play")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0.1")
    go(page, MAP)
    arrive(page, "library-door")
    assert page.evaluate("sounds") == [] and page.evaluate("vibrations.length") == 1
    assert page.evaluate("!document.querySelector('audio').paused")
    page.click('.listening button[aria-label="Pause"]')
    page.evaluate("""() => {
        window.ended = new Promise(resolve => {
            const { stop } = AudioScheduledSourceNode.prototype;
            AudioScheduledSourceNode.prototype.stop = function () { stop.call(this); resolve(true); };
        });
    }""")
    arrive(page, "four-cards")
    assert page.evaluate("sounds.length") == 1
    page.click('.listening button[aria-label="Play"]')
    assert page.evaluate("ended")


def test_finds_of_other_devices_are_silent(open_player):
    page = open_player(MAP, position=HERE, prepare=signals({"sound": BIRD, "vibrate": True}))
    page.click("h1")
    page.evaluate("""async document => {
        const { $load } = await import('./player.js');
        const [{ JournalStore }, { JournalContents }] = await Promise.all(['journal/journal-store.js', 'journal/journal-contents.js'].map(path => $load(path)));
        const store = await JournalStore.open();
        await store.merge(document.story, new JournalContents(document));
        store.close();
    }""", journal(["library-door"]))
    page.reload()
    page.wait_for_selector("h1")
    page.click("h1")
    stand(page, HERE, fixes=3)
    assert found(page)["events"] == ["library-door"]
    assert page.evaluate("[vibrations, sounds]") == [[], []] and page.locator('.notice[data-kind]').count() == 0


# Captions

VTT = """WEBVTT

00:00.000 --> 00:02.000
<v Ana>Good <b>morning</b> &amp; <img src=x onerror=alert(1)>welcome</v>

00:02.500 --> 00:04.000
[Cups]
"""


def captioned(open_player, captions, **options):
    """Opens the radio, whose track has captions; `captions` are {source, language}, and the files name their language."""
    def prepare(page):
        def answer(route):
            story = route.fetch().json()
            for chapter in story["chapters"]:
                for event in chapter["events"]:
                    if event["id"] == "breakfast-tape":
                        event["content"]["tracks"][0]["captions"] = captions
            route.fulfill(json=story)

        def manifest(route):
            document = route.fetch().json()
            for entry in captions:
                path = f"media/00/{entry['source'].replace('/', '-')}.vtt"
                document["files"].append({"path": path, "type": "text/vtt", "bytes": len(VTT), "sha256": "0" * 64})
                document["media"].append({"source": entry["source"], "role": "captions", "path": path})
            route.fulfill(json=document)
        page.route("**/v1/stories/late-post", answer)
        page.route("**/v1/stories/late-post/manifest.json", manifest)
        page.route("**/media/00/*.vtt", lambda route: route.fulfill(body=VTT.replace("[Cups]", route.request.url[-6:-4]), content_type="text/vtt"))
        page.add_init_script(LISTEN)
    page = open_player("#/late-post", prepare=prepare, arguments=("--autoplay-policy=no-user-gesture-required", "--mute-audio"), **options)
    remember(page, journal(EVENTS[:4]))
    go(page, "#/late-post/event/breakfast-tape")
    return page


def seek(page, seconds):
    page.evaluate("seconds => { document.querySelector('audio').currentTime = seconds }", seconds)


CAPTION = "text => document.querySelector('.caption').textContent === text"


def test_captions_of_a_recording(open_player):
    """Off until they are switched on, then kept; plain text, which is not announced."""
    page = captioned(open_player, [{"source": "a-en", "language": "en"}])
    button = page.locator('[aria-label="Captions"]')
    assert button.get_attribute("aria-pressed") == "false" and not page.locator(".caption").is_visible()
    assert page.locator("audio track").count() == 0
    button.click()
    page.wait_for_function(CAPTION, arg="Good morning & welcome")
    box = page.locator(".caption").bounding_box()
    assert page.locator(".caption *").count() == 0 and page.get_attribute(".caption", "lang") == "en"
    seek(page, 3)
    page.wait_for_function(CAPTION, arg="en")
    seek(page, 2.2)
    page.wait_for_function(CAPTION, arg="")
    assert page.locator(".caption").bounding_box() == box
    assert not page.evaluate("heard.some(text => text.includes('morning'))")
    assert page.evaluate("[...document.querySelector('audio').textTracks].map(({ mode }) => mode)") == ["hidden"]
    page.reload()
    page.wait_for_selector('[aria-label="Captions"][aria-pressed="true"]')
    page.click(".play")
    page.wait_for_function(CAPTION, arg="Good morning & welcome")
    page.click('[aria-label="Captions"]')
    assert not page.locator(".caption").is_visible() and page.locator("audio track").count() == 0


@pytest.mark.parametrize("locale, tags, chosen", [
    ("de-AT", ["en-US", "de"], "de"), ("pt-BR", ["fr", "pt-PT"], "pt-PT"), ("fr-FR", ["de", "en-GB"], "en-GB"), ("es-ES", ["ar", "de"], "ar"),
    ("en-US", [None, "de"], "en-US")])
def test_the_language_of_captions(open_player, locale, tags, chosen):
    """That of the page, else that of the story, else any."""
    captions = [{"source": f"c-{(tag or 'no')[:2]}"} | ({"language": tag} if tag else {}) for tag in tags]
    page = captioned(open_player, captions, locale=locale)
    page.locator(".timeline .round").click()
    seek(page, 3)
    page.wait_for_function(CAPTION, arg="no" if None in tags else chosen[:2])
    assert page.get_attribute(".caption", "lang") == chosen


def test_a_recording_without_captions_has_no_button(open_player):
    page = captioned(open_player, [])
    assert not page.locator(".timeline .round").is_visible()


# What it looks like

@pytest.mark.parametrize("locale", ["en-US", "ar-EG", "de-DE", "fr-FR"])
@pytest.mark.parametrize("size", [PHONES[0], PHONES[-1]])
def test_on_small_screens(open_player, size, locale):
    prepare = signals({"sound": BIRD, "vibrate": True})
    page = open_player(MAP, position=HERE, prepare=lambda page: (prepare(page), device(page)), viewport=dict(zip(("width", "height"), size)),
                       locale=locale, reduced_motion="reduce")
    stand(page, HERE, fixes=3)
    held(page, 1)
    name = f"pocket-{size[0]}-{locale[:2]}"
    # What is said about something near lies over the buttons of the smallest map until it is closed.
    while page.locator(".notice button").count():
        page.locator(".notice button").last.click()
        page.wait_for_timeout(300)
    issues = look(page, f"{name}-map")
    assert page.evaluate(BEYOND) == []
    page.click(".pocket .round >> nth=0")
    page.evaluate("discharge(0.1)")
    page.wait_for_selector(".notice")
    issues += look(page, f"{name}-low")
    arrive(page, "library-door")
    issues += look(page, f"{name}-found", ".notice")
    box = page.locator(".notice").bounding_box()
    assert box["height"] <= size[1] / 4 + 1
    go(page, TOUR)
    page.evaluate("document.querySelectorAll('.notice').forEach(notice => notice.remove())")
    issues += look(page, f"{name}-tour")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert issues == []


@pytest.mark.parametrize("scheme, locale", [("light", "en-US"), ("dark", "ar-EG")])
def test_captions_on_a_small_screen(open_player, scheme, locale):
    page = captioned(open_player, [{"source": "a-en", "language": "en"}], viewport={"width": 320, "height": 568}, color_scheme=scheme, locale=locale,
                     reduced_motion="reduce")
    page.locator(".timeline .round").click()
    page.wait_for_function(CAPTION, arg="Good morning & welcome")
    assert look(page, f"captions-{scheme}-{locale[:2]}") == []
    assert page.evaluate(BEYOND) == []
