"""A fake of `wayreel serve`, which can fail, change its story or send a wrong time, and Chromium for tests with it.

It serves the repository's Player/ with an empty page, a small bundle made here, and players' journals and captures.
"""
import contextlib, email.utils, hashlib, http.server, json, os, pathlib, re, shutil, socket, threading, time, urllib.parse

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "<!doctype html><meta charset=utf-8><title>Stand-in</title>"
# The Content-Security-Policy, as strict as that of the player's page.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
          "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
TILE = "application/vnd.mapbox-vector-tile"
TYPES = {".js": "text/javascript", ".json": "application/json", ".css": "text/css", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml"}
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300" + "01" * 64 + "ffc0000b080001000101011100ffc4001400010000000000000000000000"
    "0000000009ffc40014100100000000000000000000000000000000ffda0008010100003f0037ffd9")


class Bundle:
    """A story of two chapters with an image for two screens, audio, video and levels; `word` makes versions differ."""

    def __init__(self, word="one", extra=()):
        self.files, self.media, self.translations, self.ground, self.floors = {}, [], {}, None, None
        self.story = json.loads((ROOT / "Tests/Conformance/stories/quiz-and-camera.json").read_text())
        self.story["description"] = word
        image = lambda width: JPEG + bytes([width % 256]) * width
        for screen, width in (("small", 640), ("large", 1179)):
            self.add("images/a.jpg", "image", "image/jpeg", image(width), screen=screen, width=width, height=width)
        self.add("radio/bunny.mp3", "audio", "audio/mp4", (ROOT / "Media/radio/bunny-4s.m4a").read_bytes())
        levels = {"schema": "wayreel.levels", "version": 1, "rate": 2, "duration": 2, "floor": -160, "channels": [{"name": "left", "peak": [-60, -30, 0, -160]}]}
        self.add("radio/bunny.mp3", "levels", "application/json", json.dumps(levels).encode())
        self.add("video/clip.mp4", "video", "video/mp4", (ROOT / "Media/scrapbook/bunny-720p-h264-5.1.mp4").read_bytes(), width=1280, height=720)
        self.add("video/clip.srt", "captions", "text/vtt", b"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n[Birds]\n")
        self.add("images/word.jpg", "image", "image/jpeg", image(900) + word.encode(), width=900, height=10)
        for source, content in extra:
            self.add(source, "image", "image/jpeg", content, width=10, height=10)

    @property
    def languages(self):
        return [self.story["language"], *self.translations]

    def translate(self, language, **texts):
        """Adds a language, whose texts are those of the story but for `texts`: changes of its JSON by what is replaced in it."""
        text = json.dumps(self.story)
        for old, new in texts.pop("replacing", {}).items(): text = text.replace(json.dumps(old), json.dumps(new))
        self.translations[language] = json.loads(text) | {"language": language} | texts

    def told(self, language):
        """The story in a language."""
        story = self.translations.get(language, self.story)
        return story | ({"languages": self.languages} if self.translations else {})

    def add(self, source, role, kind, content, screen=None, languages=None, **sizes):
        digest = hashlib.sha256(content).hexdigest()
        ending = {"image/jpeg": "jpg", "image/png": "png", "audio/mp4": "m4a", "video/mp4": "mp4", "application/json": "json", "image/svg+xml": "svg", "text/vtt": "vtt", TILE: "mvt"}[kind]
        path = f"media/{digest[:2]}/{digest}.{ending}"
        self.files[path] = (kind, content, {"path": path, "type": kind, "bytes": len(content), "sha256": digest, **sizes})
        self.media.append({"source": source, "role": role, "path": path} | ({"screen": screen} if screen else {}) | ({"languages": languages} if languages else {}))
        return path

    @property
    def manifest(self):
        files = [entry for _, _, entry in self.files.values()]
        languages = {"languages": self.languages} if self.translations else {}
        ground = ({"ground": self.ground} if self.ground else {}) | ({"floors": self.floors} if self.floors else {})
        return {"version": 1, **ground, "wayreel": "0", "story": {"id": self.story["id"], "language": "en", **languages, "name": "A", "chapters": 1, "events": 4},
                "screens": [{"name": "large", "width": 1179, "height": 2556}, {"name": "small", "width": 640, "height": 960}], "files": files, "media": self.media,
                "database": {"path": "story.sqlite", "bytes": 1, "sha256": hashlib.sha256(json.dumps([files, self.media, self.story, *([self.translations] if self.translations else [])]).encode()).hexdigest()}}

    def path(self, source, role="image"):
        return next(entry["path"] for entry in self.media if entry["source"] == source and entry["role"] == role)


KEYS = {"found": ["event"], "opened": ["lockbox"], "attempts": ["lockbox", "timestamp", "text"], "scores": ["event", "question"], "captures": ["id"], "removed": ["id"]}


def merged(a, b):
    """Merges journals: keeps the earliest entry of each key, as Documentation/journals.md defines it.

    Supports only the entries that these tests send.
    """
    whole = {"format": "wayreel-journal", "version": 1, "story": b["story"]}
    erased = max(a.get("erased", ""), b.get("erased", ""))
    removed = {entry["id"] for entry in a.get("removed", []) + b.get("removed", [])}
    for kind, names in KEYS.items():
        kept = {}
        for entry in a.get(kind, []) + b.get(kind, []):
            key = tuple(entry[name] for name in names)
            if kind != "removed" and entry["timestamp"] <= erased or kind == "captures" and entry["id"] in removed: continue
            old = kept.get(key, {})
            if not old or entry["timestamp"] < old["timestamp"]: kept[key] = dict(entry)
            if file := old.get("file") or entry.get("file"): kept[key]["file"] = file
        whole[kind] = list(kept.values())
    return whole | ({"erased": erased} if erased else {})


class StandIn(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.bundle, self.version = Bundle(), "player-1"
        self.journals, self.captures, self.requests = {}, {}, []
        self.changes, self.branch = {}, "a"  # The entries of each journal with the numbers of their changes; its cursors' beginning.
        self.page = 1000  # The maximum number of entries in a response.
        self.posted = []  # The journals as devices sent them.
        self.is_down, self.is_static, self.seconds_off, self.age = False, False, 0, 0
        self.has_player = False  # Whether its page is the player's, and not an empty one.
        self.seconds_slow = 0  # Before answers about stories.
        self.answers = {}   # Path → (status, JSON) of a response to send instead.
        self.failing, self.cut = set(), set()  # The paths of media whose responses fail, and are cut off.
        self.before_media = lambda path: None
        self.address = f"http://127.0.0.1:{self.server_port}/"

    def asked(self, part):
        return [path for method, path, _ in self.requests if part in path]

    def handle_error(self, *_):
        pass  # Browsers may close connections at any time.


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate((timestamp or time.time()) + self.server.seconds_off, usegmt=True)

    def answer(self, status, body=b"", kind="application/json", **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        if self.server.age: headers["Age"] = self.server.age
        for name, value in {"Content-Type": kind, "Content-Length": len(body), "Cache-Control": "no-cache", **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(body)

    def do_GET(self): self.handle_request(b"")

    def do_POST(self): self.handle_request(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def handle_request(self, body):
        server = self.server
        if server.is_down:
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        path = urllib.parse.unquote(self.path.split("?")[0]).lstrip("/")
        server.requests.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}))
        if path.startswith("v1/stories"): time.sleep(server.seconds_slow)
        if path in server.answers:
            status, value = server.answers[path]
            return self.answer(status, value)
        if path in ("", "index.html"):
            if server.has_player:
                return self.answer(200, (ROOT / "Player/index.html").read_bytes(), TYPES[".html"], **{"Content-Security-Policy": POLICY})
            return self.answer(200, PAGE.encode(), TYPES[".html"], **{"Content-Security-Policy": POLICY})
        if path == "player.json":
            files = [file for kind in ("js", "json", "css") for file in (ROOT / "Player").rglob(f"*.{kind}")]
            paths = [str(file.relative_to(ROOT / "Player")) for file in files if file.name != "service-worker.js"]
            return self.answer(200, {"service": not server.is_static, "version": server.version, "shell": ["index.html", *sorted(paths)]})
        parts = path.split("/")
        if path.startswith("v1/players/") and parts[3] == "captures": return self.kept_capture(parts[4])
        if path.startswith("v1/players/"): return self.journal((parts[2], parts[4]), body)
        if path.endswith("/captures"): return self.capture(body)
        if path.endswith("/previews"): return self.answer(200, JPEG + b"preview", "image/jpeg")
        if path.startswith("v1/"): return self.stories(path)
        file = ROOT / path.removeprefix("repository/") if path.startswith("repository/") else ROOT / "Player" / path
        if not file.is_file(): return self.answer(404, {})
        self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    def stories(self, path):
        bundle = self.server.bundle
        ending = ".json" if self.server.is_static else ""
        # A service answers in the reader's language; a folder cannot.
        wishes = [] if self.server.is_static else [wish.split(";")[0].strip() for wish in self.headers.get("Accept-Language", "").split(",")]
        language = next((tag for wish in wishes for tag in bundle.languages if wish.split("-")[0] == tag), bundle.languages[0])
        story = bundle.told(language)
        words = {tag: {key: told[key] for key in ("name", "description", "cover") if key in told} for tag in bundle.languages
                 if tag != language and (told := bundle.told(tag))}
        head = {key: value for key, value in story.items() if key != "chapters"} | ({"translations": words} if words else {})
        base = f"v1/stories/{bundle.story['id']}"
        known = {f"v1/stories{ending}": [head], f"{base}{ending}": story, f"{base}/manifest.json": bundle.manifest}
        if bundle.translations: known |= {f"{base}/story.{tag}.json": bundle.told(tag) for tag in bundle.languages}
        if path in known: return self.answer(200, known[path])
        name = path.removeprefix(base + "/")
        self.server.before_media(name)
        if name not in bundle.files or name in self.server.failing: return self.answer(404, {})
        kind, content, _ = bundle.files[name]
        # Media can be moved within only if a server has parts of them.
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if part and name not in self.server.cut:
            start, end = int(part[1]), min(int(part[2] or len(content) - 1), len(content) - 1)
            return self.answer(206, content[start:end + 1], kind, **{"Content-Range": f"bytes {start}-{end}/{len(content)}"})
        self.answer(200, content[:len(content) // 2] if name in self.server.cut else content, kind, **{"Cache-Control": "public, max-age=31536000, immutable"})

    def journal(self, key, body):
        """Responds with the changes since a cursor, like Sources/WayreelService/Players/JournalRoutes.swift."""
        server = self.server
        kept = server.journals.get(key, {"format": "wayreel-journal", "version": 1, "story": key[1]})
        if body:
            server.posted.append(json.loads(body))
            server.journals[key] = kept = merged(kept, server.posted[-1])
            for entry in server.posted[-1].get("removed", []): server.captures.pop(entry["id"], None)
        changes = server.changes.setdefault(key, [])
        known = [change[1:] for change in changes]
        for kind in KEYS:
            for entry in kept.get(kind, []):
                if (kind, entry) not in known: changes.append((len(changes) + 1, kind, entry))
        since = urllib.parse.parse_qs(self.path.partition("?")[2]).get("since", [""])[0].split(".")
        is_known = since[0] == server.branch
        start = int(since[1]) if is_known else 0
        page = changes[start:start + server.page]
        lists = {kind: [entry for _, other, entry in page if other == kind and entry in kept.get(kind, [])] for kind in KEYS}
        self.answer(200, {"format": "wayreel-journal-changes", "version": 1, "story": key[1], **lists, "more": start + len(page) < len(changes),
                          "whole": not is_known, "cursor": f"{server.branch}.{start + len(page)}"} | ({"erased": kept["erased"]} if "erased" in kept else {}))

    def capture(self, body):
        key = self.headers["Idempotency-Key"]
        first = self.server.captures.setdefault(key, body)
        if first != body: return self.answer(422, {"title": "Another capture has this key"})
        self.answer(201, JPEG + b"treated", "image/jpeg", Location=f"/v1/players/me/captures/{key}")

    def kept_capture(self, key):
        if key not in self.server.captures: return self.answer(404, {"code": "not-found", "title": "There is nothing at this address"})
        self.answer(200, JPEG + b"treated", "image/jpeg")


@contextlib.contextmanager
def serving():
    server = StandIn()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


#: Chromium as its users have it.
WHOLE = "/usr/bin/chromium"
#: The same engine without windows of its own, which would take as much of the processor again for each page.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or WHOLE
#: A browser that is there already, which tests then share: pytest's, see conftest.py.
shared = None
ARGUMENTS = ("--autoplay-policy=no-user-gesture-required", "--mute-audio")


@contextlib.contextmanager
def chromium():
    if shared:
        yield shared
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def device(browser, server, **options):
    """Opens a page with storage of its own, like a separate device."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=3, is_mobile=True, **options)
    try:
        yield opened(context, server)
    finally:
        context.close()


#: What pages need, under short names.
MODULES = """async () => {
  const [library, store, sync, queue, clock, downloads, contents, installation] = await Promise.all([
    './story/story-library.js', './journal/journal-store.js', './journal/journal-sync.js', './journal/capture-queue.js', './journal/device-clock.js',
    './offline/story-downloads.js', './journal/journal-contents.js', './offline/installation.js'].map(path => import(new URL(path, document.baseURI).href)));
  window.W = { ...library, ...store, ...sync, ...queue, ...clock, ...downloads, ...contents, ...installation };
  W.lib = await W.StoryLibrary.open();
  W.store = await W.JournalStore.open();
  W.clock = new W.DeviceClock();
  W.sync = new W.JournalSync({ library: W.lib, store: W.store, clock: W.clock });
  W.queue = new W.CaptureQueue({ library: W.lib, store: W.store, clock: W.clock });
  W.loads = new W.StoryDownloads({ library: W.lib });
}"""


def opened(context, server):
    page = context.new_page()
    page.goto(server.address)
    page.evaluate(MODULES)
    return page


def evaluated(script, *values):
    """Returns the result of a script in the page, as JSON."""
    with serving() as server, chromium() as browser:
        page = browser.new_page()
        try:
            page.goto(server.address)
            return page.evaluate(script, *values)
        finally:
            page.close()


def expect(holds, what="it does not hold"):
    if not holds:
        raise AssertionError(what)


def wait_until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not holds():
        expect(time.monotonic() < end, f"it did not hold within {seconds} s")
        time.sleep(0.05)


def run(tests):
    """Runs the test_… functions of a module: `python3 Tests/Player/test_engine.py [NAME…]`."""
    import sys
    for name, test in [(name, test) for name, test in tests.items() if name.startswith("test_") and (not sys.argv[1:] or name in sys.argv[1:])]:
        test()
        print(f"{name}: passed", flush=True)
