"""Recordings that `wayreel serve` keeps, in the page of live streams: the list, what is opened, its marks and settings."""
import csv, io, json, os, re, subprocess, urllib.error, urllib.request
import pytest
from playwright.sync_api import expect
from stand_in import ROOT, wait_until
from stream_stand_in import streaming
from test_streams import DESKTOP, SENSORS, SMALL, focus_chart, open_streams, override, wait_for_samples
from test_views import look

ECG = ROOT / "Media/streams/ecg-12-lead.csv"
#: What is shown of it at first: all, and a little room.
WHOLE = [-0.3, 20.296]


class Service:
    """`wayreel serve` with recordings: on this machine alone, or of players who have tokens."""

    def __init__(self, folder, *options):
        self.folder = folder
        self.process = subprocess.Popen([os.environ["WAYREEL"], "serve", "--listen", "127.0.0.1:0", "--log", "false", "--data", folder / "data", *options],
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]

    def ask(self, path, body=None, method=None, token=None, **headers):
        """The status and the body of an answer, and its ETag."""
        if token: headers["Authorization"] = f"Bearer {token}"
        else: path += ("&" if "?" in path else "?") + "player=local"
        if isinstance(body, dict): body = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, body, headers, method=method)) as answer:
                return answer.status, json.loads(answer.read() or b"null"), answer.headers["ETag"]
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read()), None

    def keep(self, content, name, token=None):
        """The id of a recording that is sent."""
        status, kept, _ = self.ask(f"v1/recordings?name={name}&title={name.split('.')[0]}", content, token=token)
        assert status == 201, kept
        return kept["id"]

    def settings(self, id): return self.ask(f"v1/recordings/{id}/settings")[1]
    def marks(self, id): return self.ask(f"v1/recordings/{id}/marks")[1]["marks"]

    def stop(self):
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path)
    yield service
    service.stop()


@pytest.fixture
def ecg(service):
    return service.keep(ECG.read_bytes(), "rest.csv")


def open_recording(open_streams, service, id, **options):
    page = open_streams(service.address, f"streams?recording={id}", **options)
    wait_for_whole(page)
    return page


def wait_for_whole(page):
    page.wait_for_function("() => window.wayreelChart && wayreelChart.channels.length > 0 && document.getElementById('kind').textContent === 'Recording'")
    page.wait_for_function("() => wayreelChart.end > 19.9 && wayreelChart.start < 0.01")


def shown(page):
    return page.evaluate("wayreelChart.visible")


def test_the_list_and_what_is_opened(open_streams, service, ecg):
    """All samples are there, with their times and values, and all are shown."""
    page = open_streams(service.address, "streams")
    page.get_by_role("button", name="Recordings").click()
    expect(page.locator(".list [role=status]")).to_have_text("1 recording")
    expect(page.locator(".recordings li")).to_contain_text(re.compile(r"rest.*20 s · 12 channels · \d+ kB"))
    page.get_by_role("link", name="rest").click()
    wait_for_whole(page)
    assert page.locator("h1").inner_text() == "rest" and shown(page) == pytest.approx(WHOLE, abs=0.01)
    rows = list(csv.reader(ECG.read_text().splitlines()))
    wanted = [float(row[rows[0].index("ecg.v2")]) for row in rows[1:]]
    times, values = page.evaluate("""(({ ring }) => [[...ring.times.slice(0, ring.total)], [...ring.values.slice(0, ring.total)]])(
        wayreelChart.channels.find(({ name }) => name === 'ecg.v2'))""")
    assert values == pytest.approx(wanted, abs=1e-5) and times == pytest.approx([index / 250 for index in range(5000)], abs=1e-4)
    page.get_by_role("button", name="Recordings").click()
    expect(page.get_by_role("link", name="rest")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="To the live streams").click()
    expect(page.locator("#kind")).to_have_text("Waiting")


def test_playing(open_streams, service, ecg):
    page = open_recording(open_streams, service, ecg)
    page.get_by_role("button", name="Play the recording").click()
    expect(page.locator("#kind")).to_have_text("Playing")
    # From the beginning, since all was shown.
    page.wait_for_function("() => wayreelChart.end > 1")
    assert page.evaluate("wayreelChart.end") < 15
    page.get_by_role("button", name="Pause the recording").click()
    expect(page.locator("#kind")).to_have_text("Recording")
    # It stands still where it was, and the rest is there again.
    where = shown(page)
    wait_for_whole(page)
    assert shown(page) == where and 1 < where[1] < 15
    assert page.evaluate("wayreelChart.channels.every(({ ring }) => ring.total === 5000)")
    # What is chosen while it does not play does not make it play.
    page.select_option(".playback select", "5")
    page.evaluate("(() => { const slider = document.querySelector('.playback input'); slider.value = 12; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); })()")
    assert shown(page)[1] == pytest.approx(12) and page.locator("#kind").inner_text() == "Recording"
    focus_chart(page)
    for _ in range(3): page.keyboard.press("+")
    page.keyboard.press("PageUp")
    begin = shown(page)
    page.keyboard.press(" ")
    expect(page.locator("#kind")).to_have_text("Playing")
    page.wait_for_function("from => wayreelChart.end > from + 2", arg=begin[1])
    assert page.evaluate("wayreelChart.visible[1] - wayreelChart.visible[0]") == pytest.approx(begin[1] - begin[0], abs=0.01)
    # 20 s at five times the speed: it ends by itself, and all is there.
    expect(page.locator("#kind")).to_have_text("Recording")
    wait_for_whole(page)
    page.get_by_role("button", name="Show all of it").click()
    assert shown(page) == pytest.approx(WHOLE, abs=0.01)


def test_marks_are_kept(open_streams, service, ecg):
    service.ask(f"v1/recordings/{ecg}/marks", {"time": 3.5, "text": "sent before", "channel": "ecg.ii"})
    page = open_recording(open_streams, service, ecg)
    expect(page.locator(".marks li")).to_have_count(1)
    focus_chart(page)
    page.keyboard.press("ArrowLeft")
    time_of_cursor = page.evaluate("wayreelChart.cursor")
    page.keyboard.press("m")
    page.keyboard.type("a cough")
    page.keyboard.press("Enter")
    expect(page.locator(".marks li")).to_have_count(2)
    wait_until(lambda: len(service.marks(ecg)) == 2)
    assert {mark["text"]: mark["time"] for mark in service.marks(ecg)} == pytest.approx({"sent before": 3.5, "a cough": time_of_cursor}, abs=1e-3)
    page.get_by_role("button", name=re.compile("Remove “sent before”")).click()
    expect(page.locator(".marks li")).to_have_count(1)
    wait_until(lambda: [mark["text"] for mark in service.marks(ecg)] == ["a cough"])
    page.reload()
    wait_for_whole(page)
    expect(page.locator(".marks li")).to_contain_text("a cough")


def test_settings(open_streams, service, ecg):
    """How it looks is stored, and the page opens it like that."""
    service.ask(f"v1/recordings/{ecg}/settings", {"format": "wayreel-plot", "version": 1, "lanes": [["ecg.i", "ecg.ii"]], "colors": {"ecg.i": "#0072b2"}}, "PUT")
    page = open_recording(open_streams, service, ecg)
    page.get_by_label("ecg.avr", exact=True).uncheck()
    page.get_by_label("Sweep").check()
    page.get_by_label("One scale for all lanes of a unit").check()
    page.wait_for_function("() => new Set(wayreelChart.lanes.map(({ range }) => String(range))).size === 1")
    page.get_by_label("Keep the scales as they are").check()
    page.fill("#filter-text", "ecg.ii:notch=50")
    page.locator("#filter-text").press("Enter")
    # What is filtered is filtered from the beginning.
    page.wait_for_function("() => wayreelChart.channels.find(({ isFiltered }) => isFiltered)?.ring.total >= 5000")
    focus_chart(page)
    for _ in range(3): page.keyboard.press("+")
    span = shown(page)[1] - shown(page)[0]
    page.get_by_role("button", name="Save for this recording").click()
    expect(page.locator(".kept [role=status]")).to_contain_text("Saved.")
    stored = service.settings(ecg)
    scale = page.evaluate("wayreelChart.lanes[0].range")
    assert stored["span"] == pytest.approx(span) and stored["movement"] == "sweep" and stored["oneScale"] is True
    assert stored["hidden"] == ["ecg.avr"] and stored["filters"] == ["ecg.ii:notch=50"] and stored["ranges"]["ecg.v2"] == pytest.approx(scale)
    # What the page does not show stays.
    assert stored["lanes"] == [["ecg.i", "ecg.ii"]] and stored["colors"] == {"ecg.i": "#0072b2"}
    page.reload()
    wait_for_whole(page)
    expect(page.get_by_label("ecg.avr", exact=True)).not_to_be_checked()
    expect(page.get_by_label("Sweep")).to_be_checked()
    page.wait_for_function("() => wayreelChart.channels.find(({ isFiltered }) => isFiltered)?.ring.total >= 5000")
    assert shown(page)[1] - shown(page)[0] == pytest.approx(span) and page.evaluate("wayreelChart.lanes[0].range") == pytest.approx(scale)
    # The page of live streams keeps its own.
    assert page.evaluate("localStorage.getItem('wayreel-streams')") is None


def test_settings_of_another_device(open_streams, service, ecg):
    page = open_recording(open_streams, service, ecg)
    save = page.get_by_role("button", name="Save for this recording")
    expect(save).to_be_enabled()
    other = {"format": "wayreel-plot", "version": 1, "hidden": ["ecg.v1"], "span": 4}
    service.ask(f"v1/recordings/{ecg}/settings", other, "PUT")
    save.click()
    expect(page.locator(".kept [role=status]")).to_contain_text("another device has saved it meanwhile")
    assert service.settings(ecg)["hidden"] == ["ecg.v1"]
    page.get_by_role("button", name="Use those").click()
    expect(page.get_by_label("ecg.v1", exact=True)).not_to_be_checked()
    page.wait_for_function("() => Math.abs(wayreelChart.visible[1] - wayreelChart.visible[0] - 4) < 1e-6")
    page.get_by_label("ecg.v1", exact=True).check()
    service.ask(f"v1/recordings/{ecg}/settings", {**other, "span": 5}, "PUT")
    save.click()
    page.get_by_role("button", name="Save mine").click()
    expect(page.locator(".kept [role=status]")).to_contain_text("Saved.")
    assert service.settings(ecg)["hidden"] == [] and service.settings(ecg)["span"] == pytest.approx(4)
    # A second change follows the first.
    page.get_by_label("ecg.v3", exact=True).uncheck()
    save.click()
    wait_until(lambda: service.settings(ecg)["hidden"] == ["ecg.v3"])


def test_download_and_delete(open_streams, service, ecg):
    service.keep(b"seconds,test.a [mV]\n0,1\n0.1,2\n", "short.csv")
    page = open_streams(service.address, "streams")
    page.get_by_role("button", name="Recordings").click()
    page.select_option("#download-format", "csv")
    with page.expect_download() as found:
        page.get_by_role("button", name="Download rest").click()
    assert found.value.suggested_filename == "rest.csv"
    text = open(found.value.path()).read()
    assert len(list(csv.reader(io.StringIO(text)))) == 5001
    # It has no units, which DICOM needs.
    page.select_option("#download-format", "dicom")
    page.get_by_role("button", name="Download rest").click()
    expect(page.locator(".recordings .fault:visible")).to_contain_text("unit")
    page.get_by_role("button", name="Delete rest").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete rest")).to_be_focused()
    assert len(service.ask("v1/recordings")[1]["recordings"]) == 2
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete rest for good").click()
    expect(page.locator(".list [role=status]")).to_have_text("1 recording")
    expect(page.get_by_role("link", name="short")).to_be_focused()
    assert [kept["title"] for kept in service.ask("v1/recordings")[1]["recordings"]] == ["short"]
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Recordings")).to_be_focused()
    page.goto(f"{service.address}streams?recording={ecg}")
    expect(page.locator("#detail")).to_contain_text("no such recording")


def test_more_than_a_page(open_streams, service):
    for number in range(52): service.keep(b"seconds,test.a\n0,1\n0.1,2\n", f"n{number}.csv")
    page = open_streams(service.address, "streams")
    page.get_by_role("button", name="Recordings").click()
    expect(page.locator(".list [role=status]")).to_have_text("50 recordings, and older ones")
    page.get_by_role("button", name="Older ones").click()
    expect(page.locator(".list [role=status]")).to_have_text("52 recordings")
    expect(page.get_by_role("link", name="n1", exact=True)).to_be_focused()
    expect(page.get_by_role("button", name="Older ones")).to_be_hidden()


def test_of_players(open_streams, tmp_path):
    """With accounts, each player sees what is their own; who is not signed in is told so."""
    keys = tmp_path / "players.txt"
    keys.write_text("p1:" + "a5" * 32)
    service = Service(tmp_path, "--player-keys", keys)
    token = lambda player: subprocess.run([os.environ["WAYREEL"], "token", player, "--keys", keys], check=True, capture_output=True, text=True).stdout.strip()
    ines, other = token("ines"), token("other")
    try:
        id = service.keep(ECG.read_bytes(), "rest.csv", token=ines)
        page = open_streams(service.address, "streams")
        page.get_by_role("button", name="Recordings").click()
        expect(page.locator(".list").get_by_role("link", name="Sign in")).to_be_visible()
        sign_in = "([player, token]) => localStorage.setItem('wayreel-account', JSON.stringify({ version: 2, current: player, own: 'o', accounts: [{ player, token, database: 'd' }] }))"
        page.evaluate(sign_in, ["other", other])
        page.goto(f"{service.address}streams?recording={id}")
        expect(page.locator("#detail")).to_contain_text("no such recording")
        page.get_by_role("button", name="Recordings").click()
        expect(page.locator(".list [role=status]")).to_contain_text("There is none yet.")
        page.evaluate(sign_in, ["ines", ines])
        page.reload()
        wait_for_whole(page)
        page.get_by_role("button", name="Save for this recording").click()
        expect(page.locator(".kept [role=status]")).to_contain_text("Saved.")
        page.get_by_role("button", name="Recordings").click()
        with page.expect_download() as found:
            page.get_by_role("button", name="Download rest").click()
        assert len(open(found.value.path()).read().splitlines()) > 4999
    finally:
        service.stop()


def test_one_that_is_too_long(open_streams, service):
    """Of 1.2 million samples of a channel a part is shown, and the page says which; another part is loaded where one goes."""
    id = service.keep(b"seconds,test.a\n" + b"".join(b"%.3f,%d\n" % (index / 1000, index // 1000) for index in range(1_200_000)), "long.csv")
    page = open_streams(service.address, f"streams?recording={id}")
    page.wait_for_function("() => document.getElementById('kind').textContent === 'Recording'")
    expect(page.locator("#detail")).to_contain_text(re.compile(r"too long to be shown whole: 0 s to 1[3-7]:\d\d of 20:00 is here"))
    assert page.evaluate("wayreelChart.start") == 0
    # A value is the second of its sample.
    value = "time => { const [{ ring }] = wayreelChart.channels; return ring.value(ring.nearest(time)); }"
    assert page.evaluate(value, 500.5) == 500
    for _ in range(6): page.get_by_role("button", name="Show less time").click()
    page.evaluate("(() => { const slider = document.querySelector('.playback input'); slider.value = 1150; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); })()")
    page.wait_for_function("() => wayreelChart.end > 1199.9 && document.getElementById('kind').textContent === 'Recording'")
    assert shown(page)[1] == pytest.approx(1150) and page.evaluate(value, 1149.5) == 1149
    expect(page.locator("#detail")).to_contain_text("to 20:00 of 20:00 is here")
    page.evaluate("(() => { const slider = document.querySelector('.playback input'); slider.value = 300; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); })()")
    page.wait_for_function("() => wayreelChart.start < 300 && wayreelChart.end > 400 && document.getElementById('kind').textContent === 'Recording'")
    assert page.evaluate(value, 299.5) == 299


def test_a_server_that_keeps_none(open_streams):
    """The page of one stream, whose key is in its address, offers no recordings."""
    with streaming() as server:
        page = open_streams(server.address)
        wait_for_samples(page, 50)
        expect(page.get_by_role("button", name="Recordings")).to_be_hidden()


def test_what_a_sender_has_recorded(open_streams, service):
    page = open_streams(service.address, "sensors", permissions=SENSORS)
    read = override(page, "accelerometer")
    page.get_by_label("Accelerometer").check()
    for index in range(10): read(index % 5)
    page.get_by_label("Record it on the server").check()
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#status")).to_have_text("Sending, and recording")
    for index in range(60): read(index % 5)
    expect(page.get_by_role("link", name="Open the recording")).to_be_hidden()
    page.get_by_role("button", name="Stop").click()
    wait_until(lambda: service.ask("v1/recordings")[1]["recordings"][0]["samples"] > 50)
    page.get_by_role("link", name="Open the recording").click()
    page.wait_for_function("() => window.wayreelChart && wayreelChart.channels.length === 3 && document.getElementById('kind').textContent === 'Recording'")
    assert page.locator("h1").inner_text() == "Accelerometer"
    assert {round(value) for value in page.evaluate("[...wayreelChart.channels[0].ring.values.slice(0, wayreelChart.channels[0].ring.total)]")} <= {0, 1, 2, 3, 4}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["small", "desktop"])
def test_how_recordings_look(open_streams, service, ecg, size, scheme):
    service.keep(b"seconds,test.a\n0,1\n0.1,2\n", "A-walk-with-a-name-that-is-as-long-as-nobody-would-write-it-but-somebody-does.csv")
    service.ask(f"v1/recordings/{ecg}/marks", {"time": 3.5, "seconds": 0.5, "text": "ectopic beat", "channel": "ecg.ii"})
    page = open_recording(open_streams, service, ecg, viewport={"small": SMALL, "desktop": DESKTOP}[size], color_scheme=scheme)
    issues = look(page, f"{size}-{scheme}-recordings-1-open")
    page.get_by_role("button", name="Recordings").click()
    page.get_by_role("button", name="Delete rest").click()
    issues += look(page, f"{size}-{scheme}-recordings-2-list")
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('dialog'))")
    page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = one.id === 'view'; })")
    expect(page.get_by_role("button", name="Save for this recording")).to_be_enabled()
    service.ask(f"v1/recordings/{ecg}/settings", {"format": "wayreel-plot", "version": 1, "span": 4}, "PUT")
    page.get_by_role("button", name="Save for this recording").click()
    page.get_by_role("button", name="Use those").wait_for()
    issues += look(page, f"{size}-{scheme}-recordings-3-conflict")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert issues == []
