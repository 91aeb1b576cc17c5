"""The page that documents and tries the requests of the service: made of /openapi.json in the browser."""
import json, os, pathlib, re, subprocess, urllib.request
import pytest
from conftest import PATIENCE, PHONE, RECORD_VIOLATIONS, closed
from playwright.sync_api import expect
from test_views import look

DESKTOP = {"width": 1280, "height": 900}
PHOTO = "Media/story/images/arezzo.jpg"


def serve(folder, *options):
    """A service on a free port: its address, and how to stop it."""
    (folder / "photos").mkdir()
    (folder / "photos" / "town.jpg").write_bytes(pathlib.Path(PHOTO).read_bytes())
    process = subprocess.Popen(
        [os.environ["WAYREEL"], "serve", "--listen", "127.0.0.1:0", "--images", str(folder / "photos"), "--data", str(folder / "data"),
         "--stories", ".build/player-tests/bundles", "--log", "false", *options], stdout=subprocess.PIPE, text=True)
    lines = [process.stdout.readline() for _ in range(3)]
    address = re.search(r"http://\S+/$", lines[0].strip())[0]
    assert lines[2].strip().endswith(f"{address}api")
    return address, process


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    address, process = serve(tmp_path_factory.mktemp("service"))
    yield address
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A service whose players have tokens: its address, and a token."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "keys.txt").write_text(f"p:{'5a' * 32}\n")
    token = subprocess.run([os.environ["WAYREEL"], "token", "ines", "--keys", str(folder / "keys.txt")], check=True, capture_output=True, text=True)
    address, process = serve(folder, "--player-keys", str(folder / "keys.txt"))
    yield address, token.stdout.strip()
    process.kill()
    process.wait()


@pytest.fixture
def open_page(launch):
    """A page that fails the test where it writes errors to the console, throws, or violates its Content-Security-Policy."""
    contexts, faults, expected = [], [], []

    def opened(address, hash="", **options):
        context = launch().new_context(**{"viewport": DESKTOP, "locale": "en-US", **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(RECORD_VIOLATIONS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning") and faults.append(message.text))
        page.goto(f"{address}api{hash}")
        page.wait_for_selector(".operation")
        page.faults = faults
        return page

    yield opened
    faults += closed(contexts)
    # What the browser itself says about answers that a test asks for.
    assert [fault for fault in faults if not fault.startswith("Failed to load resource: the server responded")] == []


def description(address):
    with urllib.request.urlopen(f"{address}openapi.json") as answer:
        return json.load(answer)


def opened(page, id):
    """The operation of an id, opened from the contents."""
    page.click(f'nav a[href="#{id}"]')
    view = page.locator(f"#{id}")
    assert view.evaluate("node => node.open")
    return view


def test_every_operation_is_listed(open_page, service):
    page = open_page(service)
    document = description(service)
    listed = page.eval_on_selector_all(
        ".operation", "all => all.map(one => [one.querySelector('.method').textContent.toLowerCase(), one.querySelector('.path').textContent])")
    assert sorted(map(tuple, listed)) == sorted((method, path) for path, item in document["paths"].items() for method in item)
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    assert page.locator("nav a:not(.group)").count() == len(operations) == len({operation["operationId"] for operation in operations})
    for operation in operations:
        view = page.locator(f"#{operation['operationId']}")
        if "101" in operation["responses"] and not operation["operationId"].endswith("levels-live"):
            # A socket of sensors leads to its page, which has more than fields.
            assert view.locator(".body a").get_attribute("href").rsplit("/", 1)[1] in ("streams", "sensors")
            continue
        names = view.locator(".field [name]").evaluate_all("all => all.map(one => one.name)")
        expected = [name for parameter in operation["parameters"] for name in
                    ([part["name"] for part in parameter["x-parts"]] if "x-parts" in parameter else [parameter["name"]])]
        assert sorted(names) == sorted(expected), operation["operationId"]
        for parameter in operation["parameters"]:
            words = parameter["schema"].get("enum")
            if words:
                assert view.locator(f'select[name="{parameter["name"]}"] option').all_text_contents()[1:] == words


def test_policy_and_types(service):
    for path, type in {"api": "text/html", "api/api-page.js": "text/javascript", "api/page.css": "text/css", "api/styles/tokens.css": "text/css",
                       "api/components/element.js": "text/javascript", "api/waymark.svg": "image/svg+xml"}.items():
        with urllib.request.urlopen(service + path) as answer:
            assert answer.headers["content-type"].startswith(type)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
            text = answer.read().decode()
            if path == "api":
                assert "style=" not in text and not re.search(r"<script(?![^>]* src=)|<style|\son\w+=", text)
    with urllib.request.urlopen(service + "api/") as answer:
        assert answer.url == service + "api"


def test_an_image_by_address(open_page, service):
    page = open_page(service)
    view = opened(page, "get-images-signature-options-source")
    view.locator("[name=source]").fill("town.jpg")
    view.locator("[name=screen]").fill("120x90")
    view.locator("[name=fit]").select_option("contain")
    command = view.locator(".command pre").inner_text()
    assert command == f"curl {service}v1/images/unsafe/screen:120x90/fit:contain/town.jpg -o answer"
    view.locator(".primary").click()
    view.locator(".answer img").wait_for()
    assert view.locator(".status strong").inner_text().startswith("200")
    # A photo of 3:2 or wider within 120 × 90.
    assert view.locator(".answer img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 120
    view.locator(".answer .more summary").click()
    assert "image/jpeg" in view.locator(".headers").inner_text()
    # Without options, the part of the path is not there.
    view.locator("[name=screen]").fill("")
    view.locator("[name=fit]").select_option("")
    assert "/v1/images/unsafe/town.jpg" in view.locator(".command pre").inner_text()


def test_a_capture_in_the_request(open_page, service):
    page = open_page(service, "#post-captures")
    view = page.locator("#post-captures")
    view.locator(".primary").click()
    assert view.locator("[role=alert]").inner_text() == "Fill in what is needed." and view.locator("input[type=file]").evaluate("node => node === document.activeElement")
    view.locator("input[type=file]").set_input_files(PHOTO)
    view.locator("[name=screen]").fill("200x200")
    view.locator("select[id^=accept]").select_option("image/webp")
    view.locator(".more summary").first.click()
    view.locator("[name=text]").fill("one\ntwo")
    assert "text=one&text=two" in view.locator(".command pre").inner_text()
    assert "--data-binary @arezzo.jpg" in view.locator(".command pre").inner_text()
    view.locator(".primary").click()
    view.locator(".answer img").wait_for()
    expect(view.locator("figcaption")).to_contain_text("image/webp · 200 × 200")


def test_a_problem(open_page, service):
    page = open_page(service)
    view = opened(page, "post-captures")
    view.locator("input[type=file]").set_input_files(PHOTO)
    view.locator("[name=screen]").fill("huge")
    view.locator(".primary").click()
    view.locator(".problem").wait_for()
    assert view.locator(".status strong").inner_text().startswith("400")
    assert view.locator(".problem > strong").inner_text() == "An option is wrong" and "huge" in view.locator(".problem > p").inner_text()


def test_events_as_they_arrive(open_page, service):
    page = open_page(service)
    view = opened(page, "post-captures")
    view.locator("input[type=file]").set_input_files(PHOTO)
    view.locator(".more summary").first.click()
    view.locator("[name=Prefer]").fill("respond-async")
    view.locator(".primary").click()
    view.locator(".answer pre").wait_for()
    job = json.loads(view.locator(".answer pre").inner_text())["id"]
    view = opened(page, "get-jobs-job-events")
    view.locator("[name=job]").fill(job)
    assert view.locator(".command pre").inner_text() == f"curl -N {service}v1/jobs/{job}/events"
    view.locator(".primary").click()
    expect(view.locator(".events li").last).to_contain_text("done", timeout=30000)


def test_live_levels(open_page, service):
    page = open_page(service)
    view = opened(page, "get-levels-live")
    view.locator(".primary").click()
    expect(view.locator(".status")).to_contain_text("Closed with 1000", timeout=30000)
    lines = [json.loads(line) for line in view.locator(".events code").all_inner_texts()]
    # A sine of amplitude 0.251 has a peak of 20 log10 0.251 = -12.0 dBFS.
    assert len(lines) == 61 and all(abs(level + 12) < 0.1 for level in lines[30]["peak"])


def test_tokens(open_page, guarded):
    address, token = guarded
    page = open_page(address)
    view = opened(page, "get-players-player-journal")
    view.locator("[name=player]").fill("ines")
    view.locator(".primary").click()
    view.locator(".problem").wait_for()
    assert view.locator(".status strong").inner_text().startswith("401")
    page.fill("#token", token)
    view.locator(".primary").click()
    expect(view.locator(".status strong")).to_contain_text("200")
    shown = view.locator(".command pre").inner_text()
    assert token not in shown and '"Authorization: Bearer $TOKEN"' in shown
    # Requests that need none are sent without it.
    with page.expect_request("**/health") as sent:
        opened(page, "get-health").locator(".primary").click()
    assert "authorization" not in sent.value.headers


def test_keys_alone(open_page, service):
    page = open_page(service)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the requests"
    page.keyboard.press("Enter")
    expect(page.locator("#requests")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.operation').id") == "post-captures"
    page.keyboard.press("Enter")
    assert page.evaluate("document.getElementById('post-captures').open")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "file"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_how_it_looks(open_page, guarded, size, scheme):
    address, token = guarded
    page = open_page(address, viewport=PHONE if size == "phone" else DESKTOP, color_scheme=scheme)
    issues = look(page, f"{size}-{scheme}-api-1-begin")
    page.goto(f"{address}api#get-images-signature-options-source")
    view = page.locator("#get-images-signature-options-source")
    view.locator("[name=source]").fill("town.jpg")
    view.locator("[name=screen]").fill("480x360")
    view.locator(".primary").click()
    view.locator(".answer img").wait_for()
    issues += look(page, f"{size}-{scheme}-api-2-form", "#get-images-signature-options-source")
    view.locator(".answer").scroll_into_view_if_needed()
    issues += look(page, f"{size}-{scheme}-api-3-image", "#get-images-signature-options-source")
    page.goto(f"{address}api#get-notes")
    page.locator("#token").fill(token)
    view = page.locator("#get-notes")
    view.locator("[name=latitude]").fill("100")
    view.locator("[name=longitude]").fill("1")
    view.locator(".primary").click()
    view.locator(".problem").wait_for()
    view.locator(".answer .more summary").click()
    issues += look(page, f"{size}-{scheme}-api-4-problem", "#get-notes")
    page.goto(f"{address}api#get-levels-live")
    page.locator("#get-levels-live .primary").click()
    page.locator("#get-levels-live .events code").nth(10).wait_for()
    issues += look(page, f"{size}-{scheme}-api-5-live", "#get-levels-live")
    assert issues == []


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_is_wider_than_the_page(open_page, service, width):
    page = open_page(service, viewport={"width": width, "height": 600})
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
