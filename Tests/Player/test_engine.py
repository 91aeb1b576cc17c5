"""Plays all files of Tests/Conformance in Chromium: the player's engine makes the same decisions as Swift's."""
import json, re

from stand_in import ROOT, evaluated, expect, run

READ = "path => fetch('/repository/Tests/Conformance/' + path).then(answer => answer.json())"


def test_walks():
    names = sorted(file.name for file in (ROOT / "Tests/Conformance/walks").glob("*.json"))
    expect(len(names) > 30, names)
    complaints = evaluated(f"""async names => {{
        const {{ checkWalk }} = await import('/repository/Tests/Player/conformance.js')
        const read = {READ}
        return (await Promise.all(names.map(name => checkWalk(name, read)))).flat()
    }}""", names)
    expect(complaints == [], "\n".join(complaints))


def test_parts():
    complaints = evaluated(f"""async () => {{
        const {{ checkParts }} = await import('/repository/Tests/Player/conformance.js')
        return checkParts({READ})
    }}""")
    expect(complaints == [], "\n".join(complaints))


def test_documented_rules():
    """The table in Documentation/playback.md has the defaults of rules.json."""
    rules = json.loads((ROOT / "Tests/Conformance/rules.json").read_text())
    documented = {}
    for line in (ROOT / "Documentation/playback.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 4: continue
        for name, value in zip(re.findall(r"`(\w+)`", cells[1]), re.findall(r"[\d.]+", cells[2])):
            if name in rules: documented[name] = float(value)
    expect(documented == rules, f"{documented} instead of {rules}")


def test_goggles():
    """The expected values were computed with GeographicLib, pymap3d and OpenCV's projectPoints."""
    seen = evaluated("""async () => {
        const { CameraPose, sights } = await import('/engine/camera-pose.js')
        const { localVector } = await import('/engine/geodesic.js')
        const position = { latitude: 35.3050, longitude: -120.6625, altitude: 100 }, target = { latitude: 35.3068, longitude: -120.6610, altitude: 110 }
        const pose = new CameraPose({ position, heading: 30, pitch: 5, roll: 3, fieldOfView: 60, width: 1920, height: 1080 })
        const pins = [target, { latitude: 35.30, longitude: -120.67, altitude: 110 }].map(position => ({ position, size: 10 }))
        return { ...pose.projection(target), focalLength: pose.focalLength, vector: localVector(position, target),
          hidden: sights({ pins }, pose).map(sight => sight.hidden ?? 'seen'), far: sights({ pins, maxDistance: 200 }, pose)[0].hidden,
          order: sights({ pins: [...pins, ...pins] }, pose).map(sight => sight.pin) }
    }""")
    near = lambda value, wanted, tolerance: expect(abs(value - wanted) <= tolerance, f"{value} is not {wanted}")
    near(seen["x"], 1089.954, 0.001); near(seen["y"], 609.575, 0.001); near(seen["focalLength"], 1662.7688, 0.0001)
    near(seen["vector"]["east"], 136.4215, 0.0001); near(seen["vector"]["north"], 199.7076, 0.0001); near(seen["vector"]["up"], 9.9954, 0.0001)
    expect(seen["hidden"] == ["seen", "behind"] and seen["far"] == "far", seen)
    expect(seen["order"] == [0, 2, 1, 3], f"of two at one place the later one is in front, as `wayreel goggles` draws them: {seen['order']}")


def test_compass():
    """The heading of a turning device stays within 6°.

    The device turns by 20° a second, its compass jitters by ±8°, and its gyroscope drifts by 0.5° a second. Corrections
    are means of 20 readings with a standard deviation of 1°, and the drift between them is 1°.
    """
    worst = evaluated("""async () => {
        const { GyroCompass } = await import('/engine/gyro-compass.js')
        const { turnDegrees } = await import('/engine/geodesic.js')
        const compass = new GyroCompass({ stable: 10 })
        let worst = 0, random = 1
        compass.gyroscope(20.5, 0)
        compass.compass(350, 0)
        for (let step = 1; step < 2000; step++) {
          const seconds = step / 50, true_ = 350 + 20 * seconds
          random = random * 48271 % 2147483647
          const shown = step % 5 ? compass.gyroscope(20.5, seconds) : compass.compass((true_ + (random / 2147483647 - 0.5) * 16) % 360, seconds)
          worst = Math.max(worst, Math.abs(turnDegrees(shown - true_)))
        }
        return worst
    }""")
    expect(worst < 6, worst)


def test_stories_that_cannot_be_played():
    faults = evaluated("""async () => {
        const { Playback, StoryError } = await import('/engine/playback.js')
        const event = (id, more = {}) => ({ id, name: id, position: { latitude: 1, longitude: 2 }, activation: { radius: 10, trigger: 'enter' },
          content: { type: 'scrapbook', items: [] }, ...more })
        const story = (...events) => ({ id: 's', chapters: [{ id: 'c', order: 'free', lockboxes: [], events }] })
        const stories = {
          twice: story(event('a'), event('a')), asks: story(event('a', { condition: { type: 'found', event: 'b' } })),
          zone: story(event('a', { window: { zone: 'Mars/Olympus', days: [] } })), far: story(event('a', { position: { latitude: 91, longitude: 0 } })),
          wide: story(event('a', { activation: { radius: Infinity, trigger: 'enter' } })), unknown: story(event('a', { condition: { type: 'perhaps' } })),
          fine: story(event('__proto__'), event('constructor', { condition: { type: 'found', event: '__proto__' } })),
        }
        return Object.entries(stories).map(([name, value]) => {
          try { new Playback(value); return `${name}: fine` } catch (error) { return `${name}: ${error instanceof StoryError}` }
        })
    }""")
    expect(faults == ["twice: true", "asks: true", "zone: true", "far: true", "wide: true", "unknown: true", "fine: fine"], faults)


def test_stories_of_version_1():
    """A device may keep a story as of version 1."""
    fixture = lambda version: json.loads((ROOT / f"Tests/Fixtures/version-{version}/story.json").read_text())
    read = """async story => {
        const { currentStory } = await import('/story/story-format.js')
        const { Playback } = await import('/engine/playback.js')
        const current = currentStory(story)
        new Playback(current)
        return current
    }"""
    for story in [fixture(1), fixture(1) | {"version": 1}, fixture(2)]:
        expect(evaluated(read, story) == fixture(2), story.get("version"))


def test_texts_without_markup():
    """A question with markup is asked in plain words, as by Swift's engine."""
    link = lambda address, *words: {"type": "link", "href": address, "of": list(words)}
    question = [
        {"type": "paragraph", "of": ["Ring ", {"type": "strong", "of": ["once, ", {"type": "emphasis", "of": ["twice"]}]}, " or"]},
        {"type": "list", "start": 9, "items": [[{"type": "paragraph", "of": ["thrice"]}], [{"type": "paragraph", "of": ["four"]}, {"type": "list", "items": [[]]}]]},
        {"type": "quote", "of": [{"type": "paragraph", "of": [link("https://a.example", "See"), " ", link("https://a.example", "https://a.example")]},
                                 {"type": "paragraph", "of": [link("mailto:a@b.example", "a@b.example"), link("tel:1", "1"), link("geo:1", "2")]}]}]
    outcomes = evaluated("""async question => {
        const { Playback } = await import('/engine/playback.js')
        const event = { id: 'e', name: 'E', position: { latitude: 1, longitude: 2 }, activation: { radius: 10, trigger: 'enter' }, content: { type: 'exhibit', item: 'bell' } }
        const story = { id: 's', chapters: [{ id: 'c', order: 'free', lockboxes: [{ id: 'l', question, answers: ['a'], hints: [] }], events: [event] }] }
        return new Playback(story).step({ clock: { timestamp: '2026-06-01T10:00:00Z' } })
    }""", question)
    words = "Ring once, twice or\n9. thrice\n10. four\n• \nSee (https://a.example) https://a.example\na@b.example12 (geo:1)"
    expect([one.get("question") for one in outcomes if one["outcome"] == "lockbox-asked"] == [words], outcomes)


def test_an_unknown_zone_is_named():
    """The message is what the page shows; Swift's says the same."""
    message = evaluated("""async () => {
        const { Playback } = await import('/engine/playback.js')
        const event = { id: 'tower', name: 'T', position: { latitude: 1, longitude: 2 }, activation: { radius: 10, trigger: 'enter' },
          content: { type: 'scrapbook', items: [] }, window: { zone: 'Lisbon', days: [] } }
        try { new Playback({ id: 's', chapters: [{ id: 'c', order: 'free', lockboxes: [], events: [event] }] }) } catch (error) { return error.message }
    }""")
    expect(message == "'tower': the time zone 'Lisbon' is unknown; did you mean 'Europe/Lisbon'?", message)


if __name__ == "__main__":
    run(globals())
