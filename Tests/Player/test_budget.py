"""Limits of the page in bytes, and the scripts that it loads at the start. `make bench-player` measures times."""
import gzip, json, os, statistics, urllib.request
import pytest
import stand_in
from conftest import ADDRESS

MOST_SCRIPT_AT_START = 25_000
MOST_SCRIPT = 100_000  # The start and the views.
# Scripts that are loaded with the first view that needs one, by the folders of the page.
MOST_OF_EXTRAS = {f"player-{folder}.js": most
                  for folder, most in {"preview": 25_000, "codes": 8_000, "collections": 12_000, "sharing": 8_000, "ground": 25_000,
                                       "plans": 8_000}.items()
                  if (stand_in.ROOT / "Player" / folder).is_dir()}
# What an extra loads besides, which counts with it: scripts of workers, and tables.
WITH_EXTRAS = {"player-ground.js": ["player-ground-worker.js", "ground/style.json"]}
MOST_SECONDS = 2.5  # At a processor that is slowed four times; 0.5 to 1 s where nothing else runs.

# Names and bytes of the scripts until the list of stories could be used.
AT_START = """() => {
    const { startTime: ready } = performance.getEntriesByName('wayreel-ready')[0];
    const loaded = performance.getEntriesByType('resource').filter(({ name, startTime }) => /[.]js$/.test(name) && startTime < ready);
    return loaded.map(({ name, encodedBodySize, decodedBodySize }) => [new URL(name).pathname.slice(1), encodedBodySize, decodedBodySize]);
}"""
# Milliseconds of the same work, again and again.
CALIBRATE = """() => Array.from({ length: 12 }, () => {
    const start = performance.now();
    let sum = 0;
    for (let i = 0; i < 2e6; i++) sum += Math.sqrt(i);
    return performance.now() - start + (sum < 0);
})"""


def start(page):
    page.goto("about:blank")
    page.goto(ADDRESS)
    page.wait_for_selector(".poster a.primary")
    page.wait_for_function("() => performance.getEntriesByName('wayreel-ready').length > 0")


def test_script_of_the_start(open_player):
    """The list of stories needs less than a quarter of all script, and asks for it at once."""
    page = open_player()
    start(page)
    loaded = page.evaluate(AT_START)
    sent, plain = sum(row[1] for row in loaded), sum(row[2] for row in loaded)
    print(f"{len(loaded)} scripts until interactive: {sent / 1000:.1f} kB sent, {plain / 1000:.1f} kB unpacked")
    assert 0 < sent < MOST_SCRIPT_AT_START
    assert {row[0] for row in loaded} == {"player.js"}


def sizes(path):
    """Bytes of a script, as sent and unpacked."""
    with urllib.request.urlopen(urllib.request.Request(ADDRESS + path, headers={"Accept-Encoding": "gzip"})) as answer:
        body = answer.read()
    return len(body), len(gzip.decompress(body))


def shell():
    with urllib.request.urlopen(f"{ADDRESS}player.json") as answer:
        return json.load(answer)["shell"]


def test_script_of_all_views():
    """Checks the compressed size of all scripts but the extras, and that there are no other extras."""
    extras = {*MOST_OF_EXTRAS, *sum(WITH_EXTRAS.values(), [])}
    paths = [path for path in shell() if path.endswith(".js") and path not in extras]
    assert set(paths) == {"player.js", "player-views.js", "service-worker.js"}
    sent, plain = (sum(numbers) for numbers in zip(*map(sizes, paths)))
    print(f"{len(paths)} scripts: {sent / 1000:.1f} kB sent, {plain / 1000:.1f} kB unpacked")
    assert sent < MOST_SCRIPT


@pytest.mark.parametrize("path, most", MOST_OF_EXTRAS.items())
def test_script_of_extras(path, most):
    sent, plain = (sum(numbers) for numbers in zip(*map(sizes, [path, *WITH_EXTRAS.get(path, [])])))
    print(f"{path}: {sent / 1000:.1f} kB sent, {plain / 1000:.1f} kB unpacked")
    assert sent < most


def test_players_do_not_load_the_preview():
    """All else is there without a network after the first visit."""
    assert {path for path in MOST_OF_EXTRAS if path not in shell()} == {"player-preview.js"}


def test_interactive_soon(open_player):
    page = open_player()
    times = page.evaluate(CALIBRATE)
    if os.getloadavg()[0] > os.cpu_count() or max(times[2:]) > 1.5 * min(times):
        pytest.skip("the machine has other work")
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    seconds = []
    for _ in range(5):
        client.send("Network.clearBrowserCache")
        start(page)
        seconds.append(page.evaluate("performance.getEntriesByName('wayreel-ready')[0].startTime") / 1000)
    print(f"interactive after {', '.join(f'{time:.2f}' for time in seconds)} s at 4 x slowed CPU")
    assert statistics.median(seconds) < MOST_SECONDS
