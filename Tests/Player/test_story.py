"""Plays the sample story from the link to its last lockbox, by moving the position, clicks and keys."""
import datetime, zoneinfo
from playing import EVENTS, PLACES, found, go, hurry, stand
from conftest import SCREENSHOTS


def open_found(page, event):
    """Follows the link in the notice of a found event."""
    page.click(f'.notice[data-key="found-{event}"] a')
    page.wait_for_selector("article.event")
    assert page.evaluate("document.activeElement.tagName") == "H1"


def answer(page, text):
    if page.get_attribute(".lockbox details", "open") is None:
        page.click(".lockbox summary")
    page.fill(".lockbox input", text)
    page.click(".lockbox button")


def test_the_whole_story(open_player):
    page = open_player("#/", position=(35.2806, -120.6640))
    page.click("a.primary")
    page.wait_for_selector(".trail")
    page.click(".trail a >> nth=0")
    page.wait_for_selector(".dock .primary")
    page.click(".dock .primary")
    page.wait_for_selector(".lockbox")

    # The Book Box: a wrong answer shows the first hint.
    answer(page, "1955")
    assert "plaque" in page.inner_text(".hint")
    stand(page, PLACES["library-door"])
    open_found(page, "library-door")
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    page.wait_for_selector(".capture img")
    page.go_back()
    # Who stays for ten seconds hears it; on a slow machine they may have passed by now.
    if stand(page, PLACES["breakfast-tape"]) < 5:
        assert "breakfast-tape" not in found(page)["events"]
    open_found(page, "breakfast-tape")
    page.go_back()
    stand(page, PLACES["four-cards"])
    assert "four-cards" not in found(page)["events"]
    answer(page, "in 1905!")
    open_found(page, "four-cards")
    assert page.locator(".scrapbook img").count() == 4

    # The Round has an order: a player who comes to the second stop first finds nothing there.
    go(page, "#/late-post/tour/the-round")
    stand(page, PLACES["arbor"])
    assert "arbor" not in found(page)["events"]
    for event in ["house-without-door", "arbor", "counter"]:
        stand(page, PLACES[event])
        open_found(page, event)
        if event != "counter":
            go(page, "#/late-post/tour/the-round")
    for choice, points in [(1, 3), (0, 0), (0, 1)]:
        page.click(f".choice >> nth={choice}")
        page.click(".quiz .primary")
        page.wait_for_selector(".result")
        page.click(".quiz .primary")
    assert "4 of 6 points" in page.inner_text(".total")
    go(page, "#/late-post/tour/the-round")
    stand(page, PLACES["except-bruno"])

    # Once More Than You Should: one event is found when the player leaves it, another only at certain hours.
    go(page, "#/late-post/map/once-more")
    stand(page, PLACES["matinee"])
    assert "matinee" not in found(page)["events"]
    stand(page, (35.2815, -120.6620))
    open_found(page, "matinee")
    assert page.locator("video[poster]").count() == 1
    go(page, "#/late-post/map/once-more")
    stand(page, PLACES["five-lamps"])
    clock = datetime.datetime.now(zoneinfo.ZoneInfo("America/Los_Angeles")).time()
    is_evening = datetime.time(17, 0) <= clock < datetime.time(23, 30)
    stand(page, PLACES["bell-tower"])
    assert "bell-tower" not in found(page)["events"]
    answer(page, "Glória")
    page.wait_for_selector('.notice[data-key="found-bell-tower"]')
    assert "open" in page.inner_text(".lockbox")

    have = found(page)
    assert set(have["events"]) == set(EVENTS) - (set() if is_evening else {"five-lamps"})
    assert set(have["lockboxes"]) == {"first-reader", "third-bell"}
    assert have["points"] == 4 and have["captures"] == 1
    go(page, "#/late-post/journal")
    assert page.locator(".find").count() == len(have["events"])
    page.screenshot(path=SCREENSHOTS / "the-end.png", full_page=True)
    # The journal is still there after a restart.
    page.reload()
    page.wait_for_selector(".find")
    assert page.locator(".find").count() == len(have["events"])


def test_a_chapter_by_keys_alone(open_player):
    """Tab, Enter and Space play a chapter from the list of stories to its end: lockbox, camera, radio, scrapbook and journal; the focus
    goes to each new view's heading, and events are announced."""
    page = open_player("#/", position=(35.2806, -120.6640), prepare=hurry)

    def press_until(selector, limit=60):
        for _ in range(limit):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"no way to {selector} by Tab")

    def follow(selector, next_view):
        page.wait_for_selector(selector)
        press_until(selector)
        page.keyboard.press("Enter")
        page.wait_for_selector(next_view)
        page.wait_for_function("() => document.activeElement.tagName === 'H1'")

    follow(".poster a.primary", ".trail")
    follow(".trail a", ".dock")
    follow(".dock .primary", ".map")
    press_until(".lockbox summary")
    page.keyboard.press("Enter")
    press_until(".lockbox input")
    page.keyboard.type("1905")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.lockbox').dataset.state === 'open'")
    assert found(page)["lockboxes"] == ["first-reader"]
    assert page.inner_text("#spoken") != ""

    # A picture by the live camera, whose shutter has the focus when it is there.
    stand(page, PLACES["library-door"])
    follow('.notice[data-key="found-library-door"] a', ".camera")
    press_until(".camera .choices button")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('.live video')?.videoWidth > 0")
    assert page.evaluate("document.activeElement.matches('.shutter')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".capture img")
    follow(".top-bar a", ".map")

    stand(page, PLACES["breakfast-tape"])
    follow('.notice[data-key="found-breakfast-tape"] a', ".radio")
    press_until(".play")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0")
    page.keyboard.press("Space")
    press_until(".timeline input")
    before = page.evaluate("document.querySelector('audio').currentTime")
    page.keyboard.press("PageUp")
    page.wait_for_function("before => document.querySelector('audio').currentTime > before + 1", arg=before)
    assert " of " in page.get_attribute(".timeline input", "aria-valuetext")
    press_until(".transcript summary")
    page.keyboard.press("Enter")
    follow(".top-bar a", ".map")

    stand(page, PLACES["four-cards"])
    follow('.notice[data-key="found-four-cards"] a', ".scrapbook")
    have = found(page)
    # In the evening the lamps of another chapter burn where the radio is.
    assert set(have["events"]) - {"five-lamps"} == {"library-door", "breakfast-tape", "four-cards"} and have["captures"] == 1
    follow(".actions a", ".finds")
    follow(".find", "article.event")
