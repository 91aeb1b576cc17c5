"""Sound goes on when its view is left, in a small player at the bottom of the page."""
from playing import EVENTS, go, journal, remember, settle

PLAYING = "() => { const audio = document.querySelector('audio'); return audio && !audio.paused && audio.currentTime > 0.2; }"


def listening(open_player, **options):
    page = open_player(arguments=("--autoplay-policy=no-user-gesture-required", "--mute-audio"), **options)
    remember(page, journal(EVENTS))
    go(page, "#/late-post/event/breakfast-tape")
    page.click(".play")
    page.wait_for_function(PLAYING)
    return page


def test_sound_goes_on(open_player):
    page = listening(open_player, viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    assert page.locator(".listening").count() == 0
    for address in ["#/late-post/map/the-book-box", "#/late-post/chapter/the-round", "#/"]:
        go(page, address)
        time = page.evaluate("document.querySelector('audio').currentTime")
        page.wait_for_function("time => document.querySelector('audio').currentTime > time", arg=time)
        assert page.locator(".listening").count() == 1 and page.locator("audio").count() == 1
    # On the map it lies below the panel, and covers none of it.
    go(page, "#/late-post/map/the-book-box")
    settle(page)
    panel, small = page.locator(".panel").bounding_box(), page.locator(".listening").bounding_box()
    assert panel["y"] + panel["height"] <= small["y"] and small["y"] + small["height"] <= 568
    page.click('.listening button[aria-label="Pause"]')
    assert page.evaluate("document.querySelector('audio').paused")
    page.click('.listening button[aria-label="Play"]')
    page.wait_for_function(PLAYING)
    # Its view takes it up where it is.
    page.click(".listening a")
    page.wait_for_selector('.play[aria-label="Pause"]')
    assert page.locator(".listening").count() == 0 and page.locator("audio").count() == 1
    assert page.evaluate(PLAYING)
    page.wait_for_function("() => document.querySelector('canvas.visualizer').visualizer.drawnTime > 0.2")
    # What is paused does not stay.
    page.click(".play")
    go(page, "#/late-post/journal")
    assert page.locator(".listening").count() == 0 and page.locator("audio").count() == 0


def test_sound_that_is_stopped(open_player):
    page = listening(open_player)
    go(page, "#/late-post/journal")
    page.click('.listening button[aria-label="Stop listening"]')
    assert page.locator("audio").count() == 0 and page.locator(".foot > *").count() == 0
    assert page.evaluate("navigator.mediaSession.metadata") is None


def test_sound_ends_with_its_last_track(open_player):
    page = listening(open_player)
    go(page, "#/late-post/journal")
    page.evaluate("() => { const audio = document.querySelector('audio'); audio.currentTime = audio.duration - 0.1; }")
    page.wait_for_function("() => document.querySelector('.listening bdi')?.textContent === 'The bird alone'")
    page.wait_for_function(PLAYING)
    page.evaluate("() => { const audio = document.querySelector('audio'); audio.currentTime = audio.duration - 0.1; }")
    page.wait_for_function("() => !document.querySelector('.listening') && !document.querySelector('audio')")


def test_a_video_takes_its_turn(open_player):
    page = listening(open_player)
    go(page, "#/late-post/event/matinee")
    page.evaluate("document.querySelector('video').play()")
    page.wait_for_function("() => document.querySelector('audio').paused && !document.querySelector('video').paused")
    assert page.locator('.listening button[aria-label="Play"]').count() == 1
