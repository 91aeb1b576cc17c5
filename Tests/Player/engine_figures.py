"""Prints the engine's figures in Documentation/player.md: its speed in Chromium, and its difference from GeographicLib.

    python3 Tests/Player/engine_figures.py
"""
import random
from geographiclib.geodesic import Geodesic
from stand_in import chromium, serving

SPEED = """async () => {
  const { Playback } = await import('/engine/playback.js')
  const read = path => fetch('/repository/Tests/Conformance/' + path).then(answer => answer.json())
  const [walk, story] = [await read('walks/late-post-1.json'), await read('stories/late-post.json')]
  let start = performance.now(), inputs = 0
  while (performance.now() - start < 2000) {
    const playback = new Playback(story)
    for (const input of walk.inputs) playback.step(input)
    inputs += walk.inputs.length
  }
  const perSecond = inputs / (performance.now() - start) * 1000
  const events = Array.from({ length: 10000 }, (_, i) => ({ id: `e${i}`, name: '', activation: { radius: 20, trigger: 'enter' },
    position: { latitude: 35 + (i % 100) / 200, longitude: -120 + Math.floor(i / 100) / 200 }, content: { type: 'scrapbook', items: [] } }))
  const large = new Playback({ id: 'x', chapters: [{ id: 'c', order: 'free', lockboxes: [], events }] })
  const times = Array.from({ length: 3000 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString()
    const start = performance.now()
    large.step({ fix: { position: { latitude: 35.2 + i * 1e-5, longitude: -119.8 + i * 1e-5 }, accuracy: 5, timestamp: time } })
    return performance.now() - start
  }).sort((a, b) => a - b)
  return [perSecond, times[1500], times[2970]]
}"""
FARTHEST = """async ways => {
  const { geodesic } = await import('/engine/geodesic.js')
  return Math.max(...ways.map(([a, b, c, d, metres]) => Math.abs(geodesic({ latitude: a, longitude: b }, { latitude: c, longitude: d }).distance - metres)))
}"""


def ways():
    dice, earth = random.Random(4), Geodesic.WGS84
    def way(*ends): return [*ends, earth.Inverse(*ends)["s12"]]
    for _ in range(20_000): yield way(dice.uniform(-90, 90), dice.uniform(-180, 180), dice.uniform(-90, 90), dice.uniform(-180, 180))
    for _ in range(20_000):
        a, b = dice.uniform(-89.99, 89.99), dice.uniform(-179.99, 179.99)
        yield way(a, b, a + dice.uniform(-0.001, 0.001), b + dice.uniform(-0.001, 0.001))
    for _ in range(5_000):
        a, b = dice.uniform(-89, 89), dice.uniform(-180, 0)
        yield way(a, b, -a + dice.uniform(-0.5, 0.5), b + 180 + dice.uniform(-0.5, 0.5))


with serving() as server, chromium() as browser:
    page = browser.new_page()
    page.goto(server.address)
    inputs, median, slow = page.evaluate(SPEED)
    print(f"{inputs:.0f} inputs a second of a walk through the sample story")
    print(f"{median:.2f} ms for a fix in a story of 10,000 events, 99 % within {slow:.2f} ms")
    print(f"{page.evaluate(FARTHEST, list(ways())) * 1e6:.2f} micrometres from GeographicLib at most, of 45,000 ways")
