"""How far the drawing of a visualizer is from what sounds: in milliseconds, by two envelopes. `make bench-player` prints it."""
import bisect


def correlation(first, second):
    n = len(first)
    mean_a, mean_b = sum(first) / n, sum(second) / n
    cov = sum((a - mean_a) * (b - mean_b) for a, b in zip(first, second))
    var = sum((a - mean_a) ** 2 for a in first) * sum((b - mean_b) ** 2 for b in second)
    return cov / var ** 0.5 if var else 0


def interpolated(times, values, at):
    index = min(max(bisect.bisect(times, at), 1), len(times) - 1)
    span = times[index] - times[index - 1]
    share = (at - times[index - 1]) / span if span else 0
    return values[index - 1] + (values[index] - values[index - 1]) * min(max(share, 0), 1)


def lag(samples):
    """Milliseconds by which the drawing is later than the sound: where the two envelopes correlate best."""
    times = [sample[0] for sample in samples]
    heard = [sample[1] for sample in samples]
    drawn = [sample[2] for sample in samples]
    best = max(range(-150, 151, 2), key=lambda shift: correlation(
        [interpolated(times, heard, time - shift) for time in times[20:-20]], drawn[20:-20]))
    return best


# What sounds, by an AnalyserNode on the page's own audio element, beside what the visualizer has drawn in the same frame.
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
