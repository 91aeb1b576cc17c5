"""The visualizer is in step with the sound."""
from playing import EVENTS, go, journal, remember


def correlation(first, second):
    n = len(first)
    mean_a, mean_b = sum(first) / n, sum(second) / n
    cov = sum((a - mean_a) * (b - mean_b) for a, b in zip(first, second))
    var = sum((a - mean_a) ** 2 for a in first) * sum((b - mean_b) ** 2 for b in second)
    return cov / var ** 0.5 if var else 0


def interpolated(times, values, at):
    import bisect
    index = min(max(bisect.bisect(times, at), 1), len(times) - 1)
    span = times[index] - times[index - 1]
    share = (at - times[index - 1]) / span if span else 0
    return values[index - 1] + (values[index] - values[index - 1]) * min(max(share, 0), 1)


def lag(samples):
    """Returns the delay in milliseconds of the drawing behind the sound, at which their envelopes correlate best."""
    times = [sample[0] for sample in samples]
    heard = [sample[1] for sample in samples]
    drawn = [sample[2] for sample in samples]
    best = max(range(-150, 151, 2), key=lambda shift: correlation(
        [interpolated(times, heard, time - shift) for time in times[20:-20]], drawn[20:-20]))
    return best


# Records the played level from an AnalyserNode on the page's audio element, and the level that the visualizer drew in
# the same frame.
LISTEN = """async seconds => {
    const canvas = document.querySelector('canvas.visualizer'), { visualizer } = canvas, { audio } = visualizer;
    const context = new AudioContext(), analyser = new AnalyserNode(context, { fftSize: 512 });
    const source = context.createMediaElementSource(audio);
    source.connect(analyser).connect(context.destination);
    await context.resume();
    audio.currentTime = 8;
    await audio.play();
    await new Promise(resolve => setTimeout(resolve, 1500));
    const wave = new Float32Array(512), samples = [];
    const end = performance.now() + seconds * 1000;
    await new Promise(resolve => {
        const look = () => {
            analyser.getFloatTimeDomainData(wave);
            const peak = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-4);
            // The middle of the 512 samples lies half their time back.
            const middle = performance.now() - 256 / context.sampleRate * 1000;
            const { levels } = visualizer;
            const drawn = Math.max(...levels.channels.map(channel => levels.share(channel, visualizer.drawnTime, -60)));
            samples.push([middle, Math.max(0, 1 + 20 * Math.log10(peak) / 60), drawn]);
            if (performance.now() < end) requestAnimationFrame(look); else resolve();
        };
        requestAnimationFrame(look);
    });
    audio.pause();
    return samples;
}"""


def test_the_visualizer_is_in_step_with_the_sound(open_player):
    page = open_player(arguments=("--autoplay-policy=no-user-gesture-required",))
    remember(page, journal(EVENTS[:4]))
    go(page, "#/late-post/event/breakfast-tape")
    page.wait_for_function("() => document.querySelector('canvas.visualizer')?.visualizer.levels")
    samples = page.evaluate(LISTEN, 10)
    milliseconds = lag(samples)
    print(f"the drawing is {milliseconds} ms after the sound, by {len(samples)} frames")
    assert abs(milliseconds) <= 20


def test_speed_and_seeking(open_player):
    page = open_player()
    remember(page, journal(EVENTS[:4]))
    go(page, "#/late-post/event/breakfast-tape")
    page.wait_for_function("() => document.querySelector('audio').duration > 0")
    page.select_option(".speed", "2")
    page.focus(".timeline input")
    page.evaluate("document.querySelector('audio').muted = true")
    page.click(".play")
    page.wait_for_timeout(2000)
    time = page.evaluate("document.querySelector('audio').currentTime")
    assert 2.5 < time < 4.6
    page.click('button[aria-label="Forward 10 seconds"]')
    page.wait_for_timeout(200)
    assert page.evaluate("document.querySelector('audio').currentTime") > time + 9.5
    assert page.evaluate("navigator.mediaSession.metadata.title") != ""
    page.click(".play")
    assert page.evaluate("document.querySelector('audio').paused")
