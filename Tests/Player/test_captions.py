"""Captions of videos, in MP4 and in HLS, as the browser reads and shows them."""
import os, pathlib, re, subprocess
from playing import EVENTS, go, journal, remember

#: Turns on captions of the page's video, the first ones or those of a number, and reads them when they are loaded.
READ = """async number => {
    const track = document.querySelectorAll('track')[number ?? 0];
    const loaded = new Promise((resolve, reject) => { track.onload = resolve; track.onerror = () => reject(new Error('it cannot be loaded')); });
    track.track.mode = 'showing';
    await loaded;
    return [...track.track.cues].map(({ startTime, endTime, text }) => [startTime, endTime, text]);
}"""


def cues(path):
    """The cues of a SubRip file, in seconds."""
    seconds = lambda text: sum(float(part) * unit for part, unit in zip(text.replace(",", ".").split(":"), (3600, 60, 1)))
    blocks = [block.splitlines() for block in pathlib.Path(path).read_text().strip().split("\n\n")]
    return [[*map(seconds, block[1].split(" --> ")), "\n".join(block[2:])] for block in blocks]


def test_captions_of_a_clip(open_player):
    page = open_player()
    remember(page, journal(EVENTS))
    go(page, "#/late-post/event/matinee")
    tracks = page.eval_on_selector_all("video track", "all => all.map(track => [track.kind, track.srclang, track.label])")
    assert tracks == [["captions", "en-US", "American English"], ["captions", "de", "German"]]
    assert page.evaluate(READ, 1) == cues("Media/story/video/matinee.de.srt")
    assert page.evaluate(READ) == cues("Media/story/video/matinee.srt")
    # The browser shows the one at the time of the video.
    page.evaluate("""() => {
        const video = document.querySelector('video');
        video.onloadedmetadata = () => { video.currentTime = 4.4; };
        video.load();
        video.preload = 'auto';
    }""")
    page.wait_for_function("() => document.querySelector('video').textTracks[0].activeCues[0]?.text === '[The bird screeches]'")
    go(page, "#/late-post/event/bell-tower")
    assert page.evaluate(READ) == [[0, 1, "[A quiet room; he says nothing]"]]


STORY = """<story id="short" language="en"><name>Short</name><chapter id="one"><name>One</name><event id="film">
<name>Film</name><position latitude="1" longitude="2"/><activation radius="9"/><scrapbook>
<video source="film.mp4" alt="Bars"><captions source="film.srt"/><captions source="de.srt" language="de" label="Für Gäste"/></video>
</scrapbook></event></chapter></story>"""


def test_captions_of_hls(launch, tmp_path):
    for name, text in (("film", "[Bars]"), ("de", "[Balken]")):
        (tmp_path / f"{name}.srt").write_text(f"1\n00:00:00,500 --> 00:00:01,500\n{text}\n")
    (tmp_path / "story.xml").write_text(STORY)
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=2", "-pix_fmt", "yuv420p", tmp_path / "film.mp4"], check=True)
    wayreel = os.environ["WAYREEL"]
    (tmp_path / "bundles").mkdir()
    subprocess.run([wayreel, "prepare", tmp_path / "story.xml", "-o", tmp_path / "bundles/short", "--screen", "320x480", "--hls-from", "1", "--quiet"], check=True)
    process = subprocess.Popen([wayreel, "serve", "--listen", "127.0.0.1:0", "--log", "false", "--stories", tmp_path / "bundles"], stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        context = launch("--autoplay-policy=no-user-gesture-required").new_context(locale="de-DE", service_workers="block")
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("h1")
        remember(page, journal(["film"], opened=[]) | {"story": "short"})
        go(page, "#/short/event/film")
        assert page.get_attribute("video source", "type") == "application/vnd.apple.mpegurl"
        assert page.eval_on_selector_all("track", "all => all.map(track => [track.srclang, track.label])") == [["en", "Englisch"], ["de", "Für Gäste"]]
        assert page.evaluate(READ) == [[0.5, 1.5, "[Bars]"]]
        page.evaluate("document.querySelector('video').play()")
        page.wait_for_function("() => document.querySelector('video').textTracks[0].activeCues.length")
        context.close()
    finally:
        process.terminate()
        process.wait()
