"""The sample story with a collection, news, a house and credits, which tests give to the page in the place of the service's answers."""

RICH = [
    {"type": "paragraph", "of": ["Cast in ", {"type": "strong", "of": ["1891"]}, " by ", {"type": "emphasis", "of": ["Søren Ångström"]},
                                 "; it hung in the tower until the ", {"type": "link", "href": "https://example.org/fire", "of": ["fire"]}, "."]},
    {"type": "list", "items": [[{"type": "paragraph", "of": ["Weight: 640 kilograms"]}], [{"type": "paragraph", "of": ["Note: F sharp"]}]]},
]

SECTIONS = [
    {"id": "tower", "name": "The bell tower", "description": "What was saved from the tower.\nAll of it can be touched.",
     "image": {"source": "images/london.jpg", "alt": "A tower"}, "items": [
        {"id": "great-bell", "name": "The great bell", "text": RICH, "hidden": False, "position": {"latitude": 35.28083, "longitude": -120.66453},
         "images": [{"source": "images/lamps.jpg", "alt": "A bell in its frame", "author": "Ines Ferreira", "license": "CC BY 4.0"},
                    {"source": "images/madrid.jpg", "alt": "Its inscription"}, {"source": "images/london.jpg"}],
         "audio": {"audio": {"source": "radio/bird.mp3", "alt": "The bell, rung once"}, "transcript": "One stroke, and a bird.",
                   "captions": [{"source": "video/matinee.srt"}]}},
        {"id": "rope", "name": "Größe 4: a rope", "text": "Hemp, from Łódź. The bell was rung with it.", "images": [{"source": "images/arezzo.jpg", "alt": "A rope"}], "hidden": False},
        {"id": "clock", "name": "Œuvre of a clockmaker", "text": "It strikes Naïve hours.", "images": [], "hidden": False},
     ]},
    {"id": "cards", "name": "Picture cards", "items": [
        {"id": "fifth-card", "name": "The fifth card", "text": "Found at last; the bell is on it.", "images": [{"source": "images/madrid.jpg", "alt": "A card"}], "hidden": True},
        {"id": "lantern", "name": "東京の提灯", "text": "From 京都, not 東京.", "images": [{"source": "images/lamps.jpg"}], "hidden": False},
        {"id": "letter", "name": "رِسَالَةٌ إِلَى آمِنَة", "text": "كتبها أحمد في القاهرة", "images": [], "hidden": False},
    ]},
]

NEWS = [
    {"id": "ladder", "date": "2026-03-01", "title": "A new ladder", "text": "It is green."},
    {"id": "opening", "date": "2026-10-30", "title": "The tower is open again", "text": RICH, "image": {"source": "images/london.jpg", "alt": "The tower, with flags"}},
    {"id": "later", "date": "2999-01-01", "title": "Not yet"},
]

ABOUT = {
    "text": "The museum of all that was never mailed.", "address": "Museum of Late Post\n12 Mill Street\nSan Luis Obispo",
    "position": {"latitude": 35.2806, "longitude": -120.6641}, "hours": [
        {"type": "list", "items": [[{"type": "paragraph", "of": ["Tuesday to Sunday, 10 to 18"]}], [{"type": "paragraph", "of": ["Thursday to 21"]}]]}],
}

CREDITS = [
    {"sources": ["images/lamps.jpg"], "author": "Ines Ferreira", "license": "CC BY 4.0", "origin": "https://example.org/lamps"},
    {"sources": ["images/london.jpg", "images/madrid.jpg"], "author": "Bruno Díaz", "license": "https://creativecommons.org/licenses/by/4.0/"},
    {"sources": ["radio/bird.mp3"], "author": "آمنة", "license": "http://creativecommons.org/publicdomain/zero/1.0/", "origin": "javascript:alert(1)"},
    {"sources": ["captures/floor.heic"], "author": "Ada"},
]


def with_collection(story, sections=SECTIONS, **others):
    """Two of the events show items: one of a tour, and one that shows a hidden one."""
    shown = {"arbor": "great-bell", "four-cards": "fifth-card"}
    for chapter in story["chapters"]:
        for event in chapter["events"]:
            if event["id"] in shown:
                event["content"] = {"type": "exhibit", "item": shown[event["id"]]}
            # These sections have none of the story's own items.
            if event["journal"].get("content", {}).get("type") == "exhibit":
                del event["journal"]["content"]
    return story | {"version": 2, "sections": sections, "news": NEWS, "about": ABOUT} | others


def without_a_walk(story):
    return with_collection(story) | {"chapters": [story["chapters"][0] | {"events": [], "lockboxes": []}]}


def give(change=with_collection, **others):
    """Returns a function that prepares a page, before it is opened, so that the service's story is a changed one."""
    def prepare(page):
        page.route("**/v1/stories/late-post", lambda route: route.fulfill(json=change(route.fetch().json(), **others)))
        page.route("**/v1/stories/late-post/manifest.json", lambda route: route.fulfill(json=route.fetch().json() | {"credits": CREDITS}))
    return prepare
