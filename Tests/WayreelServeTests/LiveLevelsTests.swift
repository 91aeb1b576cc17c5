import Glibc
import TestSupport
import Testing

/// Levels of streamed PCM over a WebSocket, with two clients that are independent of the server: a Python package, and
/// sockets.
@Suite struct LiveLevelsTests {
    /// The client of the package `websockets` sends the samples in pieces of random sizes; Python computes the expected
    /// levels.
    @Test(
        .enabled(if: References.have("websockets"), "scripts/references installs it"),
        arguments: ["s16le", "f32le"])
    func metersWhatIsStreamed(format: String) throws {
        let server = try RunningServer()
        let script = """
            import array, asyncio, json, math, random, sys, wave, websockets
            file = wave.open("Media/radio/bunny-4s.wav"); rate, channels = file.getframerate(), file.getnchannels()
            pcm = file.readframes(file.getnframes()); samples = array.array("h", pcm); count = len(samples) // channels
            if sys.argv[2] == "f32le": pcm = array.array("f", [x / 32768 for x in samples]).tobytes()
            async def main():
                query = f"sample-rate={rate}&channels={channels}&format={sys.argv[2]}&rate=30000/1001&unit=linear"
                random.seed(7)
                async with websockets.connect(sys.argv[1].replace("http", "ws") + "/v1/levels/live?" + query) as ws:
                    async def read():
                        async for message in ws: levels.append(json.loads(message))
                    reader, at = asyncio.create_task(read()), 0
                    while at < len(pcm):
                        size = random.randrange(1, 20000)
                        await ws.send(pcm[at:at + size]); at += size
                    await (await ws.ping())
                    await ws.send("end"); await reader
                    assert ws.close_code == 1000, ws.close_code
            levels = []
            asyncio.run(main())
            head = levels.pop(0)
            assert head["sampleRate"] == rate and head["channels"] == ["left", "right"] and head["unit"] == "linear"
            buckets = -(-count * 30000 // (1001 * rate))
            assert len(levels) == buckets and levels[-1]["partial"] and "partial" not in levels[-2]
            for k, level in enumerate(levels):
                edges = [-(-i * rate * 1001 // 30000) for i in (k, k + 1)]
                assert abs(level["time"] - edges[0] / rate) < 1e-6
                for c in range(channels):
                    part = [x / 32768 for x in samples[c::channels][edges[0]:edges[1]]]
                    assert abs(level["peak"][c] - max(map(abs, part))) < 6e-6
                    assert abs(level["rms"][c] - math.sqrt(math.fsum(x * x for x in part) / len(part))) < 6e-6
            """
        try server.bench.write(script, to: "live.py")
        expectDone(try server.bench.shell("\(References.folder)/python live.py \(server.base) \(format)"))
    }

    /// Frames written byte by byte.
    private static let socket = """
        import base64, json, os, socket, struct, sys, time
        host, port = sys.argv[1].rsplit("/", 1)[1].split(":")
        class Socket:
            def __init__(self, query="", *headers):
                self.s = socket.create_connection((host, int(port))); self.s.settimeout(30); self.rest = b""
                key = "dGhlIHNhbXBsZSBub25jZQ=="
                lines = [f"GET /v1/levels/live?{query} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket",
                    "Connection: keep-alive, Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *headers]
                self.s.sendall("\\r\\n".join(lines + ["", ""]).encode())
                while b"\\r\\n\\r\\n" not in self.rest: self.rest += self.s.recv(4096)
                self.head, self.rest = self.rest.split(b"\\r\\n\\r\\n", 1)
                self.status = int(self.head.split()[1])
            def send(self, opcode, data=b"", fin=True, mask=True, bits=0, length=None):
                n = len(data) if length is None else length
                size = bytes([n]) if n < 126 else b"\\x7e" + struct.pack(">H", n) if n < 65536 else b"\\x7f" + struct.pack(">Q", n)
                size = bytes([size[0] | (128 if mask else 0)]) + size[1:]
                key = os.urandom(4) if mask else b""
                body = bytes(b ^ key[i % 4] for i, b in enumerate(data)) if mask else data
                self.s.sendall(bytes([(128 if fin else 0) | bits | opcode]) + size + key + body)
            def take(self, n):
                while len(self.rest) < n:
                    part = self.s.recv(65536)
                    if not part: raise EOFError
                    self.rest += part
                part, self.rest = self.rest[:n], self.rest[n:]
                return part
            def read(self):
                a, b = self.take(2)
                assert a & 0x70 == 0 and b & 128 == 0, "a server does not mask"
                n = b & 127
                if n == 126: n = struct.unpack(">H", self.take(2))[0]
                elif n == 127: n = struct.unpack(">Q", self.take(8))[0]
                return a & 15, self.take(n)
            def next(self, *opcodes):
                while True:
                    opcode, data = self.read()
                    if opcode in opcodes: return data
            def code(self):
                data = self.next(8); return struct.unpack(">H", data)[0] if data else None

        """

    private func run(_ script: String, on server: RunningServer) throws -> Command.Outcome {
        try server.bench.write(Self.socket + script, to: "frames.py")
        return try server.bench.shell("python3 frames.py \(server.base)")
    }

    @Test func keepsToTheProtocol() throws {
        let server = try RunningServer()
        let script = """
            s = Socket("rate=10&sample-rate=8000&channels=1")
            # The example of RFC 6455, section 1.3.
            assert s.status == 101 and b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in s.head
            assert json.loads(s.next(1))["live"] is True
            s.send(9, b"hello"); assert s.next(10) == b"hello"
            s.send(10, b"unasked")
            # One second in three fragments, with a ping between them; the pieces cut samples in half.
            pcm = b"".join(struct.pack("<h", 3277 * (i // 800)) for i in range(8000))
            s.send(2, pcm[:5001], fin=False); s.send(9, b"between"); s.send(0, pcm[5001:5002], fin=False); s.send(0, pcm[5002:])
            # 2500 samples make three readings of 800.
            frames = [s.read() for _ in range(4)]
            assert [f[0] for f in frames] == [1, 1, 1, 10] and frames[3][1] == b"between", frames
            s.send(1, b"end")
            levels = [json.loads(f[1]) for f in frames[:3]] + [json.loads(s.next(1)) for _ in range(7)]
            assert [round(10 ** (l["peak"][0] / 20) * 32768 / 3277) if l["peak"][0] > -160 else 0 for l in levels] == list(range(10))
            assert s.code() == 1000
            s.send(8, struct.pack(">H", 1000))
            """
        expectDone(try run(script, on: server))

        let faults = """
            def fault(*frames, query=""):
                s = Socket(query)
                for opcode, data, more in frames: s.send(opcode, data, **more)
                return s.code()
            got = [
                fault((2, b"1234", {"mask": False})), fault((1, b"hello", {})), fault((1, b"en", {"fin": False})),
                fault((0, b"12", {})), fault((2, b"12", {"fin": False}), (2, b"12", {})), fault((2, b"12", {"bits": 64})),
                fault((3, b"", {})), fault((11, b"", {})), fault((9, b"", {"fin": False})), fault((9, bytes(126), {})),
                fault((2, b"", {"length": 1 << 20})), fault((2, bytes(200000), {"fin": False}), (0, bytes(200000), {})),
                fault((8, struct.pack(">H", 1001), {})), fault((8, struct.pack(">H", 4000) + b"bye", {})), fault((8, b"", {})),
                fault((8, struct.pack(">H", 1005), {})), fault((8, b"x", {})), fault((8, struct.pack(">H", 1000) + b"\\xff", {})),
            ]
            print(*got)
            """
        let codes = try run(faults, on: server)
        #expect(
            codes.text
                == "1002 1003 1003 1002 1002 1002 1002 1002 1002 1002 1009 1009 1001 4000 None 1002 1002 1007\n",
            "\(codes.errors)")
    }

    @Test func boundsStreamsAndSilence() throws {
        let server = try RunningServer("--live-streams 2 --idle-seconds 1 --client-share 1")
        let script = """
            a, b = Socket(), Socket()
            assert (a.status, b.status) == (101, 101)
            c = Socket(); assert c.status == 503 and b"retry-after" in c.head.lower()
            # One is silent, the other answers.
            a.next(9); b.next(9); start = time.time()
            while time.time() - start < 2.5: b.send(10, b""); time.sleep(0.1)
            assert a.code() == 1001
            a.s.close(); b.send(9, b"alive"); assert b.next(10) == b"alive"
            for _ in range(100):
                c = Socket()
                if c.status == 101: break
                time.sleep(0.1)
            assert c.status == 101
            """
        expectDone(try run(script, on: server))
    }

    /// A client that sends and never reads uses little memory, and is disconnected.
    @Test func waitsForSlowReaders() throws {
        let server = try RunningServer("--idle-seconds 2")
        let script = """
            s = Socket("sample-rate=8000&channels=1&rate=120&meter=vu"); s.s.settimeout(1)
            sent, start = 0, time.time()
            block = bytes(200000)
            try:
                while time.time() - start < 60 and sent < 100e6: s.send(2, block); sent += len(block)
            except OSError: pass
            print("held" if sent < 100e6 else "all")
            """
        let run = try run(script, on: server)
        #expect(run.text == "held\n", "\(run.errors)")
        let metrics = try server.curl("", path: "/metrics").text
        let resident = metrics.split(separator: "\n").first { $0.hasPrefix("process_resident_memory_bytes") }
        let bytes = resident.flatMap { Double($0.split(separator: " ").last ?? "") } ?? .infinity
        #expect(bytes < 200e6)
        var open = ""
        for _ in 0..<400 where open != "wayreel_live_streams 0.0" {
            usleep(50_000)
            let lines = try server.curl("", path: "/metrics").text.split(separator: "\n")
            open = lines.first { $0.hasPrefix("wayreel_live_streams") }.map(String.init) ?? ""
        }
        #expect(open == "wayreel_live_streams 0.0")
    }

    /// Four clients send as much as they can, of eight channels at 192 kHz, which takes seconds to meter without
    /// optimisation. Other requests do not wait for it.
    @Test func metersBesideOtherRequests() throws {
        let server = try RunningServer()
        let script = """
            import threading
            sockets = [Socket("sample-rate=192000&channels=8&rate=120") for _ in range(4)]
            block, readings = os.urandom(256 << 10), [0] * 4
            def read(s, number):
                try:
                    while True: s.next(1); readings[number] += 1
                except (OSError, EOFError): pass
            # Masked once: Python takes longer to mask than the server to unmask.
            frame = b"\\x82\\xff" + struct.pack(">Q", len(block)) + bytes(4) + block
            def flood(s):
                try:
                    while True: s.s.sendall(frame)
                except OSError: pass
            for number, s in enumerate(sockets):
                threading.Thread(target=flood, args=(s,), daemon=True).start()
                threading.Thread(target=read, args=(s, number), daemon=True).start()
            for _ in range(300):
                if all(readings): break
                time.sleep(0.1)
            times = []
            for _ in range(20):
                start = time.time()
                with socket.create_connection((host, int(port))) as h:
                    h.sendall(b"GET /health HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n"); assert b" 200 " in h.recv(4096)
                times.append(time.time() - start)
            assert all(readings), readings
            times.sort()
            assert times[10] < 0.25, times
            """
        expectDone(try run(script, on: server))
    }

    @Test func saysGoodbyeWhenItIsTold() throws {
        let server = try RunningServer()
        let script = """
            import os
            s = Socket(); os.kill(\(server.process), 15); print(s.code())
            s.send(8, struct.pack(">H", 1001))
            """
        #expect(try run(script, on: server).text == "1001\n")
        server.terminate()
    }

    @Test func refusesPagesOfOtherSites() throws {
        let server = try RunningServer("--keys keys.txt") { try $0.writeKey("ab", as: "k") }
        let script = """
            print(Socket("", f"Origin: http://{host}:{port}").status, Socket().status, Socket("", "Origin: https://evil.example").status,
                Socket("", f"Origin: http://{host}:{port}.evil.example").status, Socket("", "Origin: null").status)
            """
        #expect(try run(script, on: server).text == "101 101 403 403 403\n")
        // Requests that are not WebSockets and requests with invalid parameters get an error.
        let plain = try server.head("/v1/levels/live")
        #expect(plain.status == "HTTP/1.1 426 Upgrade Required")
        #expect(plain.headers["upgrade"] == "websocket")
        let wrong =
            "print(*[Socket(q).status for q in ('rate=121', 'channels=9', 'format=s24le', 'rat=1', 'sample-rate=1')])"
        #expect(try run(wrong, on: server).text == "400 400 400 400 400\n")
    }

    /// The connection may have been used for other requests before.
    @Test func followsRequestsOnTheSameConnection() throws {
        let server = try RunningServer()
        let script = """
            s = socket.create_connection((host, int(port))); s.settimeout(30)
            s.sendall(b"GET /health HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"); first = s.recv(65536)
            assert first.startswith(b"HTTP/1.1 200")
            s.sendall(b"GET /v1/levels/live HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Version: 13\\r\\n\\r\\n")
            assert s.recv(65536).startswith(b"HTTP/1.1 101")
            """
        expectDone(try run(script, on: server))
    }

    /// Counted when it begins, and a line in the log when it ends.
    @Test func isInTheLogAndTheMetrics() throws {
        let server = try RunningServer()
        let script = """
            s = Socket("rate=10&sample-rate=8000&channels=1&unit=linear")
            id = [line.split(b": ")[1] for line in s.head.split(b"\\r\\n") if line.lower().startswith(b"x-request-id: ")][0].decode()
            sent = len(s.next(1))
            time.sleep(0.3)
            s.send(2, bytes(1600)); sent += len(s.next(1))
            s.send(1, b"end"); assert s.code() == 1000
            s.send(8, struct.pack(">H", 1000)); s.s.close()
            print(id, sent)
            """
        let said = try run(script, on: server)
        let text = try server.bench.python(
            #"""
            id, sent = sys.argv[2:]
            for _ in range(100):
                lines = [json.loads(line) for line in open("err.txt") if line.startswith("{")]
                lines = [line for line in lines if line["path"] == "/v1/levels/live"]
                if lines: break
                time.sleep(0.05)
            line, = lines
            assert (line["method"], line["status"], line["request"]) == ("GET", 101, id), line
            # 1600 bytes, "end", and the code; the code is sent, too.
            assert line["received"] == 1605 and line["bytes"] == int(sent) + 2, (line, sent)
            assert 300 <= line["milliseconds"] < 60000
            metrics = call(sys.argv[1], "GET", "/metrics")[2].decode()
            assert 'wayreel_request_seconds_count{route="/v1/levels/live",status="101"} 1\n' in metrics, metrics
            print("told")
            """#, server.base, said.text.filter { !$0.isNewline })
        #expect(text == "told\n", "\(said.errors)")
    }

    /// Over TLS, with a certificate that openssl signs itself and Python's client verifies.
    @Test(.enabled(if: References.have("websockets"), "scripts/references installs it"))
    func metersOverTLS() throws {
        let server = try RunningServer("--tls cert.pem key.pem") { bench in
            expectDone(
                try bench.shell(
                    """
                    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 2 \
                        -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2> openssl.txt
                    """))
        }
        #expect(server.base.hasPrefix("https://"))
        let script = """
            import asyncio, json, ssl, sys, websockets
            trust = ssl.create_default_context(cafile="cert.pem")
            async def main():
                address = sys.argv[1].replace("https", "wss") + "/v1/levels/live?rate=10&sample-rate=8000&channels=1&unit=linear"
                async with websockets.connect(address, ssl=trust) as ws:
                    assert ws.transport.get_extra_info("ssl_object").version() in ("TLSv1.2", "TLSv1.3")
                    assert json.loads(await ws.recv())["live"]
                    # More than one record of TLS: 200 readings, of which each has a higher peak than the one before.
                    pcm = b"".join((100 * (i // 800)).to_bytes(2, "little") for i in range(160000))
                    for at in range(0, len(pcm), 100000): await ws.send(pcm[at:at + 100000])
                    await ws.send("end")
                    levels = [json.loads(message) async for message in ws]
                    assert ws.close_code == 1000
                    assert [round(level["peak"][0] * 32768) for level in levels] == [100 * i for i in range(200)]
            asyncio.run(main())
            try: asyncio.run(websockets.connect(sys.argv[1].replace("https", "ws") + "/v1/levels/live", open_timeout=3).__await_impl__())
            except Exception: print("refused without TLS")
            """
        try server.bench.write(script, to: "tls.py")
        let run = try server.bench.shell("\(References.folder)/python tls.py \(server.base)")
        #expect(run.text == "refused without TLS\n", "\(run.errors)")
    }
}
