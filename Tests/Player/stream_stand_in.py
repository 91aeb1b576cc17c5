"""A fake of a server of live streams, which can be silent, lose samples, refuse and break off; for tests of StreamsPage/.

It speaks wayreel-live and wayreel-source, version 1 (Documentation/streams.md), on WebSockets (RFC 6455), with as many channels as are
asked for: sines of 1 Hz and more, 10 for a channel of an electrocardiograph.
"""
import array, base64, contextlib, hashlib, http.server, json, math, struct, threading, time, urllib.parse
from stand_in import POLICY, ROOT, TYPES

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class WebSocket:
    """The server's end of a WebSocket: text is str, binary is bytes."""

    def __init__(self, handler):
        self.input, self.output, self.lock, self.is_open = handler.rfile, handler.connection, threading.Lock(), True

    def send(self, message):
        body = message if isinstance(message, bytes) else (message if isinstance(message, str) else json.dumps(message)).encode()
        self.frame(2 if isinstance(message, bytes) else 1, body)

    def frame(self, kind, body):
        size = bytes([len(body)]) if len(body) < 126 else struct.pack(">BH", 126, len(body)) if len(body) < 65536 else struct.pack(">BQ", 127, len(body))
        with self.lock, contextlib.suppress(OSError):
            self.output.sendall(bytes([0x80 | kind]) + size + body)

    def close(self, code=1000):
        self.frame(8, struct.pack(">H", code))

    def exactly(self, count):
        data = self.input.read(count)
        if len(data) < count: raise EOFError
        return data

    def messages(self):
        """The messages of the page, until it goes."""
        with contextlib.suppress(OSError, EOFError, ValueError):
            while True:
                first, second = self.exactly(2)
                length = second & 127
                if length == 126: (length,) = struct.unpack(">H", self.exactly(2))
                elif length == 127: (length,) = struct.unpack(">Q", self.exactly(8))
                mask = self.exactly(4)
                body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.exactly(length)))
                if first & 15 == 8: break
                yield body.decode() if first & 15 == 1 else body
        self.is_open = False


def batch(number, runs, arrival=None):
    """A binary message: `runs` are (channel, start, interval, values)."""
    now = time.time() * 1000
    parts = [struct.pack("<BBHIdd", 1, 0, len(runs), number, arrival or now, now)]
    for channel, start, interval, values in runs:
        body = array.array("f", values).tobytes()
        parts.append(struct.pack("<HHIdd", channel, 1, len(values), start, interval) + body + bytes(-len(body) % 8))
    return b"".join(parts)


def runs_of(message):
    """The runs of a batch of a sender: (channel, times, values)."""
    kind, _, count, number, _, _ = struct.unpack_from("<BBHIdd", message)
    assert kind == 1
    at, runs = 24, []
    for _ in range(count):
        channel, flags, samples, start, interval = struct.unpack_from("<HHIdd", message, at)
        at += 24
        offsets = [interval * index for index in range(samples)]
        if not flags & 1:
            offsets = struct.unpack_from(f"<{samples}f", message, at)
            at += 4 * samples
        values = struct.unpack_from(f"<{samples}f", message, at)
        at += (4 * samples + 7) & ~7 if flags & 1 else 4 * samples
        at = (at + 7) & ~7
        runs.append((channel, [start + offset for offset in offsets], list(values)))
    return runs


class Streams(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, names=("ecg.i", "ecg.ii", "ecg.iii"), rate=250, live=True, speed=1.0):
        super().__init__(("127.0.0.1", 0), Handler)
        self.names, self.rate, self.live, self.speed = list(names), rate, live, speed
        self.address = f"http://127.0.0.1:{self.server_port}/"
        self.origin, self.began, self.sent = "1700000000000000", time.time(), 0
        self.viewers, self.senders, self.received, self.filters, self.marks, self.begun, self.samples = [], [], [], [], {}, [], []
        self.is_silent, self.refusal, self.data, self.is_lost, self.duration = False, None, None, False, None
        self.protocols, self.is_playing, self.lock = [], True, threading.Lock()
        threading.Thread(target=self.play, daemon=True).start()

    def value(self, channel, index):
        if self.data: return self.data[channel % len(self.data)][index % len(self.data[0])]
        return (channel + 1) * math.sin(2 * math.pi * index / self.rate * (1 + channel % 3))

    def head(self):
        channels = [{"index": index, "name": name, "unit": "mV", "rate": self.rate, "of": None, "filter": None} for index, name in enumerate(self.names)]
        for number, (channel, text) in enumerate(self.filtered()):
            channels.append({"index": 1000 + number, "name": self.names[channel], "unit": "mV", "rate": self.rate, "of": channel, "filter": text})
        return {"type": "head", "format": "wayreel-live", "version": 1, "title": "Electrocardiogram", "notation": "seconds", "origin": self.origin,
                "credit": "PTB Diagnostic ECG Database, PhysioNet (ODC-By 1.0)", "channels": channels, "duration": self.duration, "live": self.live,
                "recording": self.live, "keepsMarks": True}

    def filtered(self):
        """(channel, texts) of each channel that a filter changes."""
        for index, name in enumerate(self.names):
            texts = [text for text in self.filters if text.split(":")[0] in (name, name.split(".")[0])]
            if texts: yield index, " ".join(texts)

    def play(self):
        """Sends samples as time goes on."""
        number, self.next = 0, 0
        while True:
            time.sleep(1 / 60)
            with self.lock: number += self.play_due(number + 1)

    def play_due(self, number):
        """Sends the samples that are due as the batch of a number, and returns the number of batches."""
        due = int((time.time() - self.began) * self.rate * self.speed)
        first, self.next = self.next, due
        if self.is_silent or not self.is_playing or due == first: return 0
        if self.is_lost:
            self.is_lost = False
            self.tell({"type": "missed", "from": first / self.rate, "to": due / self.rate, "samples": (due - first) * len(self.names)})
            return 0
        self.tell(batch(number, list(self.runs(first, due))))
        return 1

    def runs(self, first, due):
        for index in range(len(self.names)):
            yield index, first / self.rate, 1 / self.rate, [self.value(index, sample) for sample in range(first, due)]
        for place, (channel, _) in enumerate(self.filtered()):
            yield 1000 + place, first / self.rate, 1 / self.rate, [self.value(channel, sample) / 2 for sample in range(first, due)]

    def tell(self, message):
        for viewer in list(self.viewers): viewer.send(message)

    def asked(self, kind):
        return [message for message in self.received if message["type"] == kind]

    def handle_error(self, *_):
        pass

    # A viewer

    def view(self, socket):
        socket.send(self.head())
        if not self.live: socket.send({"type": "state", "playing": True, "speed": self.speed, "position": 0})
        for mark in self.marks.values(): socket.send(mark)
        with self.lock:
            if self.next > 0: socket.send(batch(0, list(self.runs(max(0, self.next - 20 * self.rate), self.next))))
            self.viewers.append(socket)
        for text in socket.messages():
            message = json.loads(text)
            self.received.append(message)
            self.answer(socket, message)
        self.viewers.remove(socket)

    def answer(self, socket, message):
        match message["type"]:
            case "ping": socket.send({"type": "pong", "t": message["t"], "server": time.time() * 1000})
            case "filters":
                wrong = [text for text in message["filters"] if ":" not in text or "=" not in text]
                if wrong: return socket.send({"type": "error", "for": "filters", "message": f"filter '{wrong[0]}' has no target: write TARGET:FILTER=VALUE"})
                self.filters = message["filters"]
                self.tell(self.head())
            case "mark":
                number = len(self.marks) + 1
                self.marks[number] = {**message, "id": number}
                self.tell(self.marks[number])
            case "unmark":
                self.marks.pop(message["id"], None)
                self.tell({"type": "unmark", "id": message["id"]})
            case "play" | "pause":
                self.is_playing = message["type"] == "play"
                if "position" in message:
                    self.began, self.next = time.time() - message["position"] / self.speed, int(message["position"] * self.rate)
                self.tell({"type": "state", "playing": self.is_playing, "speed": message.get("speed", self.speed), "position": self.next / self.rate})

    # A sender

    def take(self, socket):
        messages = socket.messages()
        self.begun.append(json.loads(next(messages)))
        socket.send({"type": "ok", "viewers": 2, "recording": "r1" if self.begun[-1]["record"] else None})
        self.senders.append(socket)
        for message in messages: self.samples += runs_of(message)
        self.senders.remove(socket)

    def break_off(self, code=1011):
        for socket in self.viewers + self.senders: socket.close(code)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json", **headers):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), **headers}.items(): self.send_header(name, str(value))
        self.end_headers()
        with contextlib.suppress(OSError): self.wfile.write(body)

    def do_GET(self):
        server = self.server
        path = urllib.parse.urlsplit(self.path).path.lstrip("/")
        if path.startswith("v1/streams/"):
            if server.refusal:
                status, problem, headers = server.refusal
                return self.answer(status, json.dumps(problem).encode(), "application/problem+json", **headers)
            if self.headers.get("Upgrade", "").lower() != "websocket": return self.answer(426, b"{}")
            return self.upgrade(path)
        names = {"": "index.html", "streams": "index.html", "sensors": "sensors.html"}
        name = names.get(path, path.removeprefix("streams/"))
        for file in (ROOT / "StreamsPage" / name, ROOT / "Player" / name):
            if file.is_file():
                return self.answer(200, file.read_bytes(), TYPES[file.suffix], **{
                    "Content-Security-Policy": POLICY, "Cache-Control": "no-store",
                    "Permissions-Policy": "microphone=(self), geolocation=(self), accelerometer=(self), gyroscope=(self), magnetometer=(self)"})
        self.answer(404, b"{}")

    def upgrade(self, path):
        offered = [one.strip() for one in self.headers["Sec-WebSocket-Protocol"].split(",")]
        self.server.protocols.append(offered)
        key = base64.b64encode(hashlib.sha1((self.headers["Sec-WebSocket-Key"] + GUID).encode()).digest()).decode()
        self.send_response(101)
        for name, value in {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": key, "Sec-WebSocket-Protocol": offered[0]}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        socket = WebSocket(self)
        (self.server.view if path.endswith("/live") else self.server.take)(socket)


@contextlib.contextmanager
def streaming(**options):
    server = Streams(**options)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
