"""Keyboard shortcuts: the list of them, where they work, and where not."""
from playing import EVENTS, go, journal, remember

SHORTCUTS = """async () => Object.values((await import(new URL('components/shortcuts.js', document.baseURI).href)).shortcuts).flat().length"""


def test_the_list_is_on_the_first_page(open_player):
    page = open_player()
    page.click(".about summary")
    rows = page.locator(".about .shortcuts li")
    assert rows.count() == page.evaluate(SHORTCUTS)
    assert rows.nth(0).inner_text().split("\n") == ["Ctrl + /", "Show the keyboard shortcuts"]


def test_a_key_shows_the_list_in_every_view(open_player):
    page = open_player("#/late-post")
    page.keyboard.press("Control+/")
    page.wait_for_selector("dialog[open]")
    assert page.locator("dialog .shortcuts li").count() == page.evaluate(SHORTCUTS)
    page.keyboard.press("Control+/")
    assert page.locator("dialog").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    # Only with its modifier, as speech input presses single keys.
    page.keyboard.press("/")
    assert page.locator("dialog").count() == 0
    page.keyboard.press("Control+/")
    page.click("dialog .round")
    page.wait_for_selector("dialog", state="detached")


def test_fields_keep_their_keys(open_player):
    page = open_player()
    page.focus("select")
    page.keyboard.press("Control+/")
    assert page.locator("dialog").count() == 0


def test_arrows_turn_the_goggles(open_player):
    """The view is turned by 10° to the right, and with Alt the key stays the browser's."""
    page = open_player(position=(35.28057, -120.66403))
    remember(page, journal(EVENTS[:4], opened=["first-reader"]))
    go(page, "#/late-post/event/house-without-door")
    page.focus(".scene")
    handled = """key => {
        const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true });
        document.querySelector('.scene').dispatchEvent(event);
        return event.defaultPrevented;
    }"""
    assert page.evaluate(handled, {"key": "ArrowRight"})
    assert page.evaluate(handled, {"key": "ArrowUp"})
    assert not page.evaluate(handled, {"key": "ArrowLeft", "altKey": True})
    assert not page.evaluate(handled, {"key": "x"})
