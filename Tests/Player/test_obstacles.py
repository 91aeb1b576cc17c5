"""Events that cannot be found now say why, and when they can: in the panel, in the list, on the map, in a tour and at their own address."""
import datetime, re, zoneinfo
import pytest
from playing import EVENTS, PLACES, go, journal, remember, settle, stand
from test_small_screens import DRAWN

NEAR = (35.28060, -120.66370)


def changing(change):
    """Returns what makes the page get a changed story: `change(event, chapter)` for each event, before the page is opened."""
    def answer(route):
        document = route.fetch().json()
        for chapter in document["chapters"]:
            for event in chapter["events"]:
                change(event, chapter)
        route.fulfill(json=document)
    return lambda page: (page.route("**/v1/stories/late-post", answer), page.add_init_script(DRAWN))


def closed_until(hours=2, days=0, zone="America/Los_Angeles"):
    """A window of an hour, and the time at which it opens, by Python's zones."""
    opening = (datetime.datetime.now(zoneinfo.ZoneInfo(zone)) + datetime.timedelta(hours=hours, days=days)).replace(second=0, microsecond=0)
    minutes = opening.hour * 60 + opening.minute
    window = {"zone": zone, "from": {"minutes": minutes}, "until": {"minutes": (minutes + 60) % 1440}, "days": []}
    if days:
        window["firstDate"] = opening.date().isoformat()
    return window, opening


def plain(text):
    """With simple spaces, as Intl has others before AM and PM."""
    return re.sub(r"\s", " ", text)


def expected(opening):
    time = opening.strftime("%-I:%M %p")
    today = datetime.datetime.now(opening.tzinfo).date()
    if opening.date() == today:
        return f"Opens at {time}"
    is_soon = opening - datetime.datetime.now(opening.tzinfo) < datetime.timedelta(days=6)
    return f"Opens on {opening.strftime('%A' if is_soon else '%B %-d')} at {time}"


@pytest.mark.parametrize("hours, days", [(2, 0), (14, 0), (1, 3), (1, 30)])
def test_a_window_that_is_closed(open_player, hours, days):
    window, opening = closed_until(hours, days)

    def change(event, chapter):
        if event["id"] == "five-lamps":
            event["window"] = window
    page = open_player("#/late-post/map/once-more", position=PLACES["five-lamps"], timezone_id="America/Los_Angeles", prepare=changing(change))
    stand(page, PLACES["five-lamps"])
    page.wait_for_selector(".nearest .obstacle:not([hidden])")
    assert page.inner_text(".nearest .where") == "right here"
    assert plain(page.inner_text(".nearest .obstacle")) == expected(opening)
    page.click(".nearby summary")
    assert plain(page.locator(".around li", has_text="right here").locator(".obstacle").inner_text()) == expected(opening)
    # On the map: a symbol instead of a question mark, and the time.
    page.click(".map-tools button:nth-child(4)")
    settle(page)
    short = opening.strftime("%-I:%M %p") if days < 6 else opening.strftime("%b %-d")
    assert any(short in plain(text["text"]) for text in page.evaluate("window.drawn")), page.evaluate("window.drawn")
    go(page, "#/late-post/event/five-lamps")
    assert plain(page.inner_text(".plate .obstacle")) == expected(opening)


def test_a_window_in_another_zone_than_the_device(open_player):
    """The time is that of the story's place, with the name of its zone."""
    window, opening = closed_until(hours=3, zone="Asia/Tokyo")

    def change(event, chapter):
        if event["id"] == "five-lamps":
            event["window"] = window
    page = open_player("#/late-post/event/five-lamps", timezone_id="Europe/Lisbon", prepare=changing(change))
    assert plain(page.inner_text(".plate .obstacle")) == f"{expected(opening)} GMT+9"


def test_a_window_within_a_condition_and_one_that_is_over(open_player):
    window, opening = closed_until()

    def change(event, chapter):
        if event["id"] == "five-lamps":
            event.pop("window", None)
            event["condition"] = {"type": "all", "of": [{"type": "during", **window}]}
        if event["id"] == "matinee":
            event["window"] = {"zone": "America/Los_Angeles", "days": [], "lastDate": "2020-01-01"}
    page = open_player("#/late-post/event/five-lamps", timezone_id="America/Los_Angeles", prepare=changing(change))
    assert plain(page.inner_text(".plate .obstacle")) == expected(opening)
    go(page, "#/late-post/event/matinee")
    assert page.inner_text(".plate .obstacle") == "Does not open any more"


def test_a_lockbox_comes_first(open_player):
    """And when it is open, the event says nothing more, without another fix."""
    # Far enough not to find it.
    beside = (35.28000, -120.66392)
    page = open_player("#/late-post/map/the-book-box", position=beside, prepare=lambda page: page.add_init_script(DRAWN))
    stand(page, beside)
    page.wait_for_function("() => document.querySelector('.nearest .obstacle').innerText === 'Open the lockbox first'")
    page.click(".nearby summary")
    assert page.locator(".around .obstacle:visible").all_inner_texts() == ["Open the lockbox first"]
    settle(page)
    assert [text["text"] for text in page.evaluate("window.drawn")].count("?") < 3
    page.click(".lockbox summary")
    page.fill(".lockbox input", "1905")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.around .obstacle:not([hidden])').length === 0")
    assert not page.locator(".nearest .obstacle").is_visible()


def test_what_waits_for_another_chapter(open_player):
    """Names of chapters are told, those of events that are hidden are not; a tour says which stop comes first."""
    page = open_player("#/late-post/event/house-without-door")
    assert page.inner_text(".plate .obstacle") == "Go on in “The Book Box” first"
    go(page, "#/late-post/event/arbor")
    assert page.inner_text(".plate .obstacle") == "Comes after stop 1"
    go(page, "#/late-post/event/bell-tower")
    assert page.inner_text(".plate .obstacle") == "Open the lockbox first"
    go(page, "#/late-post")
    assert page.locator(".station .status").all_inner_texts()[1] == "Go on in “The Book Box” first"
    go(page, "#/late-post/tour/the-round")
    assert page.locator(".tour .obstacle:visible").all_inner_texts() == ["Go on in “The Book Box” first"]


def test_the_player_is_led_to_what_can_be_found(open_player):
    """The nearest event is closed, and the player is not there: the panel leads to the next one that is open."""
    window, _ = closed_until()

    def change(event, chapter):
        if event["id"] == "five-lamps":
            event["window"] = window
    page = open_player(position=NEAR, prepare=changing(change))
    remember(page, journal(EVENTS[:7], opened=["first-reader"]))
    # 60 m to the south of the lamps.
    south = (35.2802, -120.66356)
    go(page, "#/late-post/map/once-more")
    stand(page, south)
    page.wait_for_function("() => document.querySelector('.nearest .where').innerText.includes(' m')")
    assert not page.locator(".nearest .obstacle").is_visible()
    page.click(".nearby summary")
    first = page.locator(".around li").first
    assert first.locator(".obstacle").is_visible()
    assert first.locator(".soft").inner_text() != page.inner_text(".nearest .where")
