"""Fixtures of the web player's tests: Chromium, and pages of the player that `scripts/test-player` serves."""
import os, pathlib
import pytest
import stand_in
from playwright.sync_api import sync_playwright
from playing import COUNT_FIXES

ADDRESS = os.environ["WAYREEL_PLAYER"]
SCREENSHOTS = pathlib.Path(os.environ.get("WAYREEL_SCREENSHOTS", ".build/player-screenshots"))
STORY = "late-post"
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}
#: Milliseconds until something that should happen counts as not happening: a machine that tests may be slow and have other work.
PATIENCE = 60_000
FAKE_CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def launch(playwright):
    """Launches Chromium with additional arguments, once for each set of arguments.

    Only the `whole` one knows whether a page can be installed, and lets a page have sensors that nobody was asked about.
    """
    browsers = {}

    def started(*arguments, whole=False):
        path = stand_in.WHOLE if whole else stand_in.CHROMIUM
        if (path, arguments) not in browsers:
            browsers[path, arguments] = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *arguments])
        return browsers[path, arguments]

    yield started
    for browser in browsers.values():
        browser.close()


@pytest.fixture(scope="session", autouse=True)
def shared_browser(launch):
    """One browser for all tests with a server that stands in."""
    stand_in.shared = launch(*stand_in.ARGUMENTS)


#: Records violations of a page's Content-Security-Policy, in a script that runs before it.
RECORD_VIOLATIONS = """
    window.violations = [];
    document.addEventListener('securitypolicyviolation', event => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


def closed(contexts):
    """Closes all contexts, and returns the violations of their pages."""
    violations = []
    for context in contexts:
        for page in context.pages:
            # What a route still answers must not fail the next test.
            page.unroute_all(behavior="ignoreErrors")
            violations += page.evaluate("window.violations ?? []")
        context.close()
    return violations


@pytest.fixture
def open_player(launch):
    """Opens pages, each in its own context: `open_player(hash="#/late-post", position=(35.28, -120.66))`.

    A page that throws, or that violates its own Content-Security-Policy, fails the test.
    """
    contexts, faults = [], []

    def opened(hash="#/", *, position=None, accuracy=5, permitted=True, arguments=tuple(FAKE_CAMERA), query="", prepare=None,
               workers="block", **options):
        options = {"viewport": PHONE, "locale": "en-US", "device_scale_factor": 2, "has_touch": True, **options}
        permissions = ["geolocation", "accelerometer", "gyroscope", "magnetometer"] if position and permitted else []
        if position:
            options["geolocation"] = {"latitude": position[0], "longitude": position[1], "accuracy": accuracy}
        context = launch(*arguments).new_context(permissions=permissions, service_workers=workers, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(COUNT_FIXES)
        context.add_init_script(RECORD_VIOLATIONS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("dialog", lambda dialog: (faults.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        if prepare:
            prepare(page)
        page.goto(f"{ADDRESS}{query}{hash}")
        page.wait_for_selector("h1")
        return page

    yield opened
    faults += closed(contexts)
    assert faults == []
