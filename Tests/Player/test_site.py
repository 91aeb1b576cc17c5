"""The folder that `wayreel player` writes, on a plain web server: stories play, journals stay on the device."""
import functools, http.server, os, pathlib, subprocess, threading
import pytest
from playing import COUNT_FIXES, PLACES, stand


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "a" / "stories"
    folder.parent.mkdir()
    subprocess.run([os.environ["WAYREEL"], "player", ".build/player-tests/bundles/late-post", "-o", str(folder)], check=True)
    # The site is in a subfolder of the server, which is common.
    handler = functools.partial(Quiet, directory=str(folder.parent.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/a/stories/"
    server.shutdown()


def test_a_story_of_a_folder(launch, site):
    context = launch().new_context(permissions=["geolocation"], geolocation={"latitude": 35.2806, "longitude": -120.664, "accuracy": 5},
                                   service_workers="block")
    context.add_init_script(COUNT_FIXES)
    page = context.new_page()
    faults, asked = [], []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: answer.status >= 400 and asked.append(answer.url))
    page.goto(site)
    page.click("a.primary")
    page.click(".trail a >> nth=0")
    page.click(".dock .primary")
    page.wait_for_selector(".lockbox")
    stand(page, PLACES["library-door"])
    page.click('.notice[data-key="found-library-door"] a')
    page.wait_for_selector(".camera")
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    page.wait_for_selector(".capture")
    assert page.inner_text(".capture .state") == "Kept on this device"
    page.reload()
    page.wait_for_selector(".capture img")
    assert faults == [] and asked == []
    context.close()
    folder = pathlib.Path(".build/player-tests/bundles/late-post")
    assert not any(path.name.startswith(".wayreel-files") for path in folder.iterdir())
