"""Players with tokens at a service: journals of two devices are merged, and a capture is returned treated."""
import json, os, pathlib, subprocess, urllib.error, urllib.request
import pytest
from conftest import PATIENCE
from playing import found, go, remember, journal
from stand_in import wait_until

PLAYER = "Inés/5"


@pytest.fixture
def service(tmp_path):
    """Starts a server with keys. Yields its address, and a function that makes tokens."""
    (tmp_path / "keys.txt").write_text("k1:" + "5a" * 32)
    (tmp_path / "players.txt").write_text("p1:" + "a5" * 32)
    wayreel = os.environ["WAYREEL"]
    process = subprocess.Popen(
        [wayreel, "serve", "--listen", "127.0.0.1:0", "--log", "false", "--stories", ".build/player-tests/bundles",
         "--keys", tmp_path / "keys.txt", "--player-keys", tmp_path / "players.txt", "--data", tmp_path / "data"],
        stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().split()[-1]
    token = lambda player: subprocess.run(
        [wayreel, "token", player, "--keys", tmp_path / "players.txt"], check=True, capture_output=True, text=True).stdout.strip()
    yield address, token
    process.terminate()
    process.wait()


def kept(address, token):
    request = urllib.request.Request(
        f"{address}v1/players/In%C3%A9s%2F5/stories/late-post/journal", headers={"Authorization": f"Bearer {token}"})
    return json.load(urllib.request.urlopen(request))


def device(launch, address, token):
    context = launch().new_context(permissions=["geolocation"], geolocation={"latitude": 35.2806, "longitude": -120.664, "accuracy": 5},
                                   service_workers="block")
    page = context.new_page()
    page.goto(f"{address}#token={token}")
    page.wait_for_selector("h1")
    assert token not in page.url
    return page


def test_two_devices_of_a_player(launch, service):
    address, make = service
    token = make(PLAYER)
    first, second = device(launch, address, token), device(launch, address, token)
    # Each device finds an event that the other has not found.
    remember(first, journal(["library-door"], opened=[]))
    remember(second, journal(["breakfast-tape"], opened=[]))
    for page in (first, second, first):
        go(page, "#/late-post")
        go(page, "#/late-post/journal")
    both = ["breakfast-tape", "library-door"]
    wait_until(lambda: sorted(entry["event"] for entry in kept(address, token)["found"]) == both)
    first.reload()
    wait_until(lambda: sorted(found(first)["events"]) == both)

    # A capture without a network waits; then it is sent, treated, shown beside the photo, and in the journal with its file.
    go(first, "#/late-post/event/library-door")
    first.wait_for_selector(".camera")
    first.context.set_offline(True)
    first.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    first.wait_for_selector('.capture .state[data-state="waiting"]')
    assert first.inner_text(".capture .state") == "Waits for a network"
    first.context.set_offline(False)
    first.wait_for_selector('.capture .state[data-state="sent"]', timeout=PATIENCE)
    assert first.locator(".capture img").count() == 2
    wait_until(lambda: [True for capture in kept(address, token)["captures"] if "file" in capture])
    [capture] = kept(address, token)["captures"]
    treated = urllib.request.urlopen(urllib.request.Request(
        address.rstrip("/") + capture["file"], headers={"Authorization": f"Bearer {token}"}))
    assert treated.headers["Content-Type"].startswith("image/")
    for page in (first, second):
        page.context.close()


def test_the_network_returns_while_a_capture_fails(launch, service):
    address, make = service
    page = device(launch, address, make(PLAYER))
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/late-post/event/library-door")
    page.wait_for_selector(".camera")
    # The first request fails after the browser has said that it is online again, and no other event follows.
    page.evaluate("""() => {
      const send = window.fetch;
      window.fetch = (address, options) => {
        if (options?.method !== "POST" || !String(address).includes("/captures")) return send(address, options);
        window.fetch = send;
        dispatchEvent(new Event("online"));
        return Promise.reject(new TypeError("no network"));
      };
    }""")
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    # A timer would send it after a minute.
    page.wait_for_selector('.capture .state[data-state="sent"]', timeout=30_000)
    page.context.close()


def test_a_damaged_token_is_none(launch, service):
    address, make = service
    for token in ["a.b.c", make(PLAYER)[:-2] + "xx"]:
        page = device(launch, address, token)
        go(page, "#/late-post")
        page.wait_for_selector(".trail")
        page.context.close()
    with pytest.raises(urllib.error.HTTPError):
        kept(address, make(PLAYER)[:-2] + "xx")
