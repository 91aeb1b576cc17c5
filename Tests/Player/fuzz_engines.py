"""Plays random stories and walks with both engines, Swift's and the player's page's, and compares all outcomes.

Of half of the cases the fixes are also played as a track, and what each meant to one event is compared: verdict, distances, votes, and what else
prevents the find. Some have a camera, of which the pinned images are compared (`wayreel goggles`), or a compass with a gyroscope (`wayreel streams`).

    scripts/fuzz-engines .build/release/wayreel --cases 1000 --seed 7
    scripts/fuzz-engines .build/release/wayreel --case .build/fuzz-engines/7.json

Case N of a run has the seed SEED + N. The first case in which the engines differ is reduced to a small story and few inputs, printed, and
saved with its seed; --case plays such a file again. Exit status: 0 the engines agree, 1 they differ, 2 wrong usage.
"""
import argparse, concurrent.futures, copy, itertools, json, math, os, pathlib, random, re, subprocess, sys, tempfile, time

from random_cases import Case, document_chapter, page_chapter
from random_sensors import PHOTOS, PINNED, png, some_camera, some_compass
from stand_in import chromium, serving

#: Metres, on the ground, within which positions agree, and within which distances do: these are rounded to centimetres.
POSITION, DISTANCE = 0.001, 0.0101
#: Pixels, relative to their number, and degrees.
PIXELS, DEGREES = 1e-6, 1e-6
#: A stay is measured from interpolated times, which are rounded to milliseconds.
SECONDS = 0.0011
#: The cases that the page plays at once.
BATCH = 50
METRES_PER_DEGREE = 111_320


def story(case, form):
    sections = [{"id": "bells", "name": "Bells", "items": [{"id": "bell", "name": "Bell"} | ({"images": [], "hidden": False} if form is page_chapter else {})]}]
    return {"id": "fuzz", "language": "en", "name": "Fuzz", "sections": sections, "chapters": [form(chapter) for chapter in case["chapters"]]}


def document(story):
    # Numbers in documents have no exponents.
    return re.sub(r"(?<=: )-?[\d.]+e-\d+", lambda number: f"{float(number[0]):.12f}", json.dumps({"story": story}, ensure_ascii=False))


def track(case):
    """The sound fixes, in the segments between which the signal was lost."""
    segments = [[]]
    for one in case["inputs"]:
        if "lost" in one: segments.append([])
        fix = one.get("fix")
        if fix and abs(fix["position"]["latitude"]) <= 90 and abs(fix["position"]["longitude"]) <= 180 \
                and 0 < fix.get("accuracy", 1) <= 1_000_000 and fix.get("speed", 0) >= 0:
            segments[-1].append(without(fix, "course"))
    return [segment for segment in segments if segment]


def gpx(segments):
    def point(fix):
        position = fix["position"]
        values = {"ele": position.get("altitude"), "time": fix["timestamp"], "accuracy": fix.get("accuracy"), "speed": fix.get("speed")}
        inside = "".join(f"<{name}>{value}</{name}>" for name, value in values.items() if value is not None)
        return f"""<trkpt lat="{position['latitude']:.9f}" lon="{position['longitude']:.9f}">{inside}</trkpt>"""
    return f"<gpx><trk>{''.join('<trkseg>' + ''.join(map(point, segment)) + '</trkseg>' for segment in segments)}</trk></gpx>"


class Swift:
    """The engine of the program: `wayreel play --live`, one process for each case."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        for name, size in (PHOTOS | PINNED).items(): pathlib.Path(folder, name).write_bytes(png(*size))

    def play(self, case):
        """Returns the outcomes, the numbers of the refused inputs, and what else was asked for; or a fault."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            path = os.path.join(folder, "story.yml")
            pathlib.Path(path).write_text(document(story(case, document_chapter)))
            found = self.walk(case, path, folder)
            if "fault" in found: return found
            try:
                if case["explained"] and track(case):
                    shown = self.output(["play", path, "--track", "-", "--explain", case["explained"], "--json"], gpx(track(case)))
                    found["decisions"] = json.loads(shown).get("explanation", [])
                if case["camera"]: found["sights"] = self.sights(case["camera"], case["seed"])
                if case["compass"]: found["headings"] = self.headings(case["compass"])
            except subprocess.CalledProcessError as error: return {"fault": f"exit status {error.returncode}: {error.stderr}"}
            return found

    def walk(self, case, document, folder):
        words = [self.program, "play", document, "--track", "-", "--live"]
        if case["pause"] is None: return self.session(words, case["inputs"])
        words += ["--journal", os.path.join(folder, "journal.sqlite")]
        pause = min(case["pause"], len(case["inputs"]))
        first = self.session(words, case["inputs"][:pause])
        if "fault" in first: return first
        second = self.session(words, case["inputs"][pause:])
        if "fault" in second: return second
        return {"outcomes": first["outcomes"] + second["outcomes"], "refused": first["refused"] + [number + pause for number in second["refused"]]}

    def sights(self, camera, seed):
        event = {"id": "goggles", "name": "G", "position": {"latitude": 0, "longitude": 0}, "activation": {"radius": 5}, "goggles": {"pins": camera["pins"]} | camera["scaling"]}
        path = os.path.join(self.folder, f"{seed}.yml")
        pathlib.Path(path).write_text(document({"id": "s", "language": "en", "name": "S", "chapters": [{"id": "c", "name": "C", "events": [event]}]}))
        words = ["goggles", os.path.join(self.folder, camera["photo"]), path, "--event", "goggles", "--json", "--no-labels"]
        words += ["--at", ",".join(f"{camera['position'][name]:.7f}" for name in ("latitude", "longitude", "altitude")), "--fov", str(camera["fieldOfView"])]
        for name in ("heading", "pitch", "roll"): words += [f"--{name}", str(camera[name])]
        return json.loads(self.output(words))["pins"]

    def headings(self, compass):
        names = {"rate": ("rotation", "z"), "degrees": ("heading", "degrees")}
        lines = "".join(json.dumps({"time": time, "stream": names[kind][0], "values": {names[kind][1]: value}}) + "\n" for time, kind, value in compass["readings"])
        filter = f"heading:gyro=rotation.z,scale=1,interval={compass['interval']}s,stable={compass['stable']}"
        shown = [json.loads(line) for line in self.output(["streams", "replay", "-", "--speed", "max", "--filter", filter], lines).split("\n")[:-1]]
        return [one["values"]["degrees"] for one in shown if one["stream"] == "heading"]

    def output(self, words, text=""):
        return subprocess.run([self.program, *words], input=text, capture_output=True, text=True, timeout=60, check=True).stdout

    def session(self, words, inputs):
        lines = "".join(json.dumps(one) + "\n" for one in inputs)
        try:
            done = subprocess.run(words, input=lines, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return {"fault": "no answer within a minute"}
        prefix = "error: standard input, line "
        refused, others = [], []
        for line in done.stderr.split("\n")[:-1]:
            refused.append(int(line.removeprefix(prefix).split(":")[0])) if line.startswith(prefix) else others.append(line)
        if others or done.returncode != (1 if refused else 0):
            return {"fault": f"exit status {done.returncode}: " + "\n".join(others)}
        return {"outcomes": [json.loads(line) for line in done.stdout.split("\n")[:-1]], "refused": refused}


class Page:
    """The engine of the player, in one page of Chromium."""

    def __init__(self, browser, address):
        self.page = browser.new_page()
        self.page.goto(address)

    def play(self, cases):
        played = [self.form(case) for case in cases]
        return self.page.evaluate("""async cases => {
            const { playAll } = await import('/repository/Tests/Player/fuzz_engines.js')
            return JSON.parse(JSON.stringify(playAll(JSON.parse(cases))))
        }""", json.dumps(played))

    @staticmethod
    def form(case):
        """A case as the page reads it."""
        made = {"story": story(case, page_chapter), "inputs": case["inputs"], "pause": case["pause"], "compass": case["compass"]}
        if case["explained"] and track(case): made["explained"] = {"event": case["explained"], "segments": track(case)}
        if camera := case["camera"]:
            width, height = PHOTOS[camera["photo"]]
            aspects = [PINNED[pin["source"]][1] / PINNED[pin["source"]][0] for pin in camera["pins"]]
            pins = [{"position": {name: pin[name] for name in ("latitude", "longitude", "altitude") if name in pin}, "size": pin["size"]} for pin in camera["pins"]]
            made["camera"] = camera | {"width": width, "height": height, "pins": pins, "aspects": aspects}
        return made


# Comparing

def is_same(a, b, key=""):
    if key == "position" and a and b:
        metres = math.hypot((a["latitude"] - b["latitude"]) * METRES_PER_DEGREE,
                            ((a["longitude"] - b["longitude"] + 180) % 360 - 180) * METRES_PER_DEGREE * math.cos(math.radians(a["latitude"])))
        return metres <= POSITION and a.get("altitude") == b.get("altitude")
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_same(a[name], b[name], name) for name in a)
    if key in ("distance", "seconds"):
        return abs(a - b) <= (DISTANCE if key == "distance" else SECONDS)
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def is_near(a, b, tolerance): return a == b or a is not None and b is not None and abs(a - b) <= tolerance


def is_turn(a, b): return abs((a - b + 180) % 360 - 180) <= DEGREES


VERDICTS = {"used": "used", "used-without-path": "used; its path is unknown", "distrusted": "not used: the first", "backwards": "not used: its time is not later"}
MEASURES = {"inaccurate": ("not used: accuracy ", " m"), "jump": ("not used: a jump of ", " m/s")}


def is_decision(one, other):
    """Whether a decision as `wayreel play --explain` prints it is that of the page."""
    verdict = other["verdict"]
    if verdict in MEASURES:
        before, after = MEASURES[verdict]
        is_verdict = one["fix"].startswith(before) and is_near(float(one["fix"].removeprefix(before).removesuffix(after)), other["value"], 0.501)
    else: is_verdict = one["fix"] == VERDICTS.get(verdict)
    return (is_verdict and all(is_near(one.get(name), other.get(name), DISTANCE + 0.005) for name in ("distance", "closest"))
            and [one[name] for name in ("timestamp", "accuracy", "votes", "inside", "found", "blockers")]
            == [other["timestamp"], other["accuracy"], other["votes"], other["isInside"], other["isFound"], [blocker["text"] for blocker in other["blockers"]]])


CULLED = {"behind": "behind the camera", "far": "beyond the maximum distance", "outside": "outside of the image",
          "huge": "so near that it would be more than four times as large as the image", "tiny": "smaller than a pixel"}


def is_sight(one, other):
    names = {"x": "x", "y": "y", "depth": "depth", "width": "size"}
    return (one["pin"] == other["pin"] and one.get("culled") == CULLED.get(other.get("hidden")) and is_near(one["distance"], other["distance"], POSITION)
            and (one["distance"] < POSITION or is_turn(one["bearing"], other["bearing"])) and ("rotation" in one) == ("lean" in other)
            and is_turn(one.get("rotation", 0), other.get("lean", 0))
            and all(is_near(one.get(name), other.get(its), PIXELS * max(1, abs(other.get(its, 0)))) for name, its in names.items()))


def difference(swift, page):
    """Returns the first difference in English, beginning with its kind, or None."""
    if "fault" in swift or "fault" in page:
        return f"faults\nthe program: {swift.get('fault', 'plays')}\nthe page:    {page.get('fault', 'plays')}"
    for kind, is_equal in (("outcomes", is_same), ("decisions", is_decision), ("sights", is_sight), ("headings", is_turn)):
        for number, (one, other) in enumerate(itertools.zip_longest(swift.get(kind) or [], page.get(kind) or [])):
            if one is None or other is None or not is_equal(one, other):
                return f"{kind} {number}\nthe program: {json.dumps(one, ensure_ascii=False)}\nthe page:    {json.dumps(other, ensure_ascii=False)}"
    if swift["refused"] != page["refused"]:
        return f"refused inputs\nthe program: {swift['refused']}\nthe page:    {page['refused']}"
    return None


# Reducing

def reductions(case):
    """Yields smaller cases, the boldest first."""
    def changed(**values): return {**case, **values}
    for name in ("explained", "camera", "compass"):
        if case[name]: yield changed(**{name: None})
    for name, list in (("camera", "pins"), ("compass", "readings")):
        size = len(case[name][list]) // 2 if case[name] else 0
        while size:
            for start in range(0, len(case[name][list]), size):
                yield changed(**{name: case[name] | {list: case[name][list][:start] + case[name][list][start + size:]}})
            size //= 2
    inputs = case["inputs"]
    size = len(inputs) // 2
    while size:
        for start in range(0, len(inputs), size):
            pause = case["pause"]
            if pause is not None and start < pause: pause = max(1, pause - min(size, pause - start))
            yield changed(inputs=inputs[:start] + inputs[start + size:], pause=pause)
        size //= 2
    if case["pause"] is not None: yield changed(pause=None)
    chapters = case["chapters"]
    for number, chapter in enumerate(chapters):
        def rewritten(**values): return changed(chapters=chapters[:number] + [{**chapter, **values}] + chapters[number + 1:])
        if len(chapters) > 1: yield changed(chapters=chapters[:number] + chapters[number + 1:])
        if chapter["order"] != "free": yield rewritten(order="free")
        for kind in ("events", "lockboxes"):
            parts = chapter[kind]
            for index, part in enumerate(parts):
                yield rewritten(**{kind: parts[:index] + parts[index + 1:]})
                for smaller in reduced_parts(part):
                    yield rewritten(**{kind: parts[:index] + [smaller] + parts[index + 1:]})
    for index, one in enumerate(inputs):
        [[kind, values]] = one.items()
        def simpler(values): return changed(inputs=inputs[:index] + [{kind: values}] + inputs[index + 1:])
        if "altitude" in values.get("position", {}): yield simpler({**values, "position": without(values["position"], "altitude")})
        for name in ("speed", "course", "accuracy", "file"):
            if name in values: yield simpler(without(values, name))


def without(values, name): return {key: value for key, value in values.items() if key != name}


def reduced_parts(part):
    """Yields simpler forms of an event or a lockbox."""
    for name in ("condition", "window"):
        if name in part: yield without(part, name)
    for smaller in reduced_conditions(part.get("condition")): yield {**part, "condition": smaller}
    if "window" in part:
        for name in part["window"].keys() - {"zone"}: yield {**part, "window": without(part["window"], name)}
    if part.get("trigger", "enter") != "enter": yield {**without(without(part, "seconds"), "code"), "trigger": "enter"}
    if "content" in part and part["content"] != {"scrapbook": [["text", "Words"]]}: yield {**part, "content": {"scrapbook": [["text", "Words"]]}}
    if part.get("hints"): yield {**part, "hints": []}
    for index in range(len(part.get("answers", [])) if len(part.get("answers", [])) > 1 else 0):
        yield {**part, "answers": part["answers"][:index] + part["answers"][index + 1:]}


def reduced_conditions(condition):
    if not condition: return
    [[kind, value]] = condition.items()
    if kind == "not":
        yield value
        for smaller in reduced_conditions(value): yield {kind: smaller}
    if kind in ("all", "any"):
        yield from value
        for index, part in enumerate(value):
            if len(value) > 1: yield {kind: value[:index] + value[index + 1:]}
            for smaller in reduced_conditions(part): yield {kind: value[:index] + [smaller] + value[index + 1:]}


def is_whole(case):
    """Whether all references lead to something, so that the story can be played."""
    events = {event["id"] for chapter in case["chapters"] for event in chapter["events"]}
    boxes = {box["id"] for chapter in case["chapters"] for box in chapter["lockboxes"]}
    def holds(condition):
        if not condition: return True
        [[kind, value]] = condition.items()
        match kind:
            case "found": return value in events
            case "opened": return value in boxes
            case "not": return holds(value)
            case "all" | "any": return all(holds(part) for part in value)
            case _: return True
    return bool(events or boxes) and case["explained"] in events | {None} and all(holds(event.get("condition")) for chapter in case["chapters"] for event in chapter["events"])


def reduced(case, compare, seconds=60):
    """Reduces a case as long as the engines differ in something of the same kind."""
    end = time.monotonic() + seconds
    kind = compare(case).split()[0]
    is_smaller = True
    while is_smaller and time.monotonic() < end:
        is_smaller = False
        for smaller in reductions(case):
            if time.monotonic() > end: break
            if is_whole(smaller) and (found := compare(smaller)) and found.split()[0] == kind:
                case, is_smaller = smaller, True
                break
    return case


# Running

def plain(case):
    """A case as JSON holds it; some with an event that is explained, a camera or a compass."""
    dice = random.Random(f"sensors {case.seed}")
    events = [event["id"] for chapter in case.chapters for event in chapter["events"]]
    return json.loads(json.dumps({
        "seed": case.seed, "chapters": case.chapters, "inputs": case.inputs, "pause": case.pause,
        "explained": dice.choice(events) if events and dice.random() < 0.5 else None,
        "camera": some_camera(dice) if dice.random() < 0.25 else None, "compass": some_compass(dice) if dice.random() < 0.2 else None}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wayreel")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="that of the first case; by default the time, in seconds")
    parser.add_argument("--case", metavar="FILE", help="play only this saved case")
    parser.add_argument("--keep-going", action="store_true", help="report all cases that differ, and reduce only the first")
    parser.add_argument("--folder", default=".build/fuzz-engines", help="for the cases that differ")
    arguments = parser.parse_args()
    seed = int(time.time()) if arguments.seed is None else arguments.seed
    folder = pathlib.Path(arguments.folder)
    with tempfile.TemporaryDirectory() as scratch, serving() as server, chromium() as browser, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        swift, page = Swift(os.path.abspath(arguments.wayreel), scratch), Page(browser, server.address)
        compare = lambda case: difference(swift.play(case), page.play([case])[0])
        if arguments.case:
            case = dict.fromkeys(["explained", "camera", "compass"]) | json.loads(pathlib.Path(arguments.case).read_text())
            found = compare(case)
            print(found or "the engines agree")
            return 1 if found else 0
        print(f"fuzz-engines: {arguments.cases} cases, seed {seed}", flush=True)
        begin, kinds, differing = time.monotonic(), {}, []
        for first in range(0, arguments.cases, BATCH):
            cases = [plain(Case(seed + number)) for number in range(first, min(first + BATCH, arguments.cases))]
            futures = [pool.submit(swift.play, case) for case in cases]
            for case, mine, future in zip(cases, page.play(cases), futures):
                theirs = future.result()
                for outcome in theirs.get("outcomes", []): kinds[outcome["outcome"]] = kinds.get(outcome["outcome"], 0) + 1
                if not (found := difference(theirs, mine)): continue
                print(f"seed {case['seed']}: {found}", flush=True)
                differing.append(case)
            if differing and not arguments.keep_going: break
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda item: -item[1]))
        print(f"fuzz-engines: {time.monotonic() - begin:.0f} s, {len(differing)} differ; {counts}")
        if not differing: return 0
        small = reduced(copy.deepcopy(differing[0]), compare)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{small['seed']}.json"
        path.write_text(json.dumps(small, ensure_ascii=False, indent=1) + "\n")
        print(f"reduced to {sum(len(chapter['events']) for chapter in small['chapters'])} events and {len(small['inputs'])} inputs, saved as {path}:")
        print(json.dumps(small, ensure_ascii=False))
        print(compare(small))
        return 1


if __name__ == "__main__":
    sys.exit(main())
