"""Actions of a player: standing at a place, walking, and having found events before."""
import json, time
from playwright.sync_api import TimeoutError

EVENTS = ["library-door", "breakfast-tape", "four-cards", "house-without-door", "arbor", "counter", "except-bruno", "matinee",
          "five-lamps", "bell-tower"]
# Positions of events of Media/story/story.xml.
PLACES = {
    "library-door": (35.28007, -120.66487), "breakfast-tape": (35.28074, -120.66356), "four-cards": (35.28014, -120.66392),
    "house-without-door": (35.2798, -120.66477), "arbor": (35.28083, -120.66453), "counter": (35.28153, -120.66417),
    "except-bruno": (35.2793, -120.6639), "matinee": (35.2822, -120.6612), "five-lamps": (35.28074, -120.66356),
    "bell-tower": (35.28068, -120.66413),
}


def journal(found, opened=("first-reader", "third-bell"), scores=()):
    """Returns a journal in the format of journal.schema.json."""
    time = "2026-11-23T17:{:02d}:00Z"
    return {
        "format": "wayreel-journal", "version": 1, "story": "late-post",
        "found": [{"event": event, "timestamp": time.format(index)} for index, event in enumerate(found)],
        "opened": [{"lockbox": lockbox, "timestamp": time.format(30 + index)} for index, lockbox in enumerate(opened)],
        "attempts": [], "captures": [],
        "scores": [{"event": event, "question": question, "choices": choices, "points": points, "timestamp": time.format(40 + question)}
                   for event, question, choices, points in scores],
    }


def remember(page, contents):
    """Stores a journal on the page's device, and reloads the page."""
    page.evaluate("""async document => {
        const { JournalStore } = await import('./journal/journal-store.js');
        const { JournalContents } = await import('./journal/journal-contents.js');
        const store = await JournalStore.open();
        await store.merge(document.story, new JournalContents(document));
        store.close();
    }""", contents)
    page.reload()
    page.wait_for_selector("h1")


def go(page, hash):
    """Goes to a view, and waits until it is shown."""
    page.evaluate("hash => { location.hash = hash }", hash)
    page.wait_for_function("() => document.getElementById('view').dataset.address === location.hash")


def hurry(page):
    """Who stays for a second hears what the story gives to those who stay for ten; before the page is opened."""
    def answer(route):
        document = route.fetch().json()
        for chapter in document["chapters"]:
            for event in chapter["events"]:
                if event["activation"]["trigger"] == "dwell":
                    event["activation"]["dwellSeconds"] = 1
        route.fulfill(json=document)
    page.route("**/v1/stories/late-post", answer)


#: Counts the fixes that the page gets, in a script that runs before it.
COUNT_FIXES = """
    window.fixes = 0;
    const watch = Geolocation.prototype.watchPosition;
    Geolocation.prototype.watchPosition = function (took, ...rest) {
        return watch.call(this, position => { window.fixes += 1; took(position); }, ...rest);
    };
"""

#: Resolves when transitions have ended and the pictures on the screen are there.
SETTLED = """async () => {
    const isFinite = animation => animation.effect.getComputedTiming().endTime !== Infinity;
    await Promise.allSettled(document.getAnimations().filter(isFinite).map(animation => animation.finished));
    const isSeen = ({ top, bottom, width }) => bottom > 0 && top < innerHeight && width > 0;
    const seen = [...document.images].filter(image => isSeen(image.getBoundingClientRect()));
    await Promise.allSettled(seen.map(image => image.decode()));
    await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
}"""


def settle(page):
    page.evaluate(SETTLED)


def stand(page, place, fixes=8, accuracy=5):
    """Gives fixes at a place: as many as make the engine believe a jump and confirm a circle. Returns the seconds that this took."""
    latitude, longitude = place
    start = time.monotonic()
    for fix in range(fixes):
        before = page.evaluate("window.fixes")
        page.context.set_geolocation({"latitude": latitude + (fix % 2) * 2e-6, "longitude": longitude, "accuracy": accuracy})
        try:
            page.wait_for_function("before => window.fixes > before", arg=before, timeout=3000)
        except TimeoutError:
            # The first one is where the page was already, or the browser has put two together; the next ones count.
            pass
    return time.monotonic() - start


def found(page):
    """Returns the ids of the entries in the device's journal."""
    return page.evaluate("""async () => {
        const { JournalStore } = await import('./journal/journal-store.js');
        const store = await JournalStore.open();
        const contents = await store.contents('late-post');
        store.close();
        return { events: [...contents.found.keys()], lockboxes: [...contents.opened.keys()], points: contents.points,
                 captures: contents.captures.size };
    }""")


def story(page):
    return json.loads(page.evaluate("async () => (await fetch('v1/stories/late-post')).text()"))
