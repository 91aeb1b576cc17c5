"""The end of a story: what was found, points, time, way and credits."""
import math
import xml.etree.ElementTree
from playing import EVENTS, PLACES, go, journal, remember, stand

SCORES = [("counter", 0, [1], 3), ("counter", 1, [0], 0), ("counter", 2, [0], 1)]


def complete():
    document = journal(EVENTS, scores=SCORES)
    for entry in document["found"]:
        entry["position"] = dict(zip(("latitude", "longitude"), PLACES[entry["event"]]))
    # The last answer is 2 hours and 5 minutes after the first find.
    document["opened"][1]["timestamp"] = "2026-11-23T19:05:00Z"
    return document


def way():
    """Kilometres between the places of the events in the order of EVENTS, on a sphere."""
    metres = 0
    for (a, b), (c, d) in zip([PLACES[event] for event in EVENTS], [PLACES[event] for event in EVENTS][1:]):
        metres += math.hypot(c - a, (d - b) * math.cos(math.radians(a))) * math.pi / 180 * 6_371_009
    return metres / 1000


def figures(page):
    return dict(zip(page.locator(".figures dt").all_inner_texts(), page.evaluate("[...document.querySelectorAll('.figures dd')].map(node => node.firstChild.textContent)")))


def test_the_end_of_a_story(open_player):
    page = open_player()
    remember(page, complete())
    go(page, "#/late-post")
    page.click('a:has-text("Your journey")')
    page.wait_for_selector(".figures")
    shown = figures(page)
    assert shown["Found"] == "10 of 10" and shown["Points"] == "4 of 6" and shown["Lockboxes"] == "2 of 2"
    assert shown["Time"] == "2 hr 5 min"
    assert abs(float(shown["Distance"].removesuffix(" km")) - way()) < 0.06, (shown, way())
    assert page.inner_text(".ending .lead") == "You finished the story."
    root = xml.etree.ElementTree.parse("Media/story/story.xml").getroot()
    credits = "".join(root.find("{urn:wayreel:story:1}credits").itertext())
    assert page.inner_text(".credits .author").split() == credits.split()
    page.click('.ending a:has-text("What you found")')
    page.wait_for_selector(".find")


def test_a_journey_so_far(open_player):
    page = open_player()
    remember(page, journal(EVENTS[:3], opened=["first-reader"]))
    go(page, "#/late-post/journal")
    page.click('a:has-text("Your journey")')
    page.wait_for_selector(".figures")
    assert figures(page)["Found"] == "3 of 10" and figures(page)["Points"] == "0 of 6"
    assert "7 things are still out there." in page.inner_text(".ending")
    assert page.inner_text(".ending .lead") == "Your journey so far."


def test_the_last_find_leads_to_the_end(open_player):
    """The chapter's panel says that it is done; the story's end is one tap away."""
    page = open_player(position=(35.2806, -120.6640))
    remember(page, journal([event for event in EVENTS if event != "library-door"]))
    go(page, "#/late-post/map/the-book-box")
    assert not page.locator(".done").is_visible()
    stand(page, PLACES["library-door"])
    page.wait_for_selector(".done a")
    assert "3 of 3 found" in page.inner_text(".done")
    page.click(".done a")
    page.wait_for_selector(".figures")
    go(page, "#/late-post/tour/the-round")
    assert "4 of 4 found" in page.inner_text(".done")
