"""The needles of the radio: the movement of a VU meter, and the levels that it is applied to."""
from stand_in import evaluated, expect, run


def step_response(rate):
    return evaluated("""async rate => {
        const { vuMovement } = await import('/views/vu-movement.js')
        return [...vuMovement(new Array(2 * rate).fill(0.5), rate)].map(shown => shown / 0.5)
    }""", rate)


def test_a_step_as_iec_60268_17_says():
    """99 % of the steady reading in 300 ms ± 10 %, and an overshoot of 1 to 1.5 %."""
    shown = step_response(1000)
    rise = next(index for index, value in enumerate(shown) if value >= 0.99) + 1
    expect(270 <= rise <= 330, rise)
    expect(1.010 <= max(shown) <= 1.015, max(shown))
    expect(abs(shown[-1] - 1) < 1e-4, shown[-1])


def test_the_rate_of_readings_does_not_matter():
    fine, coarse = step_response(1000), step_response(20)
    expect(all(abs(value - fine[50 * index + 49]) < 1e-5 for index, value in enumerate(coarse)))


def positions(members, channel):
    return evaluated("""async ([members, channel]) => {
        const { Levels } = await import('/story/levels.js')
        const { needlePositions } = await import('/views/needle-meters.js')
        const levels = new Levels({ schema: 'wayreel.levels', version: 1, rate: 10, duration: 1, floor: -160, ...members, channels: [{ name: 'mono', ...channel }] })
        return [...needlePositions(levels, levels.channels[0])]
    }""", [members, channel])


def near(values, expected, tolerance=1e-6):
    expect(len(values) == len(expected) and all(abs(a - b) < tolerance for a, b in zip(values, expected)), values)


def test_levels_of_a_meter_are_shown_as_they_are():
    """From -48 dBFS at 0 to 0 dBFS at 1, as in the strip."""
    channel = {"meter": [-160, -48, -36, 0, -12], "peak": [0] * 5, "rms": [-24] * 5, "hold": [0] * 5}
    near(positions({"meter": "ppm2"}, channel), [0, 0, 0.25, 1, 0.75])


def test_other_levels_move_as_a_vu_meter():
    """A steady RMS of -24 dBFS is reached slowly, and overshot; the peaks are not used."""
    for members, channel in (({"meter": "peak"}, {"meter": [0] * 10}), ({}, {})):
        shown = positions(members, {**channel, "peak": [0] * 10, "rms": [-24] * 10})
        expect(shown[0] < 0.4 and shown[2] < 0.5 < shown[4], shown)
        near(shown[-1:], [0.5], 1e-3)
    near(positions({}, {"peak": [-24] * 20})[-1:], [0.5], 1e-3)


if __name__ == "__main__":
    run(globals())
