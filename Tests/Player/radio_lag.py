"""How far the drawing of a visualizer is from what sounds, in milliseconds. A test limits it, and `make bench-player` prints it.

What sounds is read by an AnalyserNode on the page's own audio element, whenever the visualizer has drawn. The time of that sound comes
from the prepared levels: it is where they are most like what is heard. Both are compared over the media's own clock, so that a frame that
comes late, as on a busy machine, does not count as a drawing that is late.
"""
import statistics


def correlation(first, second):
    n = len(first)
    mean_a, mean_b = sum(first) / n, sum(second) / n
    cov = sum((a - mean_a) * (b - mean_b) for a, b in zip(first, second))
    var = sum((a - mean_a) ** 2 for a in first) * sum((b - mean_b) ** 2 for b in second)
    return cov / var ** 0.5 if var else 0


def level(levels, seconds):
    """The level at a time, between the middles of two readings."""
    at = min(max(seconds * levels["rate"] - 0.5, 0), len(levels["shares"]) - 1.001)
    index = int(at)
    return levels["shares"][index] + (levels["shares"][index + 1] - levels["shares"][index]) * (at - index)


def lag(run):
    """Milliseconds by which drawings are older than the sound: the median of a run of LISTEN."""
    levels, samples = run["levels"], run["samples"]
    heard = [sample["heard"] for sample in samples]
    ahead = max(range(-200, 201), key=lambda shift: correlation(
        heard, [level(levels, sample["media"] + shift / 1000) for sample in samples]))
    return statistics.median((sample["media"] - sample["drawn"]) * 1000 + ahead for sample in samples)


# `media` is the time of the media in the middle of what is heard, `drawn` that of the drawing, both in seconds.
LISTEN = """async seconds => {
    const { visualizer } = document.querySelector('canvas.visualizer'), { audio, levels } = visualizer;
    const context = new AudioContext(), analyser = new AnalyserNode(context, { fftSize: 512 });
    context.createMediaElementSource(audio).connect(analyser).connect(context.destination);
    await context.resume();
    audio.currentTime = 8;
    await audio.play();
    await new Promise(resolve => setTimeout(resolve, 1000));
    const wave = new Float32Array(512), samples = [], end = audio.currentTime + seconds;
    const { draw } = visualizer.constructor.prototype;
    await new Promise(resolve => {
        visualizer.draw = () => {
            draw.call(visualizer);
            analyser.getFloatTimeDomainData(wave);
            const now = audio.currentTime;
            const peak = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-4);
            samples.push({ media: now - 256 / context.sampleRate, heard: Math.max(0, 1 + 20 * Math.log10(peak) / 60), drawn: visualizer.drawnTime });
            if (now > end || audio.ended) resolve();
        };
    });
    delete visualizer.draw;
    audio.pause();
    const shares = Array.from({ length: levels.count }, (_, index) =>
        Math.max(...levels.channels.map(channel => levels.share(channel, (index + 0.5) / levels.rate, -60))));
    return { samples, levels: { rate: levels.rate, shares } };
}"""
