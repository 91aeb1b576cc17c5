import TestSupport
import Testing

/// Every answer is one that `/openapi.json` names for its request, also where the request is refused before its route
/// is found, and JSON keeps to its schema.
@Suite struct DescribedAnswerTests {
    /// Asks each operation of the document in the ways that lead to each status.
    private static let program = #"""
        base = sys.argv[1]
        document = json.loads(call(base, "GET", "/openapi.json")[2])
        token = {"Authorization": "Bearer " + hs256({"sub": "ines"}, bytes.fromhex("ab" * 32))} if "tokens" in sys.argv else {}
        me = "" if token else "player=ines"
        image, clip = png(1, 2, 3), open("clip.mp4", "rb").read()
        note = json.loads(call(base, "POST", "/v1/notes?latitude=1&longitude=2&" + me, image, token)[2])["id"]
        kept = json.loads(call(base, "POST", "/v1/recordings?" + me, b"time,stream,a\n0,s,1\n1,s,2\n", token)[2])["id"]
        made = json.loads(call(base, "POST", "/v1/captures", image, {"Prefer": "respond-async"})[2])["id"]
        queued = json.loads(call(base, "POST", "/v1/transcodes?copy=no&preset=veryslow", clip)[2])["id"]
        while json.loads(call(base, "GET", "/v1/jobs/" + made)[2])["state"] != "done": time.sleep(0.05)
        manifest = json.loads(call(base, "GET", "/v1/stories/mill/manifest.json")[2])
        known = {"signature": "unsafe", "options": "screen:8x8", "source": "town.jpg", "story": "mill", "language": "en", "event": "wheel", "player": "ines",
            "file": manifest["files"][0]["path"][len("media/"):], "capture": note, "note": note, "job": made, "recording": kept,
            "mark": "1"}
        journals = journal("mill").encode()

        def address(path, names):
            for name, value in names.items(): path = path.replace("{" + name + "}", value)
            needed = "latitude=1&longitude=2" if path == "/v1/notes" else ""
            return path + "?" + "&".join(part for part in (needed, me if any(part in path for part in ("/notes", "/events/", "/recordings")) else "") if part)

        # What is sent, beside the names in the path: more of the query, the body, headers.
        plain = [("", None, {})]
        odd = [("", None, headers) for headers in (
            {"Range": "bytes=0-1"}, {"Range": "bytes=999999999-"}, {"If-None-Match": "*"}, {"Expect": "tea"}, {"X-Filler": "x" * 40000},
            {"Accept": "text/tea"}, {"Authorization": "Bearer x"}, {"Prefer": "respond-async"}, {"Host": "b"}, {"Host": "rebound.example"})]
        bodies = [("", body, headers) for body in (image, journals, b"x", b"\x89PNG\r\n\x1a\n") for headers in (
            {}, {"Range": "bytes=0-1"}, {"Range": "bytes=999999999-"}, {"Content-Encoding": "gzip"}, {"Content-Type": "multipart/form-data"},
            {"Accept": "text/tea"}, {"Idempotency-Key": "x"}, {"Origin": "http://a.example"})]
        sound = b"RIFF" + struct.pack("<I4s4sIHHIIHH4sI", 136, b"WAVE", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8, b"data", 100) + b"\x80" * 100
        others = [(query, sound, {}) for query in ("", "format=audiowaveform", "format=wavesurfer", "format=soundcloud")] + [("", text, {}) for text in (
            b'{"name":"Ines"}', b'{"time":0,"text":"x"}', b'{"format":"wayreel-plot","version":1}', b"time,stream,a\n0,s,1\n")]
        large = [("", b"", {"Content-Length": str(1 << 40)})]
        wrong = [(query, body, {}) for query in ("tea=1", "screen=0x0", "%ff") for body in (None, image)]
        seen, judged = {}, set()
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                unknown = {name: "00000000-0000-0000-0000-000000000000" if name in ("note", "capture") else "none" for name in known}
                for names in known, {**known, "job": queued}, unknown, {**unknown, "player": "ines", "story": "mill"}:
                    if method == "delete" and names != unknown: continue
                    for query, body, headers in plain + odd + bodies + others + large + wrong:
                        if headers.get("Host") == "b":
                            # Two hosts are a malformed request, which Python does not send by itself.
                            import socket
                            host, port = base.split("//")[1].split(":")
                            with socket.create_connection((host, int(port))) as s:
                                s.sendall(f"{method.upper()} {address(path, names)} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n".encode())
                                status = int(s.recv(65536).split()[1])
                        elif path == "/v1/jobs/{job}/events" and names["job"] == queued: continue
                        else:
                            where = address(path, names)
                            where += ("&" if "?" in where and where[-1] != "?" else "") + query
                            try: status, answered, text = call(base, method.upper(), where, body, {**token, **headers})
                            except ConnectionError: continue
                            if status != 206: judged.add(judge(base, method, path, status, answered, text))
                        seen.setdefault(status, set()).add(method + " " + path)
                        assert str(status) in operation["responses"], (method, path, names, query, body and body[:20], headers, status)
                        assert status != 206 or method == "get", (method, path)
        if "tokens" not in sys.argv: call(base, "DELETE", "/v1/jobs/" + queued)
        print(*sorted(seen), *sorted(judged - {None}))
        """#

    private func start(_ options: String = "") throws -> RunningServer {
        try RunningServer("--stories bundles --data data --queued-jobs 100000 \(options)") { bench in
            try MillStory.prepare(in: bench)
            try bench.write("p:\(String(repeating: "ab", count: 32))\n", to: "player-keys.txt")
            expectDone(try bench.shell("cp Media/scrapbook/bunny-720p-h264-5.1.mp4 clip.mp4"))
        }
    }

    @Test func answersWhatIsDescribed() throws {
        let server = try start()
        let statuses = try server.bench.python(Self.program, server.base)
        // All that these requests should lead to was seen.
        let wanted = "200 201 202 206 304 400 403 404 406 409 413 415 416 417 421 422 426 431"
        let missed = Set(wanted.split(separator: " ")).subtracting(statuses.split { " \n".contains($0) })
        #expect(missed.isEmpty, "\(statuses)")
        let schemas =
            "Description Job JournalAnswer LevelsAnswer Manifest Mark MarkList MergedJournal Note NoteList PlotSettings "
            + "Problem Recording RecordingList Story StoryList"
        let unjudged = Set(schemas.split(separator: " ")).subtracting(statuses.split { " \n".contains($0) })
        #expect(unjudged.isEmpty, "\(statuses)")
    }

    @Test func answersWhatIsDescribedWithTokens() throws {
        // All ways to sign in; the provider is out of order.
        let server = try start(
            "--player-keys player-keys.txt --public-url https://stories.example.org --sign-up true "
                + "--oidc-issuer http://127.0.0.1:9/ --oidc-client-id wayreel")
        let statuses = try server.bench.python(Self.program, server.base, "tokens")
        #expect(statuses.split { " \n".contains($0) }.contains("401"), "\(statuses)")
    }

    /// A client that asks too often is told so at every address but those that programs poll.
    @Test func describesLimits() throws {
        let server = try RunningServer("--stories bundles --data data --client-rate 0.01") { bench in
            try MillStory.prepare(in: bench)
        }
        let text = try server.bench.python(
            #"""
            base = sys.argv[1]
            document = json.loads(call(base, "GET", "/openapi.json")[2])
            limited = set()
            for path, operations in document["paths"].items():
                for method, operation in operations.items():
                    for _ in range(2): status = call(base, method.upper(), path.replace("{", "").replace("}", ""))[0]
                    if status == 429: limited.add(path)
                    assert str(status) in operation["responses"], (method, path, status)
            print(*sorted(set(document["paths"]) - limited))
            """#, server.base)
        #expect(text == "/health /metrics /ready\n")
    }
}
