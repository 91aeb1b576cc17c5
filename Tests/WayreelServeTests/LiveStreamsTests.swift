import Glibc
import TestSupport
import Testing

/// Live streams of sensors over WebSockets, with the client of the Python package `websockets` and a parser of batches of
/// the test's own.
@Suite(.enabled(if: References.have("websockets"), "scripts/references installs it"))
struct LiveStreamsTests {
    private static let client = """
        import asyncio, json, math, os, struct, sys, time, websockets
        def batch(number, channels):
            data = struct.pack("<BBHIdd", 1, 0, len(channels), number, 0, time.time() * 1000)
            for channel, (times, values) in channels.items():
                data += struct.pack("<HHIdd", channel, 0, len(values), times[0], 0)
                data += struct.pack(f"<{len(values)}f", *[t - times[0] for t in times]) + struct.pack(f"<{len(values)}f", *values)
                data += bytes(-len(data) % 8)
            return data
        def read(data):
            kind, zero, runs, number, arrival, sent = struct.unpack_from("<BBHIdd", data)
            assert (kind, zero) == (1, 0) and arrival <= sent
            at, found = 24, []
            for _ in range(runs):
                channel, flags, count, start, interval = struct.unpack_from("<HHIdd", data, at); at += 24
                times = [start + i * interval for i in range(count)]
                if not flags & 1:
                    times = [start + x for x in struct.unpack_from(f"<{count}f", data, at)]; at += 4 * count
                found.append((channel, times, list(struct.unpack_from(f"<{count}f", data, at))))
                at = (at + 4 * count + 7) // 8 * 8
            assert at == len(data)
            return number, found
        begin = lambda names, **more: json.dumps({"type": "begin", "format": "wayreel-source", "version": 1,
            "channels": [{"name": name} for name in names], **more})
        async def view(url, protocols, until, say=()):
            heads, texts, values = [], [], {}
            async with websockets.connect(url, subprotocols=protocols, max_size=None) as ws:
                assert ws.subprotocol == "wayreel-live"
                for text in say: await ws.send(text)
                async for message in ws:
                    if isinstance(message, str):
                        texts.append(json.loads(message))
                        if texts[-1]["type"] == "head": heads.append(texts[-1])
                    else:
                        number, runs = read(message)
                        for channel, times, found in runs:
                            values.setdefault(channel, []).extend(zip(times, found))
                        await ws.send(json.dumps({"type": "ack", "batch": number}))
                    if until(texts, values): break
            return heads, texts, values
        async def status(url, protocols=()):
            try:
                async with websockets.connect(url, subprotocols=list(protocols)): return 101
            except websockets.InvalidStatus as refusal: return refusal.response.status_code, refusal.response.headers.get("Retry-After")

        """

    private func run(_ script: String, on bench: Workbench, _ address: String) throws {
        try bench.write(Self.client + script, to: "live.py")
        expectDone(try bench.shell("\(References.folder)/python live.py '\(address)'"))
    }

    @Test func whatIsSentIsViewed() throws {
        let server = try RunningServer("--viewers 2 --sensor-streams 2 --client-share 1")
        let script = """
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            async def main():
                assert await status(base + "walk/live", ["wayreel-live"]) == (404, None)
                assert (await status(base + "walk/live", ["chat"]))[0] == 400 and (await status(base + "w%20k/live"))[0] == 400
                samples = [math.sin(k / 7) for k in range(2000)]
                async with websockets.connect(base + "walk/source", subprotocols=["wayreel-source"]) as ws:
                    await ws.send(begin(["a.x", "a.y"], title="Walk"))
                    assert json.loads(await ws.recv()) == {"type": "ok", "viewers": 0, "recording": None}
                    count = lambda texts, values: len(values.get(1, [])) == 2000
                    viewer = asyncio.create_task(view(base + "walk/live", ["wayreel-live"], count))
                    other = asyncio.create_task(view(base + "walk/live", ["wayreel-live"], count,
                        [json.dumps({"type": "filters", "filters": ["a.y:clamp=-0.5..0.5"]})]))
                    await asyncio.sleep(0.3)
                    assert await status(base + "walk/live", ["wayreel-live"]) == (503, "5")
                    for k in range(0, 2000, 50):
                        times = [100 + i / 1000 for i in range(k, k + 50)]
                        await ws.send(batch(k, {0: (times, samples[k:k + 50]), 1: (times, [-x for x in samples[k:k + 50]])}))
                        await asyncio.sleep(0.005)
                    heads, texts, values = await viewer
                    assert heads[-1]["title"] == "Walk" and [c["name"] for c in heads[-1]["channels"]] == ["a.x", "a.y"]
                    for k in range(2000):
                        assert abs(values[0][k][0] - k / 1000) < 2e-6 and abs(values[0][k][1] - samples[k]) < 1e-6
                        assert values[1][k][1] == -values[0][k][1]
                    heads, texts, values = await other
                    made = heads[-1]["channels"][-1]
                    assert (made["of"], made["filter"]) == (1, "a.y:clamp=-0.5..0.5"), made
                    for (_, filtered), (_, value) in zip(values[made["index"]], values[1][-len(values[made["index"]]):]):
                        assert abs(filtered - max(-0.5, min(0.5, value))) < 1e-6
                    # Another sender of the same player takes its place.
                    async with websockets.connect(base + "walk/source", subprotocols=["wayreel-source"]) as second:
                        await second.send(begin(["a.y", "b.z"]))
                        await ws.wait_closed()
                        assert ws.close_code == 4001, ws.close_code
                        await second.send(batch(1, {1: ([1], [7])}))
                        seen = lambda texts, values: 2 in values
                        heads, texts, values = await view(base + "walk/live", ["wayreel-live"], seen)
                        assert [c["name"] for c in heads[-1]["channels"]] == ["a.x", "a.y", "b.z"] and values[2][0][1] == 7
                        await second.send(batch(2, {1: ([2 + i / 1e4 for i in range(20001)], [0] * 20001)}))
                        await second.wait_closed()
                        assert second.close_code == 1008, second.close_code
                for wrong, code in [("{}", 1003), (begin([]), 1003), (begin(["a"]), 1003), (begin(["a.x"], record=True), 1008)]:
                    async with websockets.connect(base + "other/source", subprotocols=["wayreel-source"]) as ws:
                        await ws.send(wrong); await ws.wait_closed()
                        assert ws.close_code == code, (wrong, ws.close_code)
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    /// A thousand viewers want what eight may see: the others are told when to come again, and the eight see all.
    @Test func aThousandViewers() throws {
        let server = try RunningServer("--viewers 8 --sensor-streams 1 --client-share 1")
        let script = """
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            async def main():
                async with websockets.connect(base + "walk/source", subprotocols=["wayreel-source"]) as ws:
                    await ws.send(begin(["a.x"]))
                    done = lambda texts, values: len(values.get(0, [])) == 500
                    eight = [asyncio.create_task(view(base + "walk/live", ["wayreel-live"], done)) for _ in range(8)]
                    await asyncio.sleep(0.5)
                    turns = asyncio.Semaphore(50)
                    async def refused():
                        async with turns: return await status(base + "walk/live", ["wayreel-live"])
                    others = [asyncio.create_task(refused()) for _ in range(1000)]
                    for k in range(0, 500, 10):
                        await ws.send(batch(k, {0: ([i / 100 for i in range(k, k + 10)], range(k, k + 10))}))
                        await asyncio.sleep(0.005)
                    for viewer in eight:
                        heads, texts, values = await viewer
                        assert [v for _, v in values[0]] == list(range(500)) and not any(t["type"] == "missed" for t in texts)
                    found = await asyncio.gather(*others)
                    # Those that came when the eight had gone are let in.
                    assert set(found) <= {(503, "5"), 101} and found.count((503, "5")) > 100, found[:20]
                    heads, texts, values = await view(base + "walk/live", ["wayreel-live"], lambda t, v: v)
                    assert values
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    @Test func playersViewTheirOwnStreams() throws {
        let server = try RunningServer("--data data --player-keys keys.txt") { bench in
            try bench.write("p:\(String(repeating: "ab", count: 32))\n", to: "keys.txt")
        }
        let tokens = try ["ines", "olaf"].map { player in
            try server.bench.shell("wayreel token \(player) --keys keys.txt").text.split(separator: "\n").first ?? ""
        }
        let script = """
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            ines, olaf = "bearer.\(tokens[0])", "bearer.\(tokens[1])"
            async def main():
                assert (await status(base + "walk/source", ["wayreel-source"]))[0] == 401
                assert (await status(base + "walk/source", ["wayreel-source", ines + "x"]))[0] == 401
                async with websockets.connect(base + "walk/source", subprotocols=["wayreel-source", ines]) as ws:
                    assert ws.subprotocol == "wayreel-source"
                    await ws.send(begin(["a.x"])); await ws.send(batch(1, {0: ([1], [2])}))
                    heads, texts, values = await view(base + "walk/live", ["wayreel-live", ines], lambda t, v: v)
                    assert values == {0: [(0.0, 2.0)]}
                    assert (await status(base + "walk/live", ["wayreel-live", olaf]))[0] == 404
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
        server.terminate()
        let log = try server.bench.text("err.txt")
        #expect(log.contains("/v1/streams/walk/live") && !log.contains(tokens[0]))
    }

    /// A socket is closed when its token has expired, or was revoked; others go on.
    @Test func tokensEndSockets() throws {
        let options = "--data data --player-keys keys.txt --idle-seconds 3 --client-share 1"
        let server = try RunningServer(options) { bench in
            try bench.write("p:\(String(repeating: "ab", count: 32))\n", to: "keys.txt")
        }
        let tokens = try ["ines --seconds 8", "ines", "olaf"].map { player in
            try server.bench.shell("wayreel token \(player) --keys keys.txt").text.split(separator: "\n").first ?? ""
        }
        let script = """
            import subprocess
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            short, ines, olaf = [f"bearer.{token}" for token in "\(tokens.joined(separator: " "))".split()]
            def open(name, token, role="source"):
                return websockets.connect(base + f"{name}/{role}", subprotocols=["wayreel-" + role, token])
            async def main():
                async with open("a", ines) as one, open("b", short) as two, open("c", olaf) as three:
                    for ws in (one, two, three): await ws.send(begin(["a.x"])); await ws.recv()
                    async with open("a", short, "live") as late, open("a", ines, "live") as viewer:
                        async def code(ws):
                            try:
                                async for message in ws: pass
                            except websockets.ConnectionClosed: pass
                            return ws.close_code
                        codes = [asyncio.create_task(code(ws)) for ws in (two, late, one, viewer, three)]
                        await asyncio.wait(codes[:2], timeout=40)
                        assert [task.done() and task.result() for task in codes] == [1008, 1008, False, False, False]
                        subprocess.run("wayreel token revoke ines --data data", shell=True, check=True)
                        await asyncio.wait(codes[2:4], timeout=20)
                        assert [task.done() and task.result() for task in codes[2:]] == [1008, 1008, False]
                        codes[4].cancel()
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    /// A sender whose channels do not fit those of the stream is refused, and replaces none.
    @Test func unitsOfAStreamStay() throws {
        let server = try RunningServer("--sensor-streams 2 --client-share 1")
        let script = """
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            source = lambda: websockets.connect(base + "walk/source", subprotocols=["wayreel-source"])
            def channels(*units): return json.dumps({**json.loads(begin(["a.x", "a.y"])), "channels": [
                {"name": name, **({"unit": unit} if unit else {})} for name, unit in zip(["a.x", "a.y"], units)]})
            async def main():
                async with source() as first:
                    await first.send(channels("V", None)); await first.recv()
                    async with source() as second:
                        await second.send(channels("mV", None))
                        assert json.loads(await second.recv())["message"] == "the stream has a.x in V, and not in mV"
                        await second.wait_closed()
                        assert second.close_code == 1008, second.close_code
                    # The first one goes on.
                    assert json.loads(await first.recv())["type"] == "ok"
                    async with source() as third:
                        await third.send(channels(None, "m")); assert json.loads(await third.recv())["type"] == "ok"
                        await third.send(batch(1, {0: ([1], [2])}))
                        heads, texts, values = await view(base + "walk/live", ["wayreel-live"], lambda t, v: v)
                        assert [c["unit"] for c in heads[-1]["channels"]] == ["V", "m"], heads
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    /// Behind a proxy, requests have the name of the service, as all requests of players may have.
    @Test func recordingsHaveTheNameOfTheService() throws {
        let server = try RunningServer("--data data --player-keys keys.txt") { bench in
            try bench.write("p:\(String(repeating: "ab", count: 32))\n", to: "keys.txt")
        }
        let outcome = try server.bench.shell("wayreel token ines --keys keys.txt")
        let token = outcome.text.split(separator: "\n").first ?? ""
        let named = "-H 'Host: stories.example.org' -H 'Authorization: Bearer \(token)'"
        #expect(try server.head("/v1/recordings", named).status.contains(" 200"))
        let upgrade = """
            \(named) -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' \
            -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
            """
        let played = "/v1/recordings/00000000-0000-4000-8000-000000000001/live"
        #expect(try server.head(played, upgrade).status.contains(" 404"))
        // A page of another site opens no WebSocket.
        let other = "\(upgrade) -H 'Origin: https://other.example.org'"
        #expect(try server.head(played, other).status.contains(" 403"))
        // Without tokens, the name may be one of another site.
        let open = try RunningServer("--data data")
        #expect(try open.head("/v1/recordings?player=local", "-H 'Host: a.example.org'").status.contains(" 421"))
    }

    /// Senders that vanish, or are refused, leave no recording that is never complete; those of one stream are few.
    @Test func sendersLeaveNothingBehind() throws {
        let server = try RunningServer("--data data --sensor-streams 4 --client-share 1")
        let script = """
            import urllib.request
            http = sys.argv[1].rstrip("/")
            base = http.replace("http", "ws", 1) + "/v1/streams/"
            def recordings():
                with urllib.request.urlopen(http + "/v1/recordings?player=local&limit=200") as answer: return json.load(answer)["recordings"]
            source = lambda name: websockets.connect(base + name + "/source", subprotocols=["wayreel-source"])
            async def main():
                for k in range(10):
                    ws = await source("gone")
                    await ws.send(begin(["a.x"], record=True)); await asyncio.sleep(k % 4 / 500); ws.transport.abort()
                    await asyncio.sleep(0.1)
                for k in range(9):
                    async with source("many") as ws:
                        await ws.send(begin([f"a.c{k}-{i}" for i in range(32)], record=True))
                        assert json.loads(await ws.recv())["type"] == ("ok" if k < 8 else "error"), k
                for _ in range(100):
                    if not recordings(): break
                    await asyncio.sleep(0.1)
                # None of them has sent a sample.
                assert recordings() == [], recordings()
                async with source("walk") as ws:
                    await ws.send(begin(["a.x"])); await ws.recv()
                    others = [await status(base + "walk/source", ["wayreel-source"])]
                    sockets = []
                    try:
                        for _ in range(20): sockets.append(await source("walk"))
                    except websockets.InvalidStatus as refusal: others.append((refusal.response.status_code, refusal.response.headers["Retry-After"]))
                    assert others == [101, (503, "5")] and 6 <= len(sockets) <= 7, (others, len(sockets))
                    for other in sockets: await other.close()
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    /// What filters of viewers take does not delay the samples of others.
    @Test(.timeLimit(.minutes(2))) func filtersOfViewersDelayNoSender() throws {
        let server = try RunningServer("--sensor-streams 4 --client-share 1")
        let script = """
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            source = lambda name: websockets.connect(base + name + "/source", subprotocols=["wayreel-source"])
            async def main():
                async with source("heavy") as heavy, source("light") as light:
                    await heavy.send(begin([f"a.c{k}" for k in range(32)])); await heavy.recv()
                    await light.send(begin(["a.x"])); await light.recv()
                    for k in range(5):
                        times = [k + i / 1000 for i in range(900)]
                        await heavy.send(batch(k, {c: (times, [i % 97 for i in range(900)]) for c in range(32)}))
                    asks = json.dumps({"type": "filters", "filters": ["a:median=999,wrap=360"] * 8})
                    viewers = [await websockets.connect(base + "heavy/live", subprotocols=["wayreel-live"], max_size=None) for _ in range(4)]
                    for viewer in viewers: await viewer.send(asks)
                    await asyncio.sleep(1)
                    for k in range(5):
                        times = [10 + k + i / 1000 for i in range(900)]
                        await heavy.send(batch(k, {c: (times, [i % 97 for i in range(900)]) for c in range(32)}))
                    await asyncio.sleep(1)
                    await light.send(batch(1, {0: ([1], [2])}))
                    seen = view(base + "light/live", ["wayreel-live"], lambda t, v: v)
                    await asyncio.wait_for(seen, 5)
                    for viewer in viewers: viewer.transport.abort()
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    /// Many viewers of one client with many filters leave the others their turns.
    @Test(.timeLimit(.minutes(2))) func filtersOfOneClientLeaveTurnsToOthers() throws {
        let server = try RunningServer("--sensor-streams 4 --viewers 40 --client-share 0.5")
        let script = """
            base = sys.argv[1].replace("http", "ws") + "/v1/streams/"
            source = lambda name: websockets.connect(base + name + "/source", subprotocols=["wayreel-source"])
            def viewer(name, client): return websockets.connect(base + name + "/live", subprotocols=["wayreel-live"],
                local_addr=(client, 0), max_size=None)
            async def main():
                async with source("heavy") as heavy, source("light") as light:
                    await heavy.send(begin([f"a.c{k}" for k in range(32)])); await heavy.recv()
                    await light.send(begin(["a.x"])); await light.recv()
                    asks = json.dumps({"type": "filters", "filters": ["a:median=999,wrap=360"] * 8})
                    viewers = [await viewer("heavy", "127.0.0.2") for _ in range(18)]
                    for other in viewers: await other.send(asks)
                    async with viewer("light", "127.0.0.3") as ws:
                        await ws.send(json.dumps({"type": "filters", "filters": ["a:max=5"]}))
                        for k in range(5):
                            times = [k + i / 1000 for i in range(900)]
                            await heavy.send(batch(k, {c: (times, [i % 97 for i in range(900)]) for c in range(32)}))
                        await light.send(batch(1, {0: ([1, 2], [3, 9])}))
                        async def filtered():
                            async for message in ws:
                                for channel, times, values in [] if isinstance(message, str) else read(message)[1]:
                                    if channel >= 1000: return values
                        assert await asyncio.wait_for(filtered(), 10) == [3]
                    for other in viewers: other.transport.abort()
            asyncio.run(main())
            """
        try run(script, on: server.bench, server.base)
    }

    /// What a device sends is recorded with the marks of its viewers, and played again. A server that is killed keeps what it
    /// had a second before.
    @Test func whatIsRecordedIsPlayed() throws {
        let server = try RunningServer("--data data")
        let prelude = """
            import urllib.request
            http = sys.argv[1].rstrip("/")
            base = http.replace("http", "ws", 1) + "/v1/"
            def get(path, member=None):
                with urllib.request.urlopen(http + "/v1/recordings" + path + "?player=local") as answer: text = answer.read().decode()
                return text if member is None else json.loads(text)[member]
            async def completed(id):
                while get("/" + id + "/description", "recording"): await asyncio.sleep(0.05)
                return get("/" + id)

            """
        let script = """
            async def main():
                async with websockets.connect(base + "streams/walk/source", subprotocols=["wayreel-source"]) as ws:
                    await ws.send(begin(["a.x", "a.y"], title="Walk", record=True))
                    id = json.loads(await ws.recv())["recording"]
                    await ws.send(batch(1, {0: ([10, 10.5], [1, 2]), 1: ([10, 10.5], [3, 4])}))
                    live = base + "streams/walk/live"
                    heads, texts, values = await view(live, ["wayreel-live"], lambda t, v: 1 in v)
                    assert heads[-1]["recording"] and heads[-1]["keepsMarks"], heads
                    mark = {"type": "mark", "time": 0.5, "seconds": 0, "text": "gust", "channel": "a.y"}
                    await view(live, ["wayreel-live"], lambda t, v: any(x["type"] == "mark" for x in t), [json.dumps(mark)])
                    # Viewers are told before it is stored.
                    await asyncio.sleep(0.3)
                lines = [json.loads(line) for line in (await completed(id)).splitlines()]
                assert lines[0]["title"] == "Walk" and lines[1:] == [
                    {"time": 10, "stream": "a", "values": {"x": 1, "y": 3}}, {"time": 10.5, "stream": "a", "values": {"x": 2, "y": 4}},
                    {"time": 10.5, "mark": "gust", "channel": "a.y"}], lines
                played = base + "recordings/" + id + "/live"
                done = lambda t, v: len(v.get(1, [])) == 2 and any(x["type"] == "mark" for x in t)
                heads, texts, values = await view(played, ["wayreel-live"], done)
                assert heads[-1]["title"] == "Walk" and not heads[-1]["live"], heads
                assert values == {0: [(0, 1), (0.5, 2)], 1: [(0, 3), (0.5, 4)]}, values
                assert (await status(base + "recordings/none/live", ["wayreel-live"]))[0] == 404
                # This one is not ended by its sender.
                async with websockets.connect(base + "streams/other/source", subprotocols=["wayreel-source"]) as ws:
                    await ws.send(begin(["a.x"], record=True))
                    id = json.loads(await ws.recv())["recording"]
                    await ws.send(batch(1, {0: ([0, 1], [5, 6])}))
                    while get("/" + id + "/description", "bytes") == 0: await asyncio.sleep(0.05)
                    import os, signal
                    os.kill(int(sys.argv[2]), signal.SIGKILL)
            asyncio.run(main())
            """
        try server.bench.write(Self.client + prelude + script, to: "live.py")
        expectDone(try server.bench.shell("\(References.folder)/python live.py '\(server.base)' \(server.process)"))
        server.kill9()
        let next = try RunningServer("--data data", in: server.bench)
        let rest = """
            async def main():
                id = json.loads(get(""))["recordings"][0]["id"]
                lines = (await completed(id)).splitlines()
                assert [json.loads(line)["values"] for line in lines[1:]] == [{"x": 5}, {"x": 6}], lines
                assert (get("/" + id + "/description", "samples"), get("/" + id + "/description", "seconds")) == (2, 1)
            asyncio.run(main())
            """
        try server.bench.write(Self.client + prelude + rest, to: "live.py")
        expectDone(try server.bench.shell("\(References.folder)/python live.py '\(next.base)'"))
    }

    /// A recording is played to whoever has the key of its address, and its marks are saved.
    @Test func aRecordingIsViewedAndMarked() throws {
        let bench = Workbench()
        let rows = (0..<1000).map { "\(Double($0) / 250),ecg,\(Double($0 % 50) / 10)" }
        try bench.write((["time,stream,ii"] + rows).joined(separator: "\n") + "\n", to: "ecg.csv")
        let started = try bench.shell(
            "wayreel streams view ecg.csv --speed max > out.txt 2> err.txt < /dev/null & echo $!")
        let process = try #require(pid_t(started.text.split(separator: "\n").first.map(String.init) ?? ""))
        defer { kill(process, SIGKILL) }
        for _ in 0..<600 where !((try? bench.text("out.txt")) ?? "").contains("\n") { usleep(50_000) }
        let address = try #require(try bench.text("out.txt").split(separator: "\n").first?.split(separator: " ").last)
        let script = """
            page, key = sys.argv[1].split("#"); live = page.replace("http", "ws") + "v1/streams/view/live"
            async def main():
                assert (await status(live, ["wayreel-live"]))[0] == 401
                assert (await status(live, ["wayreel-live", "bearer." + key[:-1]]))[0] == 401
                say = [json.dumps({"type": "mark", "time": 1.5, "text": "beat", "channel": "ecg.ii"}), "{}"]
                done = lambda texts, values: {"end", "mark", "error"} <= {t["type"] for t in texts}
                heads, texts, values = await view(live, ["wayreel-live", "bearer." + key], done, say)
                assert [v for _, v in values[0]] == [struct.unpack("f", struct.pack("f", k % 50 / 10))[0] for k in range(1000)]
                assert all(abs(t - k / 250) < 2e-6 for k, (t, _) in enumerate(values[0]))
                # Another place, at another speed.
                say = [json.dumps({"type": "play", "position": 3, "speed": 1000})]
                over = lambda texts, values: any(t["type"] == "state" and t["speed"] == 1000 for t in texts) and texts[-1]["type"] == "end"
                heads, texts, values = await view(live, ["wayreel-live", "bearer." + key], over, say)
                assert heads[-1]["duration"] == 3.996, heads[-1]
                assert values[0][-250:][0][0] == 3 and values[0][-1][0] > 3.99, values[0][-250:][0]
            asyncio.run(main())
            """
        try run(script, on: bench, String(address))
        #expect(try bench.text("ecg.csv.marks.ndjson").contains("\"mark\":\"beat\""))
        kill(process, SIGTERM)
        for _ in 0..<100 where kill(process, 0) == 0 { usleep(50_000) }
        let errors = (try? bench.text("err.txt")) ?? ""
        #expect(kill(process, 0) != 0 && errors.isEmpty, "\(errors)")
    }

    /// Recorders that send more than a pipe holds as soon as they are connected to, one of them without a line's end.
    @Test(.timeLimit(.minutes(2))) func fastRecordersAreRead() throws {
        let bench = Workbench()
        let script = """
            line = lambda k: (json.dumps({"time": k, "stream": "a", "values": {"x": k}}) + "\\n").encode()
            lines = b"".join(line(k) for k in range(50000))
            async def fast(reader, writer):
                try:
                    writer.write(lines); await writer.drain(); await reader.read()
                except ConnectionError: pass
            async def endless(reader, writer):
                try:
                    while True: writer.write(b"x" * 65536); await writer.drain()
                except ConnectionError: pass
            async def main():
                for serve, status, count in ((fast, 0, 50000), (endless, 1, 0)):
                    server = await asyncio.start_server(serve, "127.0.0.1", 0)
                    port, name = server.sockets[0].getsockname()[1], serve.__name__ + ".ndjson"
                    command = ["wayreel", "streams", "record", "--stream", f"tcp://127.0.0.1:{port}", "-o", name, "--seconds", "5"]
                    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
                    try: _, errors = await asyncio.wait_for(process.communicate(), 30)
                    except asyncio.TimeoutError: process.kill(); raise
                    assert process.returncode == status, (serve, errors)
                    # Without a sample there is no recording.
                    assert os.path.exists(name) == (count > 0), errors
                    assert count == 0 or sum(1 for x in open(name) if '"stream"' in x) == count, errors
                    assert status == 0 or b"is longer than 1048576 bytes" in errors, errors
            asyncio.run(main())
            """
        try run(script, on: bench, "")
    }

    /// Where the disk takes no more, the recording ends with a whole line.
    @Test func aFullDiskLeavesWholeLines() throws {
        let bench = Workbench()
        let sample = #"'{"time":'$i',"stream":"a","values":{"x":7}}'"#
        let lines = "i=0; while [ $i -lt 2000 ]; do echo \(sample); i=$((i+1)); done"
        // A file may have 8 blocks of 512 or 1024 bytes, and the signal for more is ignored.
        let started = try bench.shell(
            """
            (\(lines)) > in.ndjson; trap '' XFSZ; ulimit -f 8
            wayreel streams view - --record kept.ndjson < in.ndjson > out.txt 2> err.txt & echo $!
            """)
        let process = try #require(pid_t(started.text.split(separator: "\n").first.map(String.init) ?? ""))
        defer { kill(process, SIGKILL) }
        for _ in 0..<600 where (try? bench.text("err.txt"))?.contains("error: ") != true { usleep(50_000) }
        let (kept, sent) = (try bench.text("kept.ndjson"), try bench.text("in.ndjson"))
        #expect(kept.utf8.count > 2000 && kept.utf8.count <= 8192 && kept.hasSuffix("}\n"))
        #expect(sent.hasPrefix(kept.split(separator: "\n").dropFirst().joined(separator: "\n")))
    }

    /// Audio, a recorder over TCP that comes back, and one over a WebSocket, in one recording.
    @Test func severalSourcesAreOneRecording() throws {
        let bench = Workbench()
        let script = """
            import datetime, wave
            with wave.open("tone.wav", "wb") as file:
                file.setnchannels(1); file.setsampwidth(2); file.setframerate(8000)
                file.writeframes(b"".join(struct.pack("<h", round(16384 * math.sin(math.pi * k / 8))) for k in range(16000)))
            connections = 0
            async def tcp(reader, writer):
                global connections; connections += 1
                for k in range(4):
                    writer.write((json.dumps({"time": 1000 + k / 4, "stream": "position", "values": {"latitude": connections}}) + "\\n").encode())
                await writer.drain()
                if connections > 1: await reader.read()
                writer.close()
            async def web(ws):
                for k in range(3): await ws.send(json.dumps({"time": k, "stream": "heading", "values": {"degrees": 10.5 * k}}))
                await ws.wait_closed()
            async def main():
                server = await asyncio.start_server(tcp, "127.0.0.1", 0)
                ports = [server.sockets[0].getsockname()[1]]
                async with websockets.serve(web, "127.0.0.1", 0) as sockets:
                    ports.append(sockets.sockets[0].getsockname()[1])
                    command = ["wayreel", "streams", "record", "--stream", f"gps=tcp://127.0.0.1:{ports[0]}", "--stream",
                        f"ws://127.0.0.1:{ports[1]}/x", "--stream", "mic=tone.wav", "-o", "out.ndjson", "--seconds", "3"]
                    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
                    _, errors = await process.communicate()
                    assert process.returncode == 0 and b"has ended; it is tried again in 1 s" in errors, errors
            asyncio.run(main())
            lines = [json.loads(line) for line in open("out.ndjson")]
            units = {k: v for line in lines if "format" in line for k, v in line.get("units", {}).items()}
            assert units == {"mic.peak": "dBFS", "mic.rms": "dBFS"}, units
            def samples(stream):
                return [(datetime.datetime.fromisoformat(x["time"].replace("Z", "+00:00")).timestamp(), x["values"]) for x in lines if x.get("stream") == stream]
            now, gps = time.time(), samples("gps-position")
            assert [v["latitude"] for _, v in gps] == [1] * 4 + [2] * 4, gps
            for first in (0, 4):
                for k in range(4): assert abs(gps[first + k][0] - gps[first][0] - k / 4) < 2e-6
                assert now - 10 < gps[first][0] < now
            assert gps[4][0] > gps[0][0] + 1
            heading = samples("heading")
            assert [v["degrees"] for _, v in heading] == [0, 10.5, 21] and abs(heading[2][0] - heading[0][0] - 2) < 2e-6
            mic = samples("mic")
            assert len(mic) == 60 and all(abs(t - mic[0][0] - k / 30) < 1e-4 for k, (t, _) in enumerate(mic))
            # Half of full scale, and a sine's RMS, over buckets of about 17 periods.
            assert all(abs(v["peak"] + 6.0206) < 0.01 and abs(v["rms"] + 9.0309) < 0.2 for _, v in mic), mic[:3]
            """
        try run(script, on: bench, "")
        // A recording is not replaced.
        let again = try bench.shell("wayreel streams record --stream tone.wav -o out.ndjson")
        #expect(again.errors.hasPrefix("error: ") && again.errors.contains("out.ndjson"), "\(again.errors)")
    }
}
