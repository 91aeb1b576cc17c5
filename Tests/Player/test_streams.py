"""The pages of live streams: the strip chart that draws what comes, what one does to it, and the page that sends a device's sensors."""
import json, os, pathlib, re, struct, subprocess, time
import pytest
from conftest import FAKE_CAMERA, PATIENCE, PHONE, RECORD_VIOLATIONS, closed
from playwright.sync_api import expect
from stand_in import ROOT, wait_until
from stream_stand_in import batch, streaming
from test_views import look

DESKTOP = {"width": 1200, "height": 800}
SMALL = {"width": 320, "height": 568}
LOW = {"width": 390, "height": 664}
#: What the browser itself says about connections that a test breaks.
OF_BROWSER = re.compile("WebSocket connection to|Failed to load resource")
SENSORS = ["geolocation", "accelerometer", "gyroscope", "magnetometer", "microphone"]


@pytest.fixture
def open_streams(launch):
    """Opens pages of a server of streams; a page that throws, or that violates its Content-Security-Policy, fails the test."""
    contexts, faults = [], []

    def opened(address, path="#key", arguments=tuple(FAKE_CAMERA), whole=False, **options):
        context = launch(*arguments, whole=whole).new_context(**{"viewport": DESKTOP, "locale": "en-US", "service_workers": "block", **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(RECORD_VIOLATIONS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{error} {error.stack}"))
        page.on("console", lambda message: message.type == "error" and not OF_BROWSER.search(message.text) and faults.append(message.text))
        page.goto(address + path)
        page.wait_for_selector("h1")
        return page

    yield opened
    faults += closed(contexts)
    assert faults == []


@pytest.fixture
def stream():
    with streaming() as server:
        yield server


def wait_for_samples(page, least=200):
    page.wait_for_function("least => window.wayreelChart && wayreelChart.channels.length > 0 && wayreelChart.channels.every(({ ring }) => ring.total >= least)",
                           arg=least)
    page.wait_for_function("() => wayreelChart.counts.samples > 0")


def focus_chart(page):
    page.locator(".stage").focus()


def state(page):
    return page.locator("#kind").inner_text()


# Pixels of the film in each visible lane: rows between the highest and the lowest pixel with the colour of the lane's series, and their number.
TRACES = """() => {
    const chart = wayreelChart;
    const ratio = Math.min(devicePixelRatio, 2);
    const pages = [...document.querySelectorAll('.page')].filter(({ hidden }) => !hidden);
    return chart.shown.map((lane, number) => {
        const probe = document.createElement('span');
        probe.className = 'strip-colors';
        probe.style.setProperty('color', chart.colorOf(lane.channels.at(-1)));
        document.body.append(probe);
        const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
        probe.remove();
        const [top, height] = [Math.floor(chart.laneTop(number) * ratio), Math.ceil(chart.laneHeight * ratio)];
        const rows = new Set();
        let count = 0;
        for (const page of pages) {
            const { data, width } = page.getContext('2d').getImageData(0, top, page.width, height);
            for (let at = 0; at < data.length; at += 4) {
                if (data[at + 3] < 200 || Math.abs(data[at] - wanted[0]) + Math.abs(data[at + 1] - wanted[1]) + Math.abs(data[at + 2] - wanted[2]) > 60) continue;
                rows.add(Math.floor(at / 4 / width));
                count += 1;
            }
        }
        return { rows: rows.size ? (Math.max(...rows) - Math.min(...rows) + 1) / height : 0, count };
    });
}"""


@pytest.mark.parametrize("movement", ["scroll", "sweep"])
def test_batches_are_drawn(open_streams, stream, movement):
    """A sine fills most of its lane, in its colour, while samples come and after the chart is paused."""
    stream.began -= 15
    page = open_streams(stream.address)
    wait_for_samples(page)
    if movement == "sweep":
        page.get_by_label("Sweep").check()
    page.wait_for_timeout(700)
    for _ in range(2):
        traces = page.evaluate(TRACES)
        assert len(traces) == 3 and all(trace["rows"] > 0.5 and trace["count"] > 300 for trace in traces), traces
        focus_chart(page)
        page.keyboard.press(" ")
        page.wait_for_timeout(200)
    # What is drawn stays drawn: a second has fewer redrawings of everything than samples.
    page.keyboard.press("n")
    before = page.evaluate("({ ...wayreelChart.counts })")
    page.wait_for_timeout(1500)
    after = page.evaluate("({ ...wayreelChart.counts })")
    assert after["samples"] - before["samples"] > 100 and after["whole"] - before["whole"] <= 4
    delays = page.evaluate("[wayreelDelays.count, wayreelDelays.quantile('arrivalToFrame', 0.5), wayreelDelays.quantile('receivedToDrawn', 0.5)]")
    assert delays[0] > 20 and -5 < delays[1] < 500 and 0 <= delays[2] < 500
    acknowledged = [message["batch"] for message in stream.asked("ack")]
    assert acknowledged == sorted(acknowledged) and len(acknowledged) > 10
    assert stream.protocols[0] == ["wayreel-live", "bearer.key"]


def test_pause_and_resume(open_streams, stream):
    stream.began -= 15
    page = open_streams(stream.address)
    wait_for_samples(page)
    focus_chart(page)
    page.keyboard.press(" ")
    expect(page.locator("#kind")).to_have_text("Paused")
    shown, total = page.evaluate("[wayreelChart.visible, wayreelChart.channels[0].ring.total]")
    page.wait_for_timeout(1200)
    assert page.evaluate("wayreelChart.visible") == shown
    assert page.evaluate("wayreelChart.channels[0].ring.total") > total + 100
    page.get_by_role("button", name="Go on from here").click()
    delay = page.evaluate("wayreelChart.delay")
    assert delay > 1
    expect(page.locator("#kind")).to_have_text("Behind now")
    page.wait_for_timeout(500)
    assert abs(page.evaluate("wayreelChart.end - wayreelChart.visible[1]") - delay) < 0.5
    page.get_by_role("button", name="Now").click()
    expect(page.locator("#kind")).to_have_text("Live")
    assert page.evaluate("Math.abs(wayreelChart.end - wayreelChart.visible[1])") < 0.5


def test_zoom_and_pan(open_streams, stream):
    stream.began -= 15
    page = open_streams(stream.address)
    wait_for_samples(page)
    stage = page.locator(".stage")
    box = stage.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.mouse.wheel(0, -400)
    page.wait_for_function("() => wayreelChart.span < 7")
    assert state(page) == "Live"
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 200, box["y"] + 100, steps=4)
    page.mouse.up()
    expect(page.locator("#kind")).to_have_text("Paused")
    before = page.evaluate("wayreelChart.visible")
    page.mouse.wheel(80, 0)
    page.wait_for_function("from => wayreelChart.visible[0] > from", arg=before[0])
    # Keys, and their buttons.
    focus_chart(page)
    for key, button, changes in [("+", "Show less time", "span < before"), ("-", "Show more time", "span > before"), ("PageUp", "Earlier", "from < start"),
                                 ("PageDown", "Later", "from > start")]:
        for act in (lambda: page.keyboard.press(key), lambda: page.get_by_role("button", name=button, exact=True).click()):
            start, end = page.evaluate("wayreelChart.visible")
            act()
            focus_chart(page)
            page.wait_for_function(f"([start, before]) => {{ const [from, to] = wayreelChart.visible; const span = to - from; return {changes}; }}",
                                   arg=[start, end - start])


def test_fingers(open_streams, stream):
    """Two fingers zoom, one moves the time, and a tap shows the values of its place."""
    stream.began -= 15
    page = open_streams(stream.address, viewport=PHONE, has_touch=True, is_mobile=True)
    wait_for_samples(page)
    client = page.context.new_cdp_session(page)
    box = page.locator(".stage").bounding_box()
    y = box["y"] + 100
    touch = lambda kind, *xs: client.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": box["x"] + x, "y": y, "id": index} for index, x in enumerate(xs)]})
    touch("touchStart", 150, 250)
    for spread in range(10, 60, 10): touch("touchMove", 150 - spread, 250 + spread)
    touch("touchEnd")
    page.wait_for_function("() => wayreelChart.visible[1] - wayreelChart.visible[0] < 8")
    assert state(page) == "Live"
    touch("touchStart", 120)
    for x in range(130, 260, 20): touch("touchMove", x)
    touch("touchEnd")
    expect(page.locator("#kind")).to_have_text("Paused")
    assert page.evaluate("wayreelChart.cursor") is None
    touch("touchStart", 200)
    touch("touchEnd")
    page.wait_for_function("() => wayreelChart.cursor !== undefined")
    assert page.evaluate("Math.abs(wayreelChart.xOf(wayreelChart.cursor) - 200)") < 3


def test_cursor_and_spoken_values(open_streams, stream):
    stream.began -= 15
    page = open_streams(stream.address)
    wait_for_samples(page)
    focus_chart(page)
    page.keyboard.press("v")
    spoken = page.locator("#spoken")
    expect(spoken).to_contain_text(re.compile(r"^[\d.]+ seconds: ecg\.i −?[\d.]+ mV, ecg\.ii −?[\d.]+ mV, ecg\.iii −?[\d.]+ mV$"))
    page.keyboard.press(" ")
    page.keyboard.press("ArrowLeft")
    first = page.evaluate("wayreelChart.cursor")
    page.keyboard.press("Shift+ArrowLeft")
    second = page.evaluate("wayreelChart.cursor")
    assert first - second == pytest.approx(1, abs=0.02)  # 20 of 200 parts of 10 s.
    # The values are those of the samples: sines of amplitude 1, 2, 3.
    text = page.locator(".stage").get_attribute("aria-valuetext")
    values = [float(number.replace("−", "-")) for number in re.findall(r"ecg\.\w+ (−?[\d.]+) mV", text)]
    samples = [stream.value(channel, round(second * stream.rate)) for channel in range(3)]
    assert values == pytest.approx(samples, abs=0.12)
    page.keyboard.press("v")
    expect(spoken).to_have_text(text)
    expect(page.locator("#channels output").first).to_have_text(re.compile(r"mV$"))
    page.keyboard.press("Escape")
    assert page.locator(".stage").get_attribute("aria-valuetext") == "no cursor"


def test_marks(open_streams, stream):
    stream.began -= 15
    page = open_streams(stream.address)
    wait_for_samples(page)
    focus_chart(page)
    page.keyboard.press("m")
    time_of_key = page.evaluate("wayreelChart.visible[1]")
    page.keyboard.press("Enter")
    expect(page.locator("#mark-text-fault")).to_have_text("Write what the mark says.")
    page.wait_for_timeout(400)
    page.keyboard.type("patient coughs")
    page.keyboard.press("Enter")
    expect(page.locator(".marks li")).to_have_count(1)
    # A mark is of the time at which it was begun.
    assert stream.asked("mark")[0]["time"] == pytest.approx(time_of_key, abs=0.3)
    page.select_option("#mark-channel", "ecg.ii")
    page.fill("#mark-text", "<b>P wave</b>")
    page.keyboard.press("Enter")
    expect(page.locator(".marks li")).to_have_count(2)
    assert stream.asked("mark")[1]["channel"] == "ecg.ii" and page.locator(".marks b").count() == 0
    page.locator(".marks .go").first.click()
    expect(page.locator("#kind")).to_have_text("Paused")
    assert page.evaluate("(wayreelChart.visible[0] + wayreelChart.visible[1]) / 2") == pytest.approx(stream.asked("mark")[0]["time"], abs=0.01)
    page.get_by_role("button", name=re.compile("Remove “patient coughs”")).click()
    expect(page.locator(".marks li")).to_have_count(1)
    assert stream.asked("unmark") == [{"type": "unmark", "id": 1}]


def test_marks_of_a_range(open_streams, stream):
    stream.began -= 15
    page = open_streams(stream.address)
    wait_for_samples(page)
    box = page.locator(".stage").bounding_box()
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 300, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 100, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    page.mouse.move(box["x"] + 600, box["y"] + 120)
    first, last = page.evaluate("[300, 400].map(x => wayreelChart.timeAt(x))")
    assert page.evaluate("wayreelChart.range") == pytest.approx([first, last], abs=0.05)
    page.fill("#mark-text", "a run")
    page.keyboard.press("Enter")
    expect(page.locator(".marks li")).to_have_count(1)
    mark = stream.asked("mark")[0]
    assert [mark["time"], mark["seconds"]] == pytest.approx([first, last - first], abs=0.05)
    assert page.evaluate("wayreelChart.range ?? null") is None
    # By keys.
    focus_chart(page)
    page.keyboard.press("b")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("m")
    page.keyboard.type("another")
    page.keyboard.press("Enter")
    expect(page.locator(".marks li")).to_have_count(2)
    assert stream.asked("mark")[1]["seconds"] == pytest.approx(1, abs=0.02)


def test_filters(open_streams, stream):
    stream.began -= 5
    page = open_streams(stream.address)
    wait_for_samples(page)
    page.select_option("#filter-channel", "ecg.ii")
    page.select_option("#filter-kind", "notch=50")
    expect(page.locator("#filter-text")).to_have_value("ecg.ii:notch=50")
    page.get_by_role("button", name="Add filter").click()
    expect(page.locator(".filters li")).to_have_count(1)
    # Both curves are in the lane of the source.
    page.wait_for_function("() => wayreelChart.lanes.length === 3 && wayreelChart.lanes[1].channels.length === 2 && wayreelChart.lanes[1].channels[1].ring.total > 100")
    page.wait_for_timeout(500)
    source, filtered = page.evaluate("wayreelChart.valuesAt(wayreelChart.end, [wayreelChart.lanes[1]]).map(({ value }) => value)")
    assert filtered == pytest.approx(source / 2, abs=0.01)
    page.fill("#filter-text", "nonsense")
    page.keyboard.press("Enter")
    expect(page.locator("#filter-text-fault")).to_contain_text("'nonsense' has no target")
    assert page.locator("#filter-text").get_attribute("aria-invalid") == "true"
    expect(page.locator("#filter-text")).to_be_focused()
    expect(page.locator(".filters li")).to_have_count(1)
    page.locator(".filters input").uncheck()
    page.wait_for_function("() => wayreelChart.channels.length === 3")
    assert stream.filters == []
    page.locator(".filters input").check()
    page.wait_for_function("() => wayreelChart.channels.length === 4")
    # A new connection asks for them once more.
    asked = len(stream.asked("filters"))
    stream.filters = []
    stream.break_off()
    wait_until(lambda: len(stream.asked("filters")) > asked)
    assert stream.asked("filters")[-1]["filters"] == ["ecg.ii:notch=50"]


def test_events_of_filters(open_streams, stream):
    page = open_streams(stream.address)
    wait_until(lambda: page.evaluate("wayreelChart.end") > 1.5)
    stream.tell({**stream.head(), "filters": ["ecg.ii:peaks=200ms", "ecg.i:above=0.5"]})
    at = page.evaluate("wayreelChart.end")
    beat = {"kind": "beats", "channel": "ecg.ii", "time": at - 0.5, "value": 1.5, "seconds": 0, "phase": "moment"}
    begin = {"kind": "above", "channel": "ecg.i", "time": at - 1, "value": 0.6, "seconds": 0, "phase": "begin"}
    stream.tell({"type": "events", "events": [beat, begin]})
    wait_until(lambda: page.evaluate("wayreelChart.events.length") == 2)
    assert page.evaluate("wayreelChart.events[1].seconds === undefined")
    # The end of what began; that of what began before this viewer came; and what is nobody's channel.
    ended = {**begin, "time": at - 0.25, "seconds": 0.75, "phase": "end"}
    stream.tell({"type": "events", "events": [ended, {**ended, "channel": "ecg.iii", "kind": "below"}, {**beat, "channel": "nobody.x"}]})
    wait_until(lambda: page.evaluate("wayreelChart.events.length") == 4)
    assert page.evaluate("wayreelChart.events.map(({ seconds }) => seconds)") == pytest.approx([0, 0.75, 0.75, 0])
    # They are no marks of somebody, and what is drawn differs by them.
    expect(page.locator(".marks li")).to_have_count(0)
    page.keyboard.press("Escape")
    page.evaluate("wayreelChart.pause()")
    drawn = "document.querySelector('canvas.overlay').getContext('2d').getImageData(0, 0, 4000, 4000).data.some(value => value > 0)"
    wait_until(lambda: page.evaluate(drawn))
    # A source of many: the newest are kept. Other filters have found nothing yet.
    stream.tell({"type": "events", "events": [{**beat, "time": at + number / 1000} for number in range(3000)]})
    wait_until(lambda: page.evaluate("wayreelChart.events.length") == 2000)
    assert page.evaluate("wayreelChart.events.at(-1).time") == pytest.approx(at + 2.999)
    stream.tell({**stream.head(), "filters": []})
    wait_until(lambda: page.evaluate("wayreelChart.events.length") == 0)
    wait_until(lambda: not page.evaluate(drawn))


def test_what_filters_find_is_listed_and_said(open_streams, stream):
    page = open_streams(stream.address)
    wait_until(lambda: page.evaluate("wayreelChart.end") > 1.5)
    stream.tell({**stream.head(), "filters": ["ecg.ii:peaks=200ms", "ecg.i:above=0.5"]})
    stream.answer(None, {"type": "mark", "time": 0.5, "seconds": 0, "text": "a cough", "channel": None})
    beat = {"kind": "beats", "channel": "ecg.ii", "time": 1, "value": 1.5, "seconds": 0, "phase": "moment"}
    begin = {"kind": "above", "channel": "ecg.i", "time": 0.75, "value": 0.6, "seconds": 0, "phase": "begin"}
    stream.tell({"type": "events", "events": [begin, beat, {**begin, "channel": "ecg.hidden", "kind": "below"}]})
    # The newest is at the top, told apart from the marks of people.
    found = page.locator(".found li")
    expect(found).to_have_text([re.compile("beat in ecg.ii$"), re.compile("above in ecg.i, goes on$"), re.compile("below in ecg.hidden, goes on$")])
    expect(page.locator(".marks li")).to_have_count(1)
    spoken = page.locator("#spoken")
    page.get_by_role("button", name="Say values").click()
    expect(spoken).to_have_text(re.compile(r"mV; above in ecg\.i from 0\.750* seconds, goes on; beat in ecg\.ii at 1(\.0+)? seconds$"))
    # One that is chosen is shown, and keeps the focus when more is found.
    found.first.get_by_role("button").click()
    expect(page.locator("#kind")).to_have_text("Paused")
    assert sum(page.evaluate("wayreelChart.visible")) / 2 == pytest.approx(1)
    stream.tell({"type": "events", "events": [{**begin, "time": 1.25, "seconds": 0.5, "phase": "end"}, {**beat, "time": 1.5}]})
    expect(found).to_have_text([re.compile("beat"), re.compile("beat"), re.compile("above in ecg.i, for 500 ms$"), re.compile("below")])
    assert page.evaluate("[...document.querySelectorAll('.found li')].findIndex(row => row.contains(document.activeElement))") == 1
    # At the cursor: what is there, marks too, and no beat elsewhere.
    for time, words in [(0.5, r"mV; mark “a cough” at 0\.50* seconds$"), (0.9, r"mV; above in ecg\.i from 0\.750* seconds, for 500 ms$"),
                        (1.5, r"mV; beat in ecg\.ii at 1\.50* seconds$"), (1.4, r"ecg\.iii −?[\d.]+ mV$")]:
        page.evaluate("time => { wayreelChart.cursor = time; wayreelChart.pointer = undefined; }", time)
        page.get_by_role("button", name="Say values").click()
        expect(spoken).to_have_text(re.compile(words))
    # The list is bounded.
    stream.tell({"type": "events", "events": [{**beat, "time": 2 + number / 1000} for number in range(500)]})
    expect(page.locator("#found-title")).to_have_text("Found by filters 100 of 504")
    expect(found).to_have_count(100)
    stream.tell({**stream.head(), "filters": []})
    expect(page.locator("#found-title")).to_be_hidden()


def test_channels(open_streams, stream):
    page = open_streams(stream.address)
    wait_for_samples(page, 50)
    page.get_by_label("ecg.ii", exact=True).uncheck()
    page.wait_for_function("() => wayreelChart.lanes.map(({ name }) => name).join() === 'ecg.i,ecg.iii'")
    # Colours stay with their channels.
    assert page.evaluate("wayreelChart.lanes.map(({ color }) => color)") == [0, 2]
    page.get_by_role("button", name="Only ecg.iii").click()
    page.wait_for_function("() => wayreelChart.lanes.length === 1 && wayreelChart.lanes[0].name === 'ecg.iii'")
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function("() => wayreelChart.lanes.length === 3")
    page.get_by_label("One scale for all lanes of a unit").check()
    page.wait_for_function("() => new Set(wayreelChart.lanes.map(({ range }) => String(range))).size === 1")
    page.get_by_label("Logarithmic, where values are above zero").check()
    page.wait_for_function("() => wayreelChart.lanes.every(({ isLogarithmic, range }) => isLogarithmic && range[0] > 0)")
    # They are remembered.
    page.reload()
    expect(page.get_by_label("One scale for all lanes of a unit")).to_be_checked()


def test_states(open_streams, stream):
    page = open_streams(stream.address)
    wait_for_samples(page, 50)
    expect(page.locator("#kind")).to_have_text("Live")
    stream.is_lost = True
    expect(page.locator("#kind")).to_have_text("Behind")
    expect(page.locator("#detail")).to_contain_text("samples were missed")
    assert page.evaluate("wayreelChart.missed.length") == 1
    page.reload()
    wait_for_samples(page, 50)
    stream.is_silent = True
    stream.tell({"type": "silent", "seconds": 2.5})
    expect(page.locator("#kind")).to_have_text("Silent")
    expect(page.locator("#detail")).to_contain_text("no sample for")
    stream.is_silent = False
    expect(page.locator("#kind")).to_have_text("Live")
    stream.tell({"type": "end"})
    stream.is_silent = True
    expect(page.locator("#kind")).to_have_text("Ended")
    page.get_by_role("button", name="Connect again").click()
    stream.is_silent = False
    expect(page.locator("#kind")).to_have_text("Live")


def test_new_connection(open_streams, stream):
    """After a break, what was there is not drawn twice, and what a service says against more viewers is told."""
    stream.began -= 5
    page = open_streams(stream.address)
    wait_for_samples(page)
    stream.refusal = (503, {"title": "Too many requests at once", "detail": "20 viewers are served"}, {"Retry-After": "2"})
    stream.break_off()
    expect(page.locator("#kind")).to_have_text("Reconnecting")
    expect(page.locator("#detail")).to_contain_text("20 viewers are served")
    stream.refusal = None
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("#kind")).to_have_text("Live")
    page.wait_for_timeout(500)
    assert page.evaluate("wayreelChart.late") == 0
    times = page.evaluate("(({ ring }) => Array.from({ length: ring.total - ring.first }, (_, i) => ring.time(ring.first + i)))(wayreelChart.channels[0])")
    assert times == sorted(set(times))


def test_refused_without_account(open_streams, stream):
    stream.refusal = (401, {"title": "Sign in", "detail": "this stream belongs to a player"}, {})
    page = open_streams(stream.address)
    expect(page.locator("#detail a")).to_have_attribute("href", "./#/account")


def test_waits_for_a_stream(open_streams, stream):
    stream.refusal = (404, {"title": "There is nothing at this address", "detail": "nobody sends the stream 'view' now"}, {})
    page = open_streams(stream.address)
    expect(page.locator("#kind")).to_have_text("Waiting")
    expect(page.locator("#detail")).to_contain_text("nobody sends the stream")
    stream.refusal = None
    expect(page.locator("#kind")).to_have_text("Live", timeout=PATIENCE)


def test_hidden_page(open_streams, stream):
    """A page that nobody sees takes what comes and draws nothing; shown again, it shows what is new."""
    page = open_streams(stream.address)
    wait_for_samples(page, 50)
    hide = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    page.wait_for_timeout(100)
    frames, total, acknowledged = page.evaluate("wayreelChart.counts.frames"), page.evaluate("wayreelChart.channels[0].ring.total"), len(stream.asked("ack"))
    page.wait_for_timeout(1000)
    assert page.evaluate("wayreelChart.counts.frames") == frames
    assert page.evaluate("wayreelChart.channels[0].ring.total") > total + 100
    assert len(stream.asked("ack")) > acknowledged + 10
    page.evaluate(hide, False)
    page.wait_for_function("() => Math.abs(wayreelChart.end - wayreelChart.visible[1]) < 0.5")
    assert page.evaluate("wayreelChart.counts.frames") > frames


def test_thirty_two_channels(open_streams):
    """32 channels of 1,000 samples a second: lanes that have no room are scrolled to, and memory has an end."""
    with streaming(names=[f"s{number // 8}.c{number % 8}" for number in range(32)], rate=1000) as server:
        page = open_streams(server.address)
        wait_for_samples(page)
        page.wait_for_function("() => wayreelChart.lanes.length === 32 && wayreelChart.shown.length > 0")
        shown = page.evaluate("wayreelChart.shown.length")
        assert shown < 32
        page.evaluate("document.querySelector('.strip-chart').scrollTop = 1e6")
        page.wait_for_function("() => wayreelChart.shown.at(-1).name === 's3.c7'")
        bytes = page.evaluate("wayreelChart.channels.reduce((sum, { ring }) => sum + ring.times.byteLength + ring.values.byteLength + ring.lows.byteLength * 2, 0)")
        assert bytes < 130e6
        focus_chart(page)
        page.keyboard.press("ArrowUp")
        page.wait_for_function("() => wayreelChart.shown.at(-1).name !== 's3.c7'")


def test_recording(open_streams):
    with streaming(live=False) as server:
        server.duration = 60
        page = open_streams(server.address)
        wait_for_samples(page, 50)
        expect(page.locator("#kind")).to_have_text("Playing")
        page.get_by_role("button", name="Pause the recording").click()
        expect(page.locator("#kind")).to_have_text("Recording")
        assert server.asked("pause")
        focus_chart(page)
        page.keyboard.press(" ")
        expect(page.locator("#kind")).to_have_text("Playing")
        page.keyboard.press(" ")
        expect(page.locator("#kind")).to_have_text("Recording")
        page.get_by_label("Position").focus()
        page.evaluate("(() => { const slider = document.querySelector('.playback input'); slider.value = 40; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); })()")
        wait_until(lambda: server.asked("play") and "position" in server.asked("play")[-1])
        assert server.asked("play")[-1]["position"] == 40
        page.wait_for_function("() => wayreelChart.end > 40")
        page.select_option(".playback select", "2")
        wait_until(lambda: server.asked("play")[-1]["speed"] == 2)
        # Back to an earlier place: what was after it is dropped, and comes anew.
        server.answer(None, {"type": "play", "position": 5})
        page.wait_for_function("() => wayreelChart.end > 5 && wayreelChart.end < 20")


def test_no_peak_is_lost(open_streams, stream):
    """One sample of 500,000 is drawn, also where 64 of them are read as one."""
    page = open_streams(stream.address)
    wait_for_samples(page, 50)
    found = page.evaluate("""async () => {
        const { SignalRing } = await import('./streams/charts/signal-ring.js');
        const { drawTrace } = await import('./streams/charts/trace.js');
        const ring = new SignalRing(1 << 19);
        const values = new Float32Array(500_000);
        values[123_457] = 1;
        ring.add(0, 0.001, null, values, values.length);
        const context = Object.assign(document.createElement('canvas'), { width: 400, height: 100 }).getContext('2d');
        drawTrace(context, ring, 0, ring.total, { time: { origin: 0, scale: 400 / 500 }, value: { low: 0, high: 1, top: 0, height: 100 }, gap: 1, column: 1, limit: 400,
            style: { color: '#000000', width: 1, gapColor: '#ffffff' } });
        const { data } = context.getImageData(0, 10, 400, 1);
        const columns = Array.from({ length: 400 }, (_, x) => x).filter(x => data[4 * x + 3] > 60);
        ring.dropFrom(100);
        const [kept, extremes] = [ring.total, ring.extremes(0, ring.total)];
        for (let i = 0; i < 300; i++) ring.add(50, 0, null, new Float32Array(1), 1);
        return { columns, kept, extremes, restarts: ring.restarts, end: ring.end };
    }""")
    # Sample 123,457 is at 123.457 s of 500 s.
    assert found["columns"] and all(abs(x - 123.457 * 400 / 500) < 2 for x in found["columns"])
    assert found["kept"] == 100_000 and found["extremes"] == [0, 0]
    # Times that stay before the newest one are those of a clock that began anew.
    assert found["restarts"] == 1 and found["end"] == 50


def test_angles_that_begin_again(open_streams, stream):
    """No stroke leads from 359° to 0°, whether a turn is as wide as the picture or a few of its columns."""
    page = open_streams(stream.address)
    strokes = page.evaluate("""async () => {
        const { SignalRing } = await import('./streams/charts/signal-ring.js');
        const { drawTrace } = await import('./streams/charts/trace.js');
        // Columns of pixels of which nine tenths are drawn.
        return [[180, 1], [Infinity, 1], [180, 20], [Infinity, 20]].map(([halfTurn, turns]) => {
            const ring = new SignalRing(1 << 15);
            ring.add(0, 0.01, null, Float32Array.from({ length: 20_000 }, (_, i) => (180 + i * 360 * turns / 20_000) % 360), 20_000);
            const context = Object.assign(document.createElement('canvas'), { width: 400, height: 100 }).getContext('2d');
            drawTrace(context, ring, 0, ring.total, { time: { origin: 0, scale: 2 }, value: { low: 0, high: 360, top: 0, height: 100, halfTurn }, gap: 1,
                column: 1, limit: 400, style: { color: '#000000', width: 1, gapColor: '#ffffff' } });
            const { data } = context.getImageData(0, 0, 400, 100);
            const filled = x => Array.from({ length: 100 }, (_, y) => data[4 * (400 * y + x) + 3] > 60).filter(Boolean).length;
            return Array.from({ length: 400 }, (_, x) => filled(x)).filter(rows => rows > 90).length;
        });
    }""")
    # A stroke is as wide as one pixel, or shared by two.
    assert strokes[0] == strokes[2] == 0 and 1 <= strokes[1] <= 2 and 20 <= strokes[3] <= 40, strokes
    half = """async channels => { const { halfTurnOf } = await import('./streams/charts/chart-channels.js');
        return channels.map(([name, unit, filter]) => halfTurnOf({ name, unit, filter })).map(turn => (turn === Infinity ? null : turn)); }"""
    angles = [["phone.alpha", "°"], ["phone.alpha", "deg"], ["a.b", "rad"], ["heading.degrees", ""], ["wind.azimuth", None], ["walk.longitude", None, "walk:smooth=1s"]]
    others = [["phone.alpha", ""], ["room.degrees", "°C"], ["rotation.z", "rad/s"], ["heading.degrees", "°", "heading:derivative=1s"], ["azimuth.x", None]]
    assert page.evaluate(half, angles) == pytest.approx([180, 180, 3.14159265, 180, 180, 180])
    assert page.evaluate(half, others) == [None] * len(others)


def test_keys_alone(open_streams, stream):
    page = open_streams(stream.address)
    wait_for_samples(page, 50)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the chart"
    page.keyboard.press("Enter")
    assert page.url.endswith("#key")
    expect(page.locator(".stage")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#kind")).to_have_text("Paused")
    page.keyboard.press("?")
    dialog = page.locator("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".stage")).to_be_focused()
    # All that can be pressed is reached, and shows where the focus is.
    reached, bare = set(), []
    for _ in range(80):
        page.keyboard.press("Tab")
        name, ring = page.evaluate("""() => { const node = document.activeElement, style = getComputedStyle(node);
            const frame = node.closest('.choices') ? getComputedStyle(node.closest('.choices')) : style;
            return [node.ariaLabel ?? node.id + node.textContent.slice(0, 20), frame.outlineStyle]; }""")
        if name == "Skip to the chart": break
        reached.add(name)
        if ring == "none" and page.evaluate("document.activeElement !== document.body"): bare.append(name)
    assert {"Go on from here", "Now", "Mark", "Say values", "Keys", "Earlier", "Later", "Show more time", "Show less time", "Only ecg.i", "filter-text", "mark-text"} <= reached
    assert bare == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["small", "low", "desktop"])
def test_how_it_looks(open_streams, size, scheme):
    with streaming(names=[f"ecg.{name}" for name in "i ii iii avr avl avf v1 v2 v3 v4 v5 v6".split()] + ["rhythm.ii"]) as server:
        server.began -= 15
        page = open_streams(server.address, viewport={"small": SMALL, "low": LOW, "desktop": DESKTOP}[size], color_scheme=scheme)
        wait_for_samples(page)
        issues = look(page, f"{size}-{scheme}-streams-1-live")
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        page.fill("#filter-text", "nonsense")
        page.locator("#filter-text").press("Enter")
        page.locator("#filter-text-fault").wait_for()
        page.fill("#filter-text", "ecg.ii:lowpass=40")
        page.locator("#filter-text").press("Enter")
        page.fill("#mark-text", "a cough")
        page.locator("#mark-text").press("Enter")
        page.locator(".marks li").wait_for()
        found = {"channel": "ecg.i", "time": 5, "value": 1, "seconds": 0}
        server.tell({"type": "events", "events": [{**found, "kind": "beats", "phase": "moment"}, {**found, "kind": "above", "phase": "begin"}]})
        page.locator(".found li").first.wait_for()
        focus_chart(page)
        page.wait_for_timeout(1000)
        page.keyboard.press(" ")
        page.keyboard.press("ArrowLeft")
        issues += look(page, f"{size}-{scheme}-streams-2-paused")
        page.keyboard.press("?")
        issues += look(page, f"{size}-{scheme}-streams-3-keys")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        assert issues == []


def test_less_motion(open_streams, stream):
    page = open_streams(stream.address, reduced_motion="reduce")
    wait_for_samples(page, 50)
    assert page.evaluate("wayreelChart.movement") == "sweep"


def test_damaged_messages(open_streams, stream):
    page = open_streams(stream.address)
    wait_for_samples(page, 50)
    for message in (b"", b"\x07" * 40, batch(1, [(0, 0, 0.004, [1, 2, 3])])[:30], "{", batch(2, [(77, 0, 0.004, [1])]), struct.pack("<BBHIdd", 1, 0, 9, 1, 0, 0)):
        stream.tell(message)
    expect(page.locator("#kind")).to_have_text("Fault")
    total = page.evaluate("wayreelChart.channels[0].ring.total")
    page.wait_for_function("total => wayreelChart.channels[0].ring.total > total + 100", arg=total)


# The sender

def override(page, *kinds):
    """Lets the device have sensors: a function that gives a reading of each."""
    client = page.context.new_cdp_session(page)
    for kind in kinds:
        client.send("Emulation.setSensorOverrideEnabled",
                    {"enabled": True, "type": kind, "metadata": {"available": True, "minimumFrequency": 1, "maximumFrequency": 60}})

    def read(x):
        for kind in kinds:
            client.send("Emulation.setSensorOverrideReadings", {"type": kind, "reading": {"xyz": {"x": x, "y": 1, "z": 9.5}}})
        page.wait_for_timeout(30)
    return read


def test_sensors_are_sent(open_streams, stream):
    page = open_streams(stream.address, "sensors?stream=walk#key", permissions=SENSORS, viewport=PHONE,
                        geolocation={"latitude": 35.28, "longitude": -120.66, "accuracy": 5})
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#status")).to_have_text("Choose a sensor first.")
    read = override(page, "accelerometer")
    page.get_by_label("Accelerometer").check()
    page.get_by_label("Microphone level").check()
    for index in range(10): read(index % 5)
    page.get_by_label("Position", exact=True).check()
    expect(page.locator("#strips")).to_be_visible()
    page.select_option("#rate", "20")
    page.get_by_label("Record it on the server").check()
    page.fill("#name", "no name!")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#name-fault")).to_contain_text("letters, digits")
    page.fill("#name", "walk")
    began = time.time()
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#status")).to_have_text("Sending, and recording")
    for index in range(60): read(index % 5)
    begin = stream.begun[0]
    names = [channel["name"] for channel in begin["channels"]]
    assert begin["record"] and begin["notation"] == "date" and stream.protocols[0] == ["wayreel-source", "bearer.key"]
    assert names[:3] == ["acceleration.x", "acceleration.y", "acceleration.z"] and names[-2:] == ["microphone.peak", "microphone.rms"]
    taken = {name: [(time, value) for channel, times, values in stream.samples if channel == index for time, value in zip(times, values)]
             for index, name in enumerate(names)}
    assert {value for _, value in taken["acceleration.x"]} <= {0, 1, 2, 3, 4} and {value for _, value in taken["acceleration.z"]} == {9.5}
    seconds = time.time() - began
    # At most 20 a second.
    assert 5 < len(taken["acceleration.x"]) <= 22 * seconds + 2 and 5 < len(taken["microphone.peak"]) <= 22 * seconds + 2
    assert all(began - 2 < time < began + seconds + 2 for time, _ in taken["acceleration.x"])
    # Chromium's microphone beeps: levels lie between silence and full scale, RMS is not above the peak.
    assert all(-120 <= value <= 0.1 for _, value in taken["microphone.peak"])
    assert all(rms <= peak + 1e-3 for (_, peak), (_, rms) in zip(taken["microphone.peak"], taken["microphone.rms"]))
    # A break: what is measured meanwhile comes later.
    before = len(taken["microphone.peak"])
    stream.break_off()
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('No connection')")
    wait_until(lambda: len(stream.begun) > 1)
    expect(page.locator("#status")).to_have_text("Sending, and recording")
    page.wait_for_timeout(500)
    peaks = [time for channel, times, _ in stream.samples if channel == len(names) - 2 for time in times]
    assert len(peaks) > before and all(b - a < 0.4 for a, b in zip(peaks, peaks[1:]))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#status")).to_have_text("Stopped")
    page.wait_for_timeout(300)
    sent = len(stream.samples)
    page.wait_for_timeout(300)
    assert len(stream.samples) == sent


def test_another_sender(open_streams, stream):
    page = open_streams(stream.address, "sensors#key", permissions=SENSORS)
    page.get_by_label("Microphone level").check()
    page.wait_for_selector("#strips:not([hidden])")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#status")).to_have_text("Sending")
    stream.break_off(4001)
    expect(page.locator("#status")).to_contain_text("Another device, or another tab")
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def test_what_is_missing(open_streams, stream):
    page = open_streams(stream.address, "sensors#key", arguments=("--disable-features=WebBluetooth",), whole=True)
    for label, words in [("Compass", "no compass"), ("Heart-rate belt", "no Web Bluetooth"), ("Gyroscope", "no gyroscope"),
                         ("Position", "did not allow the position"), ("Microphone level", "microphone")]:
        box = page.get_by_label(label, exact=label == "Position")
        box.click()
        fault = page.locator("li", has=box).locator(".fault")
        expect(fault).to_contain_text(words)
        expect(box).not_to_be_checked()


def test_heart_rate(open_streams, stream):
    """Messages of a belt, by the layout of the Bluetooth SIG: flags, rate of 8 or 16 bits, energy, intervals of 1/1024 s."""
    page = open_streams(stream.address, "sensors#key")
    read = """async bytes => { const { heartRate } = await import('./streams/device-sensors.js'); return heartRate(new DataView(new Uint8Array(bytes).buffer)); }"""
    assert page.evaluate(read, [0x00, 72]) == {"rate": 72, "intervals": []}
    assert page.evaluate(read, [0x16, 60, 0x00, 0x04, 0x00, 0x02]) == {"rate": 60, "intervals": [1, 0.5]}
    assert page.evaluate(read, [0x19, 0x2C, 0x01, 9, 9, 0x00, 0x01]) == {"rate": 300, "intervals": [0.25]}
    assert page.evaluate(read, [0x10, 60, 0x00]) == {"rate": 60, "intervals": []}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_how_the_sender_looks(open_streams, stream, scheme):
    page = open_streams(stream.address, "sensors#key", viewport=SMALL, color_scheme=scheme, permissions=SENSORS)
    issues = look(page, f"small-{scheme}-sensors-1-begin")
    read = override(page, "accelerometer")
    page.get_by_label("Accelerometer").check()
    for index in range(10): read(index % 5)
    page.get_by_label("Heart-rate belt").click()
    page.get_by_role("button", name="Send").click()
    for index in range(50): read(index % 5)
    issues += look(page, f"small-{scheme}-sensors-2-sending")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert issues == []


# Without a browser

def luminance(color):
    """The relative luminance of a colour `rrggbb` (WCAG 2.2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (byte / 255 for byte in bytes.fromhex(color))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colors_are_those_of_plots():
    """The colours of series in charts.css are those of streams in ChartTheme.swift, by day and by night."""
    theme = (ROOT / "Sources/WayreelDrawing/Charts/ChartTheme.swift").read_text()
    style = (ROOT / "Player/charts/charts.css").read_text()
    day, night = style.split("prefers-color-scheme: dark")
    for name, part in [("light", day), ("dark", night)]:
        declared = re.search(rf"static let {name} = ChartTheme\((.*?)\n\n", theme, re.S)[1]
        wanted = re.findall(r"0x([0-9A-Fa-f]{6})", re.search(r"streams: \[(.*?)\]", declared, re.S)[1])
        found = [color for _, color in sorted((int(number), color) for number, color in re.findall(r"--series-(\d+): #([0-9a-f]{6});", part))]
        assert len(found) == 16 and [color.lower() for color in wanted] == found, name
        # What is behind a filtered line: seen on the ground, with a contrast of 3 (WCAG 2.2, 1.4.11).
        faint, ground = (re.search(rf"--chart-{one}: #([0-9a-f]{{6}});", part)[1] for one in ("faint", "lane"))
        assert re.search(r"unfiltered: hex\(0x([0-9A-Fa-f]{6})\)", declared)[1].lower() == faint, name
        high, low = sorted(map(luminance, (faint, ground)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 3, name


# The program

@pytest.fixture
def program(tmp_path):
    """`wayreel streams view` of a recording: its address."""
    recording = tmp_path / "sines.csv"
    recording.write_text("time,stream,a,b\n" + "".join(f"{index / 100:.2f},test,{index % 50},{(index // 50) % 2}\n" for index in range(6000)))
    process = subprocess.Popen([os.environ["WAYREEL"], "streams", "view", str(recording), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    line = ""
    while "http://" not in line:
        line = process.stdout.readline()
        assert line, "the program has ended"
    yield re.search(r"http://\S+", line)[0]
    process.kill()
    process.wait()


def test_the_program(open_streams, program):
    page = open_streams(program, "")
    wait_for_samples(page, 50)
    assert page.evaluate("wayreelChart.lanes.map(({ name }) => name)") == ["test.a", "test.b"]
    page.wait_for_function("() => wayreelDelays.count > 10")
    page.fill("#filter-text", "test.a:mean=5")
    page.locator("#filter-text").press("Enter")
    page.wait_for_function("() => wayreelChart.lanes[0].channels.length === 2 && wayreelChart.lanes[0].channels[1].ring.total > 20")
    page.fill("#filter-text", "test.a:nonsense=5")
    page.locator("#filter-text").press("Enter")
    expect(page.locator("#filter-text-fault")).to_contain_text("nonsense")
    page.fill("#mark-text", "here")
    page.locator("#mark-text").press("Enter")
    expect(page.locator(".marks li")).to_have_count(1)
    page.get_by_role("button", name=re.compile("Remove “here”")).click()
    expect(page.locator(".marks li")).to_have_count(0)
    page.get_by_role("button", name="Pause the recording").click()
    expect(page.locator("#kind")).to_have_text("Recording")
    page.get_by_role("button", name="Play the recording").click()
    expect(page.locator("#kind")).to_have_text("Playing")
