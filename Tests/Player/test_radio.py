"""The visualizer shows what the levels say for the time of the sound, and is in step with it."""
import json
import pytest
import radio_lag
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
    source = event["content"]["tracks"][0]["audio"]["source"]
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
        readings = [next(channel[name] for name in ("meter", "peak", "rms") if name in channel) for channel in levels["channels"]]
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


def test_the_visualizer_is_in_step_with_the_sound(open_player):
    """Within 20 ms of what an analyser hears, and the drawings are as many as make motion."""
    page = open_radio(open_player, arguments=("--autoplay-policy=no-user-gesture-required", "--mute-audio"))
    run = page.evaluate(radio_lag.LISTEN, 8)
    lag = radio_lag.lag(run)
    print(f"The visualizer is drawn {lag:.1f} ms after the sound, by {len(run['samples'])} drawings in 8 s.")
    assert abs(lag) < 20
    assert len(run["samples"]) > 8 * 10


def test_levels_that_are_late_are_noticed(open_player, levels):
    """The measure itself: readings that come 100 ms too late are drawn 100 ms after their sound."""
    late = int(levels["rate"] / 10)
    channels = [{name: value[:1] * late + value if isinstance(value, list) else value for name, value in channel.items()}
                for channel in levels["channels"]]

    def prepare(page):
        page.route("**/media/**/*.json", lambda route: route.fulfill(json={**levels, "channels": channels}))
    page = open_radio(open_player, prepare=prepare, arguments=("--autoplay-policy=no-user-gesture-required", "--mute-audio"))
    lag = radio_lag.lag(page.evaluate(radio_lag.LISTEN, 4))
    assert lag == pytest.approx(100, abs=20)


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
