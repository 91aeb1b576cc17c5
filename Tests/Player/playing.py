"""Actions of a player: standing at a place, walking, and having found events before."""
import json

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
    page.evaluate("hash => { location.hash = hash }", hash)
    page.wait_for_timeout(400)


def stand(page, place, fixes=8, accuracy=5, pause=220):
    """Sends fixes at a place, by default as many as the engine needs to accept a jump and confirm a circle."""
    latitude, longitude = place
    for fix in range(fixes):
        page.context.set_geolocation({"latitude": latitude + (fix % 2) * 2e-6, "longitude": longitude, "accuracy": accuracy})
        page.wait_for_timeout(pause)


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
