import Glibc
import TestSupport
import Testing

/// Jobs over HTTP, judged by ffprobe, by SQLite and by the files on disk.
@Suite struct JobTests {
    private static let clip = "@Media/scrapbook/rotate-and-reflect.mp4"
    /// A clip whose transcode takes seconds.
    private static let long = "@Media/scrapbook/bunny-720p-h264-5.1.mp4"
    private static let longQuery = "?screen=426x240&copy=no&preset=veryslow"

    /// Posts a job and returns its path.
    private func post(_ server: RunningServer, _ query: String, _ body: String) throws -> String {
        let answer = try server.head("/v1/transcodes\(query)", "--data-binary \(body)")
        let text = try server.bench.text("body.out")
        #expect(answer.status == "HTTP/1.1 202 Accepted", "\(text)")
        return try #require(answer.headers["location"])
    }

    /// Returns a member of a job's JSON, as Python prints it.
    private func member(_ server: RunningServer, _ job: String, _ name: String) throws -> String {
        _ = try server.curl("-o job.json", path: job)
        return try server.bench.shell(
            "python3 -c 'import json; print(json.load(open(\"job.json\")).get(\"\(name)\"))'"
        ).text.filter { !$0.isNewline }
    }

    /// Polls for at least half a minute.
    private func wait(until holds: () throws -> Bool) rethrows {
        for _ in 0..<600 {
            if try holds() { return }
            usleep(50_000)
        }
    }

    private func wait(_ server: RunningServer, _ job: String, until states: Set<String>) throws -> String {
        var state = ""
        try wait {
            state = try member(server, job, "state")
            return states.contains(state)
        }
        return state
    }

    /// Returns the rows of the database as read by another program: `state starts`.
    private func rows(_ bench: Workbench) throws -> [String] {
        try bench.python(
            """
            import sqlite3
            for row in sqlite3.connect("state/jobs.sqlite").execute("SELECT state, starts FROM job ORDER BY created"): print(*row)
            """
        ).split(separator: "\n").map(String.init)
    }

    @Test func transcodesWithProgressAndAResult() throws {
        let server = try RunningServer("--data state")
        let bench = server.bench
        let job = try post(server, "?screen=160x160&copy=no&download=clip.mp4", Self.clip)
        let id = try #require(job.split(separator: "/").last)
        // 128 bits in base64url are 22 digits.
        #expect(id.count >= 22)
        #expect(try post(server, "?screen=160x160", Self.clip) != job)

        let events = try server.curl("-N -o events.txt -D events.head -H 'Last-Event-ID: 0.5'", path: "\(job)/events")
        #expect(events.ending == .exited(0))
        #expect(try bench.text("events.head").contains("Content-Type: text/event-stream\r\n"))
        _ = try bench.python(
            """
            kinds, progress = [], []
            for event in open("events.txt").read().strip().split("\\n\\n"):
                fields = dict(line.split(": ", 1) for line in event.split("\\n") if not line.startswith(":"))
                if not fields: continue
                data = json.loads(fields["data"]); assert data["state"] == fields["event"] and "id" in fields
                kinds.append(fields["event"]); progress.append(data["progress"])
            assert progress == sorted(progress) and 0 <= progress[0] and progress[-1] == 1, progress
            assert kinds[-1] == "done" and set(kinds[:-1]) <= {"queued", "running"}, kinds
            """)

        let whole = try server.head("\(job)/result")
        #expect(whole.status == "HTTP/1.1 200 OK")
        #expect(whole.headers["content-type"] == "video/mp4")
        #expect(whole.headers["content-disposition"]?.contains("clip.mp4") == true)
        let bytes = try bench.bytes("body.out")
        let probe = try bench.shell(
            "ffprobe -v error -select_streams v -show_entries stream=codec_name,width,height -of csv=p=0 body.out")
        // The displayed size of the source is 720 × 1080; sides are even.
        #expect(probe.text.hasPrefix("h264,106,160"), "\(probe.text)")
        #expect(try member(server, job, "bytes") == "\(bytes.count)")
        #expect(try server.head("\(job)/result", "-r 5-14").status == "HTTP/1.1 206 Partial Content")
        #expect(try bench.bytes("body.out") == Array(bytes[5..<15]))
        let tag = try #require(whole.headers["etag"])
        #expect(try server.head("\(job)/result", "-H 'If-None-Match: \(tag)'").status == "HTTP/1.1 304 Not Modified")
        // The input is not kept.
        #expect(bench.listing("state/jobs/\(id)") == ["result"])

        #expect(try server.head(job, "-X DELETE").status == "HTTP/1.1 204 No Content")
        #expect(try server.head(job).status == "HTTP/1.1 404 Not Found")
        #expect(!bench.listing("state/jobs").contains(String(id)))
        #expect(try server.head("/v1/jobs/\(String(id.reversed()))").status == "HTTP/1.1 404 Not Found")
        // The log does not contain the id.
        let log = try bench.text("err.txt")
        #expect(!log.contains(String(id)))
    }

    /// ffprobe follows the playlists over HTTP; the validator of HLS checks what was fetched. Python resolves the
    /// addresses.
    @Test func streamsHLSWithAPoster() throws {
        let server = try RunningServer("--data state")
        let bench = server.bench
        let job = try post(server, "?hls=true&ladder=426x240@400,320x180@200&poster=true&screen=426x240", Self.clip)
        #expect(try wait(server, job, until: ["done", "failed"]) == "done")
        let master = "\(job)/result/master.m3u8"
        #expect(try member(server, job, "result") == master)
        #expect(try member(server, job, "type") == "application/vnd.apple.mpegurl")
        #expect(try member(server, job, "poster") == "\(job)/result/poster.jpg")
        let result = try server.head("\(job)/result")
        #expect(result.status == "HTTP/1.1 307 Temporary Redirect" && result.headers["location"] == master)
        let probe = try bench.shell(
            "ffprobe -v error -show_entries stream=codec_name -of csv=p=0 '\(server.base)\(master)' | sort -u")
        #expect(probe.text.contains("h264"), "\(probe.errors)")
        let text = try bench.python(
            #"""
            base, job = sys.argv[1:3]
            root = job + "/result/"
            import re
            found, rest = {}, ["master.m3u8"]
            while rest:
                name = rest.pop()
                if name in found: continue
                status, headers, body = call(base, "GET", root + name)
                assert status == 200, (name, status)
                found[name] = headers["content-type"]
                os.makedirs(os.path.dirname("fetched/" + name) or ".", exist_ok=True); open("fetched/" + name, "wb").write(body)
                if name.endswith(".m3u8"):
                    lines = body.decode().splitlines()
                    uris = [line for line in lines if line and line[0] != "#"] + re.findall(r'URI="([^"]+)"', body.decode())
                    rest += [os.path.normpath(os.path.join(os.path.dirname(name), urllib.parse.unquote(uri))) for uri in uris]
                elif name.endswith(".vtt"): assert headers["content-type"].startswith("text/vtt")
            types = {name.rsplit(".", 1)[1]: kind for name, kind in found.items()}
            assert types["m3u8"] == "application/vnd.apple.mpegurl" and types["m4s" if "m4s" in types else "mp4"].startswith("video/"), types
            status, headers, poster = call(base, "GET", root + "poster.jpg", headers={"Range": "bytes=0-1"})
            assert (status, headers["content-type"], poster) == (206, "image/jpeg", b"\xff\xd8")
            tag = headers["etag"]
            assert call(base, "GET", root + "poster.jpg", headers={"If-None-Match": tag})[0] == 304
            # What the job counts is what is on the disk.
            files = [os.path.join(path, name) for path, _, names in os.walk("state/jobs") for name in names]
            assert json.loads(call(base, "GET", job)[2])["bytes"] == sum(map(os.path.getsize, files))
            hidden = [path.split("/result/")[1] for path in files if "/." in path.split("/result")[1]]
            for name in hidden + ["none", "../input", "%2e%2e/input", "..%2finput", "poster.jpg/x", "master.m3u8%00"]:
                assert call(base, "GET", root + name)[0] in (400, 404), name
            print(len(found) > 5)
            """#, server.base, job)
        #expect(text == "True\n")
        expectDone(try bench.shell("wayreel validate fetched/"))
    }

    @Test func keepsThePosterOfAVideo() throws {
        let server = try RunningServer("--data state")
        let job = try post(server, "?poster=true&screen=160x160", Self.clip)
        #expect(try wait(server, job, until: ["done", "failed"]) == "done")
        #expect(try member(server, job, "result") == "\(job)/result")
        #expect(try server.head("\(job)/result/poster.jpg").headers["content-type"] == "image/jpeg")
        let probe = try server.bench.shell("ffprobe -v error -show_entries stream=codec_name -of csv=p=0 body.out")
        #expect(probe.text == "mjpeg\n")
        #expect(try server.head("\(job)/result/master.m3u8").status == "HTTP/1.1 404 Not Found")
        let wrong = [
            "ladder=auto", "segment-seconds=6", "hls=true&crf=20", "hls=true&ladder=10", "hls=true&segment-seconds=5",
            "parallel-gops=2", "hls=true&parallel-gops=0", "hls=true&parallel-gops=5",
            "hls=true&codec=av1&parallel-gops=2",
        ]
        for query in wrong {
            let answer = try server.head("/v1/transcodes?\(query)", "--data-binary \(Self.clip)")
            #expect(answer.status == "HTTP/1.1 400 Bad Request", "\(query)")
        }
    }

    @Test func runsAgainWhatAKilledServerLeft() throws {
        let server = try RunningServer("--data state")
        let bench = server.bench
        let job = try post(server, Self.longQuery, Self.long)
        let waiting = try post(server, "?screen=160x160", Self.clip)
        _ = try wait(server, job, until: ["running"])
        try wait { try member(server, job, "progress") != "0.0" }
        #expect(try member(server, job, "state") == "running")
        server.kill9()
        #expect(try rows(bench) == ["running 1", "queued 0"])

        let next = try RunningServer("--data state", in: bench)
        #expect(try wait(next, job, until: ["done", "failed"]) == "done")
        #expect(try wait(next, waiting, until: ["done", "failed"]) == "done")
        _ = try next.head("\(job)/result")
        let probe = try bench.shell(
            "ffprobe -v error -show_entries stream=codec_name,width,height:format=duration -of csv=p=0 body.out")
        #expect(probe.text.contains("h264,426,240"), "\(probe.text)")
        let seconds = Double(probe.text.split(separator: "\n").last ?? "") ?? 0
        #expect(abs(seconds - 5.312) < 0.1)
        let id = try #require(job.split(separator: "/").last)
        #expect(bench.listing("state/jobs/\(id)") == ["result"])
        #expect(try rows(bench) == ["done 2", "done 1"])
    }

    /// A job that ends the server three times is not started again.
    @Test func givesUpWhatEndsTheServer() throws {
        let bench = Workbench()
        var server = try RunningServer("--data state", in: bench)
        let job = try post(server, Self.longQuery, Self.long)
        for _ in 0..<3 {
            #expect(try wait(server, job, until: ["running"]) == "running")
            usleep(200_000)
            server.kill9()
            server = try RunningServer("--data state", in: bench)
        }
        #expect(try member(server, job, "state") == "failed")
        #expect(try member(server, job, "problem").contains("interrupted"))
    }

    /// A start that the database refuses would not count, so the job fails instead.
    @Test func startsNoJobThatItCannotRecord() throws {
        let server = try RunningServer("--data state")
        _ = try server.bench.python(
            """
            import sqlite3
            sqlite3.connect("state/jobs.sqlite").execute(
                "CREATE TRIGGER refuse BEFORE INSERT ON job WHEN NEW.state = 'running' BEGIN SELECT RAISE(ABORT, 'no'); END")
            """)
        let job = try post(server, "?screen=160x160", Self.clip)
        #expect(try wait(server, job, until: ["done", "failed"]) == "failed")
        #expect(try server.head("\(job)/result").status == "HTTP/1.1 409 Conflict")
    }

    @Test func putsRunningJobsBackWhenItIsTold() throws {
        let server = try RunningServer("--data state")
        let bench = server.bench
        let job = try post(server, Self.longQuery, Self.long)
        _ = try wait(server, job, until: ["running"])
        let watching = try bench.shell(
            "curl -s -N -m 60 '\(server.base)\(job)/events' > events.txt & sleep 0.5; kill -TERM \(server.process); wait; echo ended"
        )
        #expect(watching.text == "ended\n")
        server.terminate()
        #expect(try rows(bench) == ["queued 0"])

        let next = try RunningServer("--data state", in: bench)
        _ = try wait(next, job, until: ["running"])
        #expect(try next.head("\(job)/result").status == "HTTP/1.1 409 Conflict")
        #expect(try next.head(job, "-X DELETE").status == "HTTP/1.1 204 No Content")
        #expect(try member(next, job, "state") == "cancelled")
        wait { bench.listing("state/jobs").isEmpty }
        #expect(bench.listing("state/jobs") == [])
        #expect(try rows(bench) == ["cancelled 1"])
        // No process of the job remains.
        let children = try bench.shell("cat /proc/\(next.process)/task/*/children")
        #expect(!children.text.contains { $0.isNumber })
    }

    @Test func showsThatAWaitingJobIsAlive() throws {
        let server = try RunningServer("--data state --idle-seconds 4")
        let first = try post(server, Self.longQuery, Self.long)
        let second = try post(server, Self.longQuery, Self.long)
        let events = try server.bench.shell(
            "curl -s -N '\(server.base)\(second)/events' > events.txt & until grep -q heartbeat events.txt; do sleep 0.05; done; kill $!"
        )
        #expect(events.ending == .exited(0))
        #expect(try server.bench.text("events.txt").hasPrefix("event: queued\nid: "))
        for job in [second, first] { _ = try server.head(job, "-X DELETE") }
    }

    @Test func saysWhyAVideoFails() throws {
        let server = try RunningServer("--data state") { bench in
            _ = try bench.shell("head -c 60000 Media/scrapbook/portrait.mp4 > cut.mp4")
        }
        let job = try post(server, "", "@cut.mp4")
        #expect(try wait(server, job, until: ["done", "failed"]) == "failed")
        _ = try server.bench.python(
            """
            problem = json.load(open("job.json"))["problem"]
            assert problem["status"] in (415, 422) and problem["title"] and problem["detail"], problem
            """)
        let told = try server.bench.text("job.json")
        #expect(!told.contains("state/jobs"))
        #expect(try server.head("\(job)/result").status == "HTTP/1.1 409 Conflict")
        #expect(server.bench.listing("state/jobs") == [])
    }

    @Test func forgetsWhatHasExpired() throws {
        let server = try RunningServer("--data state --job-seconds 1")
        let job = try post(server, "?no-video=true", Self.long)
        try wait { try server.head(job).status != "HTTP/1.1 200 OK" }
        #expect(try server.head("\(job)/result").status == "HTTP/1.1 404 Not Found")
        try wait { try rows(server.bench).isEmpty }
        #expect(try rows(server.bench) == [])
        #expect(server.bench.listing("state/jobs") == [])
    }

    /// A version may store work, or a state, that another one does not know. Python writes and reads the rows.
    @Test func keepsTheJobsOfAnotherVersion() throws {
        let bench = Workbench()
        let first = try RunningServer("--data state", in: bench)
        let job = try post(first, "?screen=160x160", Self.clip)
        #expect(try wait(first, job, until: ["done", "failed"]) == "done")
        first.terminate()
        let rows = "print(*sqlite3.connect('state/jobs.sqlite').execute('SELECT * FROM job ORDER BY id'))"
        let before = try bench.python(
            """
            import sqlite3
            database = sqlite3.connect("state/jobs.sqlite")
            database.execute("UPDATE job SET state = 'paused'")
            for id, state, ended in [("newer-queued", "queued", None), ("newer-done", "done", time.time())]:
                database.execute("INSERT INTO job VALUES (?, ?, ?, 1.5, ?, 5, 7, NULL, 0)", (id, '{"work":{"narrate":{}}}', state, ended))
                os.mkdir("state/jobs/" + id)
                for name, size in [("input", 5), ("result", 7)]: open("state/jobs/%s/%s" % (id, name), "w").write("x" * size)
            database.commit()
            \(rows)
            """)
        let second = try RunningServer("--data state", in: bench)
        _ = try bench.python(
            """
            base = sys.argv[1]
            for path in sys.argv[2:]:
                job = json.loads(call(base, "GET", path)[2])
                assert (job["state"], job["kind"], job["problem"]["code"]) == ("failed", "unknown", "version"), job
                assert "another version" in job["problem"]["title"] and "expires" in job, job
                assert call(base, "GET", path + "/result")[0] == 409
                assert os.listdir("state/jobs/" + path.split("/")[-1]), path
            metrics = call(base, "GET", "/metrics")[2].decode()
            files = [os.path.join(path, name) for path, _, names in os.walk("state/jobs") for name in names]
            assert "wayreel_jobs_bytes %.1f\\n" % sum(map(os.path.getsize, files)) in metrics, metrics
            """, second.base, job, "/v1/jobs/newer-queued", "/v1/jobs/newer-done")
        second.terminate()
        #expect(try bench.python("import sqlite3; \(rows)") == before)

        let third = try RunningServer("--data state --job-seconds 6", in: bench)
        #expect(try third.head("/v1/jobs/newer-queued", "-X DELETE").status == "HTTP/1.1 204 No Content")
        #expect(!bench.listing("state/jobs").contains("newer-queued"))
        wait { bench.listing("state/jobs").isEmpty }
        #expect(bench.listing("state/jobs") == [])
        #expect(try self.rows(bench) == [])
    }

    @Test func limitsTheMemoryOfAJob() throws {
        let server = try RunningServer("--data state --max-memory 50MB")
        let job = try post(server, Self.longQuery, Self.long)
        #expect(try wait(server, job, until: ["done", "failed"]) == "failed")
        let problem = try member(server, job, "problem")
        for word in ["'outOfMemory'", "needs more than 50 MB of memory", "a setting of the server"] {
            #expect(problem.contains(word), "\(problem)")
        }
        #expect(server.bench.listing("state/jobs") == [])
        let small = try server.bench.shell("wayreel serve --max-memory 49MB --check")
        expectRefused(small, 2, "max-memory", "at least 50MB")
    }

    @Test func refusesWhatThereIsNoRoomFor() throws {
        let server = try RunningServer(
            "--data state --queued-jobs 3 --job-bytes 4MB --max-video-bytes 2MB --client-share 1")
        let bench = server.bench
        // At its own size, the transcode takes longer than the whole test.
        let query = "?copy=no&preset=veryslow"
        let first = try post(server, query, Self.long)
        // 2.5 MB, with and without a declared length.
        let large = "--data-binary @Media/scrapbook/portrait-4k60-vfr.mp4"
        let chunked = "-H 'Transfer-Encoding: chunked'"
        #expect(try server.head("/v1/transcodes", large).status.hasPrefix("HTTP/1.1 413"))
        #expect(try server.head("/v1/transcodes", "\(large) \(chunked)").status.hasPrefix("HTTP/1.1 413"))

        let second = try post(server, query, Self.long)
        let third = try post(server, "", Self.clip)
        let fourth = try server.head("/v1/transcodes", "--data-binary \(Self.clip)")
        #expect(fourth.status == "HTTP/1.1 503 Service Unavailable")
        #expect(fourth.headers["retry-after"] != nil)
        #expect(fourth.headers["content-type"] == "application/problem+json")
        #expect(try server.head(third, "-X DELETE").status == "HTTP/1.1 204 No Content")
        #expect(try server.head(third).status == "HTTP/1.1 200 OK")

        // Twice 1.3 MB and 2 MB exceed the limit together.
        _ = try bench.shell("head -c 1999000 /dev/zero > zero")
        #expect(try server.head("/v1/transcodes", "--data-binary @zero").status.hasPrefix("HTTP/1.1 503"))
        let streamed = try server.head("/v1/transcodes", "--data-binary @zero \(chunked)")
        #expect(streamed.status.hasPrefix("HTTP/1.1 503"), "\(streamed.status)")
        for (query, status) in [("?scren=1", 400), ("?crf=20&quality=high", 400), ("?crf=99", 400), ("?fit=pad", 400)] {
            let answer = try server.head("/v1/transcodes\(query)", "--data-binary \(Self.clip)")
            #expect(answer.status.hasPrefix("HTTP/1.1 \(status)"), "\(query) \(answer.status)")
        }
        #expect(try server.head("/v1/transcodes", "-F file=\(Self.clip)").status.hasPrefix("HTTP/1.1 415"))
        #expect(try server.head("/v1/transcodes", "-X POST").status.hasPrefix("HTTP/1.1 400"))
        // Refused uploads leave no files.
        #expect(bench.listing("state/jobs").count == 2)
        let metrics = try server.curl("", path: "/metrics").text
        #expect(metrics.contains("\nwayreel_jobs_running 1.0\n"))
        for job in [first, second] { _ = try server.head(job, "-X DELETE") }
    }

    /// The client disconnects in the middle of its upload.
    @Test func keepsNothingOfAnUploadThatIsCutOff() throws {
        let server = try RunningServer("--data state")
        _ = try server.bench.python(
            """
            import socket
            host, port = sys.argv[1].rsplit("/", 1)[1].split(":")
            for framing in [b"Content-Length: 500000", b"Transfer-Encoding: chunked"]:
                s = socket.create_connection((host, int(port)))
                s.sendall(b"POST /v1/transcodes HTTP/1.1\\r\\nHost: x\\r\\n" + framing + b"\\r\\n\\r\\n")
                s.sendall((b"" if b"Length" in framing else b"30D40\\r\\n") + bytes(100000))
                s.close()
            """, server.base)
        try wait {
            let metrics = try server.curl("", path: "/metrics").text
            return server.bench.listing("state/jobs").isEmpty && metrics.contains("wayreel_jobs_bytes 0.0")
        }
        #expect(server.bench.listing("state/jobs") == [])
        #expect(try rows(server.bench) == [])
        #expect(try server.curl("", path: "/metrics").text.contains("wayreel_jobs_bytes 0.0"))
    }

    /// A small disk: first an upload does not fit, then a result. The service continues.
    @Test(.enabled(if: getuid() == 0, "mounting takes root")) func survivesAFullDisk() throws {
        let bench = Workbench()
        bench.makeFolder("state")
        guard mount("wayreel-test", bench.path("state"), "tmpfs", 0, "size=1900k") == 0 else { return }
        defer { umount2(bench.path("state"), Int32(MNT_DETACH)) }
        let server = try RunningServer("--data state", in: bench)
        let large = try server.head("/v1/transcodes", "--data-binary @Media/scrapbook/portrait-4k60-vfr.mp4")
        #expect(large.status == "HTTP/1.1 507 Insufficient Storage")
        #expect(bench.listing("state/jobs") == [])

        let job = try post(server, "?copy=no&crf=1&preset=ultrafast", Self.long)
        #expect(try wait(server, job, until: ["done", "failed"]) == "failed")
        #expect(try member(server, job, "problem").contains("'storage'"))
        let small = try post(server, "?screen=160x160", Self.clip)
        #expect(try wait(server, small, until: ["done", "failed"]) == "done")
        #expect(try rows(bench) == ["failed 1", "done 1"])
    }

    @Test func makesCapturesLaterWhereThatIsPreferred() throws {
        let server = try RunningServer("--data state")
        let query = "?screen=200x200&filter=sepia-tone:intensity%3D0.8"
        #expect(try server.head("/v1/captures\(query)", "--data-binary @photo.jpg").status == "HTTP/1.1 200 OK")
        let now = try server.bench.bytes("body.out")
        let later = try server.head(
            "/v1/captures\(query)", "-H 'Prefer: handling=lenient, Respond-Async; wait=10' --data-binary @photo.jpg")
        #expect(later.status == "HTTP/1.1 202 Accepted")
        #expect(later.headers["preference-applied"] == "respond-async")
        let job = try #require(later.headers["location"])
        #expect(try wait(server, job, until: ["done", "failed"]) == "done")
        #expect(try member(server, job, "kind") == "capture")
        #expect(try server.head("\(job)/result").headers["content-type"] == "image/jpeg")
        #expect(try server.bench.bytes("body.out") == now)

        let without = try RunningServer()
        let answer = try without.head("/v1/captures\(query)", "-H 'Prefer: respond-async' --data-binary @photo.jpg")
        #expect(answer.status == "HTTP/1.1 200 OK")
        #expect(answer.headers["preference-applied"] == nil)
        #expect(try without.head("/v1/transcodes", "-X POST").status == "HTTP/1.1 404 Not Found")
    }

    @Test func leavesTheJobsOfAnotherServerAlone() throws {
        let server = try RunningServer("--data state")
        let second = try server.bench.shell("timeout 20 wayreel serve --listen 127.0.0.1:0 --data state")
        expectRefused(second, 1, "another server", "--data")
        expectRefused(try server.bench.shell("wayreel serve --data photo.jpg --check"), 1, "photo.jpg")
    }

    @Test func takesRecipesAloneWhereNothingElseIsOpen() throws {
        let server = try RunningServer("--data state --recipes-only --recipes recipes") { bench in
            _ = try bench.shell("mkdir recipes; printf 'output: {screen: 80x80}\\n' > recipes/tiny.yml")
        }
        #expect(
            try server.head("/v1/transcodes?crf=30", "--data-binary \(Self.clip)").status.hasPrefix("HTTP/1.1 403"))
        let job = try post(server, "?recipe=tiny", Self.clip)
        #expect(try wait(server, job, until: ["done", "failed"]) == "done")
        _ = try server.head("\(job)/result")
        let probe = try server.bench.shell(
            "ffprobe -v error -select_streams v -show_entries stream=width,height -of csv=p=0 body.out")
        #expect(probe.text.contains("80"), "\(probe.text)")
    }
}
