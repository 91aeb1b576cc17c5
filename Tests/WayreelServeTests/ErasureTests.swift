import Glibc
import TestSupport
import Testing

/// What a player deletes at the service: it is gone, it frees its quota, and no device brings it back.
@Suite struct ErasureTests {
    private static let prelude = #"""
        base = sys.argv[1]
        now = lambda seconds=0: datetime.datetime.fromtimestamp(time.time() + seconds, datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        photo = open("photo.jpg", "rb").read()
        upload = "/v1/stories/late-post/events/bell-tower/captures?player=%s&screen=100x100"
        def take(id, player="ines", more="", expected=201):
            status, headers, body = call(base, "POST", upload % player + more, photo, {"Idempotency-Key": id})
            assert status == expected, (status, body)
            return headers.get("location") or json.loads(body)
        def read(player="ines"): return json.loads(call(base, "GET", "/v1/players/%s/stories/late-post/journal" % player)[2])
        def post(text, player="ines", since=None):
            status, headers, body = call(base, "POST", "/v1/players/%s/stories/late-post/journal" % player + ("" if since is None else "?since=" + since), text)
            assert status == 200, body
            return json.loads(body)
        def delete(path, expected=204):
            status, headers, body = call(base, "DELETE", path)
            assert status == expected and (body == b"") == (expected == 204), (status, body)
        def files(): return sorted(os.path.join(folder, name) for folder, _, names in os.walk("data") for name in names if name.endswith((".jpg", ".jpeg")))
        ids = ["00000000-0000-4000-8000-%012d" % number for number in range(30)]

        """#

    private func start(_ options: String = "") throws -> RunningServer {
        try RunningServer("--data data --stories bundles \(options)") { bench in
            try bench.prepareSampleStory()
            try bench.writeKey("5a", as: "p")
        }
    }

    @Test func aCapture() throws {
        let server = try start()
        _ = try server.bench.python(
            Self.prelude + #"""
                address = take(ids[0])
                take(ids[1])
                entry = {"id": ids[0], "event": "bell-tower", "timestamp": "2020-01-01T00:00:00Z"}
                known = post(journal("late-post", captures=[entry]), since="")["cursor"]
                delete(address)
                assert call(base, "GET", address)[0] == 404 and len(files()) == 1
                assert [capture["id"] for capture in read()["captures"]] == [ids[1]]
                # Other devices learn it, and what they still have does not return.
                changes = json.loads(call(base, "GET", "/v1/players/ines/stories/late-post/journal?since=" + known)[2])
                assert [mark["id"] for mark in changes["removed"]] == [ids[0]] and changes["captures"] == [], changes
                for since in (None, "", changes["cursor"]):
                    post(journal("late-post", captures=[entry]), since=since)
                    assert [capture["id"] for capture in read()["captures"]] == [ids[1]]
                # An older device is answered in its own version.
                assert post(journal("late-post"))["version"] == 1 and read()["version"] == 2
                # An upload that is repeated is refused, and a repeated deletion is answered as the first one.
                assert take(ids[0], expected=410)["code"] == "removed"
                delete(address)
                delete("/v1/players/ines/captures/" + ids[9], expected=404)
                # A device deletes by its journal as well, also what was never uploaded.
                mark = json.dumps({"format": "wayreel-journal", "version": 2, "story": "late-post", "removed": [{"id": id, "timestamp": now()} for id in (ids[1], ids[2])]})
                post(mark, since="")
                assert files() == [] and read()["captures"] == []
                take(ids[2], expected=410)
                take(ids[3])
                """#, server.base)
    }

    /// A player whose quota is full deletes something, and goes on.
    @Test func deletingFreesTheQuota() throws {
        let server = try start("--player-bytes 4kB")
        _ = try server.bench.python(
            Self.prelude + #"""
                kept = []
                for id in ids:
                    status, headers, body = call(base, "POST", upload % "ines", photo, {"Idempotency-Key": id})
                    if status != 201: break
                    kept.append(headers["location"])
                problem = json.loads(body)
                assert status == 403 and problem["code"] == "quota" and "delete captures or notes" in problem["detail"], problem
                note = "/v1/notes?player=ines&latitude=1&longitude=2&screen=100x100"
                assert call(base, "POST", note, photo)[0] == 403
                for address in kept: delete(address)
                delete(take(ids[20]))
                assert call(base, "POST", note, photo)[0] == 201
                """#, server.base)
    }

    /// A device repeats an upload whose answer was lost, also after the note was deleted elsewhere.
    @Test func aNote() throws {
        let server = try start()
        _ = try server.bench.python(
            Self.prelude + #"""
                note = "/v1/notes?player=%s&latitude=1&longitude=2&screen=100x100"
                def leave(id, player="ines"): return call(base, "POST", note % player, photo, {"Idempotency-Key": id})
                status, headers, body = leave(ids[0])
                assert status == 201 and leave(ids[0])[0] == 201 and len(files()) == 1
                delete(headers["location"] + "?player=ines")
                status, headers, body = leave(ids[0])
                assert status == 410 and json.loads(body)["code"] == "removed" and files() == [], (status, body)
                # The id is another player's own.
                assert leave(ids[0], "bob")[0] == 201 and leave(ids[1])[0] == 201
                delete("/v1/players/ines")
                assert leave(ids[1])[0] == 410 and len(files()) == 1
                assert leave(ids[2])[0] == 201
                """#, server.base)
    }

    @Test func aJournal() throws {
        let server = try start()
        _ = try server.bench.python(
            Self.prelude + #"""
                old = {"found": [{"event": "bell-tower", "timestamp": "2020-01-01T00:00:00Z"}], "attempts": [{"lockbox": "box", "text": "1905", "timestamp": now(-5)}]}
                known = post(journal("late-post", **old), since="")["cursor"]
                take(ids[0])
                post(journal("late-post", **old), player="bob")
                begun = now()
                delete("/v1/players/ines/stories/late-post/journal")
                assert files() == [] and os.listdir("data/players/ines/journals") == []
                assert json.loads(call(base, "GET", "/v1/players/ines/journal")[2]) == []
                # The cursor is unknown, and the answer says what is erased.
                changes = json.loads(call(base, "GET", "/v1/players/ines/stories/late-post/journal?since=" + known)[2])
                assert changes["whole"] and changes["found"] == [] and begun <= changes["erased"] <= now(), changes
                new = {"event": "library-door", "timestamp": now(1)}
                for since in (None, "", known):
                    post(journal("late-post", found=old["found"] + [new], attempts=old["attempts"]), since=since)
                    assert read()["found"] == [new] and read()["attempts"] == []
                # A photo that was taken before is refused, one that was taken after is not.
                take(ids[0], expected=410)
                take(ids[1], more="&taken=2020-01-01T00:00:00Z", expected=410)
                take(ids[2], more="&taken=" + now())
                take(ids[3])
                assert call(base, "POST", upload % "ines" + "&taken=yesterday", photo)[0] == 400
                # What was found anew is found again: the key counts from the erasure on.
                later = {"event": "bell-tower", "timestamp": now(2)}
                assert [entry["event"] for entry in post(journal("late-post", found=[later]))["found"]] == ["bell-tower", "library-door"]
                # A device erases by its journal as well, but not the future.
                mark = {"format": "wayreel-journal", "version": 2, "story": "late-post", "erased": now(3600)}
                post(json.dumps(mark), since="")
                assert read()["found"] == [] and files() == []
                status, headers, body = call(base, "POST", "/v1/players/ines/journal", json.dumps({**mark, "erased": "2999-01-01T00:00:00Z"}))
                assert status == 422 and b"in the future" in body
                assert len(read("bob")["found"]) == 1
                for path in ("/v1/players/ines/stories/..%2Fx/journal", "/v1/players/ines/stories/late-post/journal?x=1"): delete(path, expected=400)
                """#, server.base)
    }

    /// Everything of one player goes, nothing of another one, and the name of neither is left.
    @Test func aPlayer() throws {
        let server = try start()
        let program =
            Self.prelude + #"""
                note = "/v1/notes?player=%s&latitude=1&longitude=2&screen=100x100&visibility=all&text=secret-text"
                players = ("secretines", "bob")
                for number, player in enumerate(players):
                    take(ids[number], player=player)
                    post(journal("late-post", found=[{"event": "bell-tower", "timestamp": "2020-01-01T00:00:00Z"}]), player=player)
                    mill = journal("mill", opened=[{"lockbox": "box", "timestamp": iso(1)}])
                    assert call(base, "POST", "/v1/players/%s/journal" % player, mill)[0] == 200
                    assert call(base, "POST", note % player, photo)[0] == 201
                    recording = "/v1/recordings?title=secretines&player=" + player
                    assert call(base, "POST", recording, b"time,stream,a\n0,s,1\n", {"Idempotency-Key": ids[9]})[0] == 201
                assert len(files()) == 4
                titled = call(base, "DELETE", "/v1/recordings/%s?player=bob" % ids[9])
                assert titled[0] == 204, titled
                assert call(base, "POST", recording.replace("secretines", "walk"), b"time,stream,a\n0,s,1\n")[0] == 201
                delete("/v1/players/secretines")
                assert len(files()) == 2 and os.listdir("data/players") == ["bob"] and os.listdir("data/pending") == []
                assert len(json.loads(call(base, "GET", "/v1/notes?player=bob&latitude=1&longitude=2")[2])["notes"]) == 1
                assert json.loads(call(base, "GET", "/v1/players/secretines/journal")[2]) == []
                counts = [len(json.loads(call(base, "GET", "/v1/recordings?player=" + player)[2])["recordings"]) for player in players]
                assert counts == [0, 1], counts
                for folder, _, names in os.walk("data"):
                    for name in names: assert b"secretines" not in open(os.path.join(folder, name), "rb").read() and "secretines" not in name, name
                # Devices do not bring it back, and are told to remove what they have.
                assert post(journal("late-post", found=[{"event": "bell-tower", "timestamp": now(-60)}]), player="secretines")["found"] == []
                answer = json.loads(call(base, "GET", "/v1/players/secretines/stories/late-post/journal?since=")[2])
                assert answer["erased"] > "2026" and answer["found"] == []
                take(ids[0], player="secretines", more="&taken=" + now(-60), expected=410)
                # Repeated, and for a player who was never there.
                delete("/v1/players/secretines")
                delete("/v1/players/nobody")
                # The player starts anew.
                post(journal("late-post", found=[{"event": "bell-tower", "timestamp": now(1)}]), player="secretines")
                assert len(read("secretines")["found"]) == 1 and len(read("bob")["found"]) == 1
                """#
        _ = try server.bench.python(program, server.base)
    }

    /// A restored backup has what was deleted since. The next start removes it again, as long as `erasures.sqlite` was not
    /// restored.
    @Test func aRestoredBackup() throws {
        let first = try start()
        let bench = first.bench
        _ = try bench.python(
            Self.prelude + #"""
                for number, player in enumerate(("ines", "bob", "eve")):
                    take(ids[number], player=player)
                    post(journal("late-post", found=[{"event": "bell-tower", "timestamp": now(-9)}]), player=player)
                """#, first.base)
        first.terminate()
        expectDone(try bench.shell("cp -r data backup"))
        let second = try RunningServer("--data data --stories bundles", in: bench)
        _ = try bench.python(
            Self.prelude + #"""
                delete("/v1/players/ines")
                delete("/v1/players/bob/captures/" + ids[1])
                """#, second.base)
        second.terminate()
        expectDone(try bench.shell("cp data/erasures.sqlite backup/ && rm -r data && mv backup data"))
        let third = try RunningServer("--data data --stories bundles", in: bench)
        _ = try bench.python(
            Self.prelude + #"""
                assert len(files()) == 1 and "eve" in files()[0], files()
                assert read("ines")["found"] == [] and len(read("bob")["found"]) == len(read("eve")["found"]) == 1
                import sqlite3
                entries = lambda player: sqlite3.connect("data/players/%s/journals/late-post.sqlite" % player).execute("SELECT count(*) FROM found").fetchone()[0]
                assert [entries(player) for player in ("ines", "bob", "eve")] == [0, 1, 1]
                """#, third.base)
    }

    /// Another player's token deletes nothing, and neither does none.
    @Test func onlyThePlayerDeletes() throws {
        let server = try start("--player-keys keys.txt")
        _ = try server.bench.python(
            Self.prelude + #"""
                key = bytes([0x5a] * 32)
                ines, bob = [{"Authorization": "Bearer " + hs256({"sub": player}, key)} for player in ("ines", "bob")]
                assert call(base, "POST", "/v1/players/ines/journal", journal("mill", opened=[{"lockbox": "box", "timestamp": iso(1)}]), ines)[0] == 200
                for path in ("/v1/players/ines", "/v1/players/ines/stories/mill/journal", "/v1/players/ines/captures/" + ids[0]):
                    assert call(base, "DELETE", path, None, bob)[0] == 403 and call(base, "DELETE", path)[0] == 401
                assert len(json.loads(call(base, "GET", "/v1/players/ines/journal", None, ines)[2])) == 1
                assert call(base, "DELETE", "/v1/players/ines", None, ines)[0] == 204
                assert json.loads(call(base, "GET", "/v1/players/ines/journal", None, ines)[2]) == []
                """#, server.base)
    }
}
