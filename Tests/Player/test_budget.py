"""Limits of the page: interactive within a second on a processor slowed 4 times, and less than 100 KiB of script."""
import gzip, json, urllib.request
from conftest import ADDRESS

MOST_SCRIPT = 100 << 10
MOST_SECONDS = 1.0


def test_interactive_within_a_second(open_player):
    page = open_player()
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    times = []
    for _ in range(5):
        client.send("Network.clearBrowserCache")
        page.goto("about:blank")
        page.goto(ADDRESS)
        page.wait_for_selector(".poster a.primary")
        page.wait_for_function("() => performance.getEntriesByName('wayreel-ready').length > 0")
        times.append(page.evaluate("performance.getEntriesByName('wayreel-ready')[0].startTime") / 1000)
    print(f"interactive after {', '.join(f'{time:.2f}' for time in times)} s at 4 x slowed CPU")
    # Other programs may slow some of the runs, so only the fastest counts.
    assert min(times) < MOST_SECONDS


def test_script_of_all_views():
    """Checks the compressed size of all scripts that players load; those for authors only (preview/) do not count."""
    with urllib.request.urlopen(f"{ADDRESS}player.json") as answer:
        paths = [path for path in json.load(answer)["shell"] if path.endswith(".js") and not path.startswith("preview/")]
    sent = plain = 0
    for path in paths:
        with urllib.request.urlopen(urllib.request.Request(ADDRESS + path, headers={"Accept-Encoding": "gzip"})) as answer:
            body = answer.read()
        sent += len(body)
        plain += len(gzip.decompress(body))
    print(f"{len(paths)} scripts: {sent / 1000:.1f} kB sent, {plain / 1000:.1f} kB with their comments")
    assert sent < MOST_SCRIPT
