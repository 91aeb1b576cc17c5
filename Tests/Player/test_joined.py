"""The joined scripts of the page: what they export, and the requests of first visits."""
import collections, os, subprocess
import pytest
from conftest import ADDRESS
from test_budget import MOST_OF_EXTRAS

#: The requests of a first visit, with those of the installation on the device.
MOST_REQUESTS = 45


def test_joined_modules_export_what_the_browser_finds(launch):
    """The browser's own loader reads the modules one by one, and is the reference."""
    context = launch().new_context(service_workers="block")
    page = context.new_page()
    page.goto(ADDRESS)
    page.wait_for_selector("h1")
    differing = page.evaluate("""async names => {
        const maps = await Promise.all(names.map(async name => (await fetch(`${name}.js.map`)).json()))
        const [{ $load }] = await Promise.all(names.map(name => import(`./${name}.js`)))
        const differing = []
        let count = 0
        for (const path of maps.flatMap(({ sources }) => sources)) {
            // It would start a second page in this one.
            if (path === 'app.js') continue
            const [joined, single] = [await $load(path), await import(`./${path}`)]
            const kinds = exports => Object.keys(exports).sort().map(name => `${name} ${typeof exports[name]}`).join()
            if (kinds(joined) !== kinds(single)) differing.push([path, kinds(joined), kinds(single)])
            count += 1
        }
        return count > 50 ? differing : count
    }""", ["player", "player-views", *(path.removesuffix(".js") for path in MOST_OF_EXTRAS)])
    assert differing == []
    context.close()


@pytest.fixture
def limited():
    """A service with the rate of Deployment/service.yml."""
    process = subprocess.Popen(
        [os.environ["WAYREEL"], "serve", "--listen", "127.0.0.1:0", "--log", "false", "--stories", ".build/player-tests/bundles",
         "--client-rate", "20"], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().split()[-1]
    process.terminate()
    process.wait()


def test_first_visits_behind_one_address(launch, limited):
    """A class behind one address: nobody is refused, and uploads still pass."""
    contexts = [launch().new_context() for _ in range(6)]
    counts = [collections.Counter() for _ in contexts]
    pages = []
    for context, count in zip(contexts, counts):
        context.on("response", lambda answer, count=count: count.update([answer.status]))
        pages.append(context.new_page())
    for page in pages:
        page.goto(f"{limited}#/late-post", wait_until="commit")
    for page in pages:
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        assert page.locator("h1").count() == 1
    print([dict(count) for count in counts])
    for count in counts:
        assert set(count) <= {200, 206, 304}
        assert sum(count.values()) <= MOST_REQUESTS
    for context in contexts:
        context.close()
