"""The visualizer shows what the levels say for the time of the sound. How late a drawing is, `make bench-player` measures."""
import json
import pytest
from playing import EVENTS, go, journal, remember

LOWEST = -48  # dBFS at the bottom of the visualizer.


def open_radio(open_player, **options):
    page = open_player(**options)
    remember(page, journal(EVENTS[:4]))
    go(page, "#/late-post/event/breakfast-tape")
    page.wait_for_function("() => document.querySelector('canvas.visualizer')?.visualizer.levels && document.querySelector('audio').duration > 0")
    return page


@pytest.fixture
def levels():
    """The document that `wayreel prepare` made for the sound."""
    import urllib.request
    from conftest import ADDRESS
    bundle = f"{ADDRESS}v1/stories/late-post/"
    read = lambda address: json.load(urllib.request.urlopen(address))
    event = next(event for chapter in read(bundle[:-1])["chapters"] for event in chapter["events"] if event["id"] == "breakfast-tape")
    source = event["content"]["radio"]["_0"]["tracks"][0]["audio"]["source"]
    path = next(entry["path"] for entry in read(f"{bundle}manifest.json")["media"] if entry["source"] == source and entry["role"] == "levels")
    return read(bundle + path)


def test_the_visualizer_shows_the_level_at_the_sounds_time(open_player, levels):
    """At each of some times, the shares that are drawn are those of the reading in whose time the sound is."""
    page = open_radio(open_player)
    for time in [0, 0.4, 1.3, 2.72, 5.01, 9.99]:
        drawn = page.evaluate("""time => new Promise(resolve => {
            const { visualizer } = document.querySelector('canvas.visualizer'), { audio } = visualizer;
            audio.addEventListener('seeked', () => requestAnimationFrame(() => resolve([audio.currentTime, visualizer.drawnTime,
                visualizer.levels.channels.map(channel => visualizer.levels.share(channel, visualizer.drawnTime, -48))])), { once: true });
            audio.currentTime = time;
        })""", time)
        assert drawn[0] == drawn[1] and abs(drawn[0] - time) < 0.05
        readings = [next(channel[name] for name in ("peak", "level", "rms") if name in channel) for channel in levels["channels"]]
        expected = [min(max(1 - reading[int(drawn[0] * levels["rate"])] / LOWEST, 0), 1) for reading in readings]
        assert drawn[2] == pytest.approx(expected, abs=1e-6)


def test_each_frame_draws_the_time_of_the_sound(open_player):
    """Whatever the frames a second are: what was drawn by the next frame is no older than the sound's time in this one."""
    page = open_radio(open_player, arguments=("--autoplay-policy=no-user-gesture-required", "--mute-audio"))
    times = page.evaluate("""async () => {
        const { visualizer } = document.querySelector('canvas.visualizer'), { audio } = visualizer;
        await audio.play();
        const seen = [];
        while (seen.length < 60) {
            await new Promise(requestAnimationFrame);
            seen.push([audio.currentTime, visualizer.drawnTime]);
        }
        audio.pause();
        return seen;
    }""")
    assert times[-1][0] > times[0][0]
    late = [(now, drawn) for (before, _), (now, drawn) in zip(times, times[1:]) if not before <= drawn <= now]
    assert late == []


def test_speed_and_seeking(open_player):
    page = open_radio(open_player)
    page.select_option(".speed", "2")
    page.focus(".timeline input")
    page.evaluate("document.querySelector('audio').muted = true")
    page.click(".play")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0.5")
    assert page.evaluate("document.querySelector('audio').playbackRate") == 2
    assert page.evaluate("navigator.mediaSession.metadata.title") != ""
    page.click(".play")
    assert page.evaluate("document.querySelector('audio').paused")
    time = page.evaluate("document.querySelector('audio').currentTime")
    page.click('button[aria-label="Forward 10 seconds"]')
    assert page.evaluate("document.querySelector('audio').currentTime") == pytest.approx(time + 10, abs=0.1)
