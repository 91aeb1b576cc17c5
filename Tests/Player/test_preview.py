"""The author's preview: walking by clicks, replaying GPX, and explaining decisions."""
from conftest import SCREENSHOTS, TABLET
from playing import found

TRACK = """<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{}</trkseg></trk></gpx>"""


def test_a_gpx_file_is_replayed(open_player):
    """A walk to the library's door at 1.5 m a second finds its event."""
    page = open_player("#/late-post/map/the-book-box", query="?preview")
    points = "".join(
        f'<trkpt lat="{35.2806 - 0.00053 * second / 60:.7f}" lon="{-120.6640 - 0.00087 * second / 60:.7f}">'
        f"<time>2026-11-24T01:{second // 60:02d}:{second % 60:02d}Z</time></trkpt>" for second in range(70))
    page.select_option(".preview select >> nth=0", "30")
    page.set_input_files(".preview input[type=file]", {"name": "walk.gpx", "mimeType": "application/gpx+xml", "buffer": TRACK.format(points).encode()})
    page.wait_for_selector('.notice[data-key="found-library-door"]')
    assert found(page)["events"] == ["library-door"]
    assert "it was found before" in page.inner_text(".preview dl")


def test_clicks_walk_and_the_panel_tells_why_not(open_player):
    page = open_player("#/late-post/map/the-book-box", query="?preview", viewport=TABLET)
    page.wait_for_selector(".preview select >> nth=1")
    page.select_option(".preview select >> nth=1", "four-cards")
    assert "first-reader" in page.inner_text(".preview dl")
    page.select_option(".preview select >> nth=0", "10")
    before = page.evaluate("document.querySelector('.nearest .where').innerText")
    page.click("canvas.map", position={"x": 100, "y": 600})
    page.wait_for_function("before => document.querySelector('.nearest .where').innerText !== before", arg=before)


def test_a_file_that_is_no_gpx(open_player):
    page = open_player("#/late-post/map/the-book-box", query="?preview")
    page.set_input_files(".preview input[type=file]", {"name": "a.gpx", "mimeType": "application/gpx+xml", "buffer": b"<html/>"})
    page.wait_for_function("() => document.querySelector('.preview').innerText.includes('a.gpx is not a GPX')")


def test_points_without_a_time_are_left_out(open_player):
    """A time in the middle is not made up: it would be of another day."""
    page = open_player("#/late-post/map/the-book-box", query="?preview")
    points = ['<trkpt lat="1" lon="2"><time>2026-01-01T08:00:00Z</time></trkpt>', '<trkpt lat="1" lon="3"/>',
              '<trkpt lat="1" lon="4"><time>2026-01-01T08:30:00Z</time></trkpt>']
    read = "async text => (await import('./preview/gpx-track.js')).gpxPoints(text).map(point => [point.longitude, point.time])"
    assert page.evaluate(read, TRACK.format("".join(points))) == [[2, 1767254400000], [4, 1767256200000]]
    assert [longitude for longitude, _ in page.evaluate(read, TRACK.format(points[0] + 2 * points[1]))] == [2, 3, 3]


def test_what_the_receiver_measured(open_player):
    """Speed, course and accuracy, of which hdop is a fifth in metres; a value that is none is left out."""
    page = open_player("#/late-post/map/the-book-box", query="?preview")
    points = ('<trkpt lat="1" lon="2"><hdop>1.6</hdop><extensions><speed>1.25</speed><course>370</course><heading>90</heading></extensions></trkpt>'
              '<trkpt lat="1" lon="3"><hdop>2</hdop><extensions><accuracy>12</accuracy><speed>-1</speed></extensions></trkpt>')
    read = "async text => (await import('./preview/gpx-track.js')).gpxPoints(text).map(({ accuracy, speed, course }) => [accuracy, speed ?? null, course ?? null])"
    assert page.evaluate(read, TRACK.format(points)) == [[8, 1.25, 90], [12, None, None]]


def test_charts_of_the_walk(open_player):
    """Under the map: the accuracy of the file, the speed between fixes, and the heading."""
    page = open_player("#/late-post/map/the-book-box", query="?preview", viewport=TABLET)
    page.wait_for_selector(".preview-charts .strip-chart")
    points = "".join(
        f'<trkpt lat="{35.2806 + second * 2 / 110940:.7f}" lon="-120.6640"><time>2026-11-24T01:00:{second:02d}Z</time>'
        f"<hdop>{2 if second < 30 else 4}</hdop></trkpt>" for second in range(60))
    page.select_option(".preview select >> nth=0", "100")
    page.set_input_files(".preview input[type=file]", {"name": "walk.gpx", "mimeType": "application/gpx+xml", "buffer": TRACK.format(points).encode()})
    # North at 2 m a second.
    page.wait_for_function("() => /Accuracy 20.0 m, Speed 2.0 m.s, Heading 0.0 °/.test(document.querySelector('.preview-charts p').textContent)")
    map_, charts = page.locator("canvas.map").bounding_box(), page.locator(".preview-charts").bounding_box()
    assert map_["y"] + map_["height"] <= charts["y"] + 1
    page.screenshot(path=SCREENSHOTS / "preview-charts.png")
