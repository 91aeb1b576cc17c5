"""What the base map of Helsinki's centre costs: `scripts/player-python python Tests/Player/ground_figures.py` prints it as a table."""
import json, math, statistics

import on_ground, stand_in

SECONDS = 6
SIZE = (390, 844)

#: Turns the device to and fro, as somebody does who looks around, 30 times a second.
TURN = """() => {
    let step = 0;
    window.turning = setInterval(() => dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
        { alpha: 300 + 60 * Math.sin(step += 0.04), beta: 0, gamma: 0, absolute: true })), 33);
}"""


def frames(trace):
    """Milliseconds that the page's thread works in each frame of a trace: all of its tasks from one frame's beginning to the next one's.

    These are those of the thread's own clock, which stands still while other programs have the processor.
    """
    events = json.loads(trace)["traceEvents"]
    threads = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name" and event["args"].get("name") == "CrRendererMain"}
    begins = {}
    for event in events:
        if event["name"] == "Commit" and (event["pid"], event["tid"]) in threads:
            begins.setdefault((event["pid"], event["tid"]), []).append(event["ts"])
    thread = max(begins, key=lambda key: len(begins[key]))
    starts = sorted(begins[thread])
    times = [0.0] * len(starts)
    tasks = sorted((event["ts"], event["dur"], event.get("tdur", 0)) for event in events
                   if event["name"] == "RunTask" and (event["pid"], event["tid"]) == thread and "dur" in event)
    index = 0
    for at, duration, work in tasks:
        # The frame that begins within a task is the task's.
        while index + 1 < len(starts) and starts[index + 1] <= at + duration: index += 1
        if at + duration >= starts[0]: times[index] += work / 1000
    return times[1:-1]


def share(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(len(values) * part) - 1)]


def turning(browser, server, slowed=4, tilted=False, size=SIZE):
    """`{p50, p95, frames, pictures, drawing}` while the player turns and walks: milliseconds of the page's thread, and per second."""
    context = on_ground.context(browser, size, device_scale_factor=3)
    try:
        page = on_ground.open_map(context, server)
        if tilted: page.click(".map-tools button:nth-child(2)")
        page.wait_for_timeout(1000)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        page.evaluate(TURN)
        page.evaluate("""() => {
            const { ground } = document.querySelector('.ground-layer > canvas');
            window.pictures = [];
            const took = ground.took.bind(ground);
            ground.took = picture => { window.pictures.push(performance.now()); took(picture); };
        }""")
        page.wait_for_timeout(500)
        browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"])
        start = page.evaluate("performance.now()")
        for second in range(SECONDS):
            context.set_geolocation({**on_ground.PLACE, "latitude": on_ground.PLACE["latitude"] + second * 1.3e-5})
            page.wait_for_timeout(1000)
        elapsed = (page.evaluate("performance.now()") - start) / 1000
        trace = browser.stop_tracing()
        pictures = [time for time in page.evaluate("window.pictures") if time >= start]
        times = frames(trace)
        return {"p50": statistics.median(times), "p95": share(times, 0.95), "frames": len(times) / elapsed, "pictures": len(pictures) / elapsed}
    finally:
        context.close()


def first_map(browser, server, slowed=1):
    """Milliseconds from the tap on a chapter's map until its ground is there whole: the middle of five, each with an empty cache."""
    results = []
    for _ in range(5):
        context = on_ground.context(browser, SIZE)
        page = context.new_page()
        page.goto(f"{server.address}#/quiz-and-camera")
        page.wait_for_selector("h1")
        page.wait_for_timeout(500)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        start = page.evaluate("hash => { const start = performance.now(); location.hash = hash; return start; }", on_ground.HASH)
        page.wait_for_function("() => performance.getEntriesByName('wayreel-ground').length > 0")
        results.append(page.evaluate("performance.getEntriesByName('wayreel-ground')[0].startTime") - start)
        context.close()
    return statistics.median(results)


def table(browser):
    """The rows of a table in Markdown."""
    with on_ground.serving() as server:
        yield "| The base map of Helsinki's centre | page's thread in a frame, median | 95 % within | frames | pictures of the ground |\n|---|---|---|---|---|"
        for name, slowed, tilted in [("from above", 1, False), ("tilted", 1, True), ("from above, 4 × slowed CPU", 4, False), ("tilted, 4 × slowed CPU", 4, True)]:
            figures = turning(browser, server, slowed, tilted)
            yield f"| {name} | {figures['p50']:.1f} ms | {figures['p95']:.1f} ms | {figures['frames']:.0f}/s | {figures['pictures']:.0f}/s |"
        yield f"\nThe first map is there {first_map(browser, server):.0f} ms after its chapter was opened, {first_map(browser, server, 4):.0f} ms at 4 × slowed CPU."


if __name__ == "__main__":
    with stand_in.chromium() as chromium:
        for row in table(chromium): print(row, flush=True)
