import Glibc
import TestSupport
import Testing

/// Journals that devices synchronise over HTTP: what changed since a cursor, limits, damage, and players who wait for each
/// other.
@Suite struct JournalSyncTests {
    @Test func answersWithWhatChanged() throws {
        let server = try RunningServer("--data data")
        _ = try server.bench.python(
            #"""
            base, address = sys.argv[1], "/v1/players/ines/stories/mill/journal"
            lists = ["found", "opened", "attempts", "scores", "captures", "removed"]
            def sync(cursor, text=None, expected=200):
                status, headers, body = call(base, "POST" if text else "GET", address + "?since=" + urllib.parse.quote(cursor), text)
                assert status == expected, (status, body)
                changes = json.loads(body)
                if status == 200:
                    assert changes["format"] == "wayreel-journal-changes" and changes["version"] == 1 and changes["story"] == "mill", changes
                    assert "etag" not in headers and headers["cache-control"] == "no-store"
                    json.dump(changes, open("changes-%d.json" % len(os.listdir(".")), "w"))
                return changes
            def held(changes): return {kind: changes[kind] for kind in lists if changes.get(kind)}
            box = lambda numbers: [{"lockbox": "box", "text": str(number), "timestamp": iso(number)} for number in numbers]

            nothing = sync("")
            assert held(nothing) == {} and nothing["whole"] and not nothing["more"] and not os.path.exists("data/players/ines")
            phone = sync(nothing["cursor"], journal("mill", attempts=box(range(3))))
            assert held(phone) == {}, "a device does not need what it sent"
            tablet = sync("", journal("mill", attempts=box([9])))
            assert held(tablet) == {"attempts": box(range(3))}, tablet
            again = sync(phone["cursor"])
            assert held(again) == {"attempts": box([9])} and not again["whole"] and held(sync(again["cursor"])) == {}
            # Pages of a large journal, which have everything once.
            many = [{"lockbox": "box", "text": "x" * 500 + str(number), "timestamp": iso(number)} for number in range(3000)]
            sync(again["cursor"], journal("mill", attempts=many))
            pages, cursor, more = [], "", True
            while more:
                status, headers, body = call(base, "GET", address + "?since=" + cursor)
                assert len(body) < 2_500_000
                pages.append(json.loads(body))
                cursor, more = pages[-1]["cursor"], pages[-1]["more"]
            texts = [entry["text"] for page in pages for entry in page["attempts"]]
            assert len(pages) > 1 and len(texts) == len(set(texts)) == 3004, (len(pages), len(texts))
            assert [page["whole"] for page in pages] == [True] + [False] * (len(pages) - 1)
            # An older device posts all that it has, and is answered with everything.
            status, headers, body = call(base, "POST", address, journal("mill", attempts=box([5])))
            assert status == 200 and json.loads(body)["format"] == "wayreel-journal" and len(json.loads(body)["attempts"]) == 3005
            # What is no cursor is before everything.
            for text in ("x", "1.2.3", "99999999999999999999.1.1", "-1.-1.-1", "a" * 5000):
                assert sync(text)["whole"], text
            assert call(base, "GET", "/v1/players/ines/journal?since=")[0] == 400
            assert json.loads(call(base, "GET", "/v1/players/ines/journal?story=mill&since=" + cursor)[2])["more"] is False

            # A restored backup: the device's cursor is unknown, also when the file has as many changes again.
            import shutil
            file = "data/players/ines/journals/mill.sqlite"
            shutil.copy(file, "backup")
            before = sync(cursor)["cursor"]
            after = sync(before, journal("mill", opened=[{"lockbox": "a", "timestamp": iso(1)}]))["cursor"]
            shutil.copy("backup", file)
            assert sync(after)["whole"]
            sync("", journal("mill", opened=[{"lockbox": "b", "timestamp": iso(1)}]))
            assert sync(after)["whole"] and not sync(before)["whole"]
            """#, server.base)
        let text = try server.bench.python(
            #"""
            import glob, jsonschema
            journal, changes = [json.load(open(os.path.join(sys.argv[1], name))) for name in ("journal.schema.json", "journal-changes.schema.json")]
            # The references to the other schema.
            for name, value in changes["properties"].items():
                if value.get("$ref") == "journal.schema.json#/properties/" + name: changes["properties"][name] = journal["properties"][name]
            assert "$ref\": \"journal" not in json.dumps(changes)
            validator = jsonschema.Draft202012Validator({**changes, "$defs": journal["$defs"]})
            files = glob.glob("changes-*.json")
            for file in files: validator.validate(json.load(open(file)))
            print(len(files) > 5)
            """#, "\(Fixture.root)/Documentation")
        #expect(text == "True\n")
    }

    /// The capture that the service recorded keeps its file when the device sends its own, earlier record of it.
    @Test func aCaptureKeepsItsFile() throws {
        let server = try RunningServer("--data data --stories bundles") { try $0.prepareSampleStory() }
        _ = try server.bench.python(
            #"""
            base, id = sys.argv[1], "8e03978e-40d5-43dd-bc93-6894a57f9324"
            photo = open("photo.jpg", "rb").read()
            status, headers, _ = call(base, "POST", "/v1/stories/late-post/events/bell-tower/captures?player=ines&screen=100x100", photo, {"Idempotency-Key": id})
            assert status == 201
            early = journal("late-post", captures=[{"id": id, "event": "bell-tower", "timestamp": "2020-01-01T00:00:00Z"}])
            merged = json.loads(call(base, "POST", "/v1/players/ines/journal", early)[2])
            assert merged["captures"] == [{"id": id, "event": "bell-tower", "timestamp": "2020-01-01T00:00:00Z", "file": headers["location"]}], merged
            """#, server.base)
    }

    /// A player whose journal is locked by another program keeps only one of the service's threads: another player is
    /// answered while eight requests of the first one wait.
    @Test func aPlayerWhoWaitsDelaysNobody() throws {
        let server = try RunningServer("--data data")
        let text = try server.bench.python(
            #"""
            import sqlite3
            base = sys.argv[1]
            post = lambda player, number: call(base, "POST", "/v1/players/%s/journal" % player, journal("mill", opened=[{"lockbox": str(number), "timestamp": iso(1)}]))
            assert post("slow", 0)[0] == 200
            lock = sqlite3.connect("data/players/slow/journals/mill.sqlite", isolation_level=None)
            lock.execute("BEGIN EXCLUSIVE")
            statuses = []
            threads = [threading.Thread(target=lambda number=number: statuses.append(post("slow", number)[0])) for number in range(8)]
            for thread in threads: thread.start()
            # All eight have arrived when the queue that the metrics count has them.
            time.sleep(0.5)
            for number in range(20): assert post("other", number)[0] == 200
            assert call(base, "GET", "/v1/players/other/stories/mill/journal")[0] == 200 and call(base, "GET", "/health")[0] == 200
            waiting = statuses == []
            lock.execute("ROLLBACK")
            for thread in threads: thread.join()
            assert statuses == [200] * 8, statuses
            print(waiting, len(json.loads(call(base, "GET", "/v1/players/slow/stories/mill/journal")[2])["opened"]))
            """#, server.base)
        #expect(text == "True 8\n")
    }

    @Test func aFullJournalSaysSo() throws {
        let server = try RunningServer("--data data")
        _ = try server.bench.python(
            #"""
            base, address = sys.argv[1], "/v1/players/ines/stories/mill/journal"
            texts = lambda start, size=100_000: journal("mill", attempts=[{"lockbox": "box", "text": "x" * size + str(number), "timestamp": iso(1)} for number in range(start, start + 8)])
            statuses = []
            for number in range(0, 40, 8):
                status, headers, body = call(base, "POST", address, texts(number))
                statuses.append(status)
            assert statuses == [200] * 2 + [403] * 3, statuses
            problem = json.loads(body)
            assert problem["code"] == "quota" and "4194304 bytes" in problem["detail"] and "mill" in problem["detail"] and "data" not in problem["detail"], problem
            assert os.path.getsize("data/players/ines/journals/mill.sqlite") <= 4 << 20
            # What fits goes in, what is there is answered, another journal is not concerned.
            assert call(base, "POST", address, journal("mill", opened=[{"lockbox": "a", "timestamp": iso(1)}]))[0] == 200
            assert len(json.loads(call(base, "GET", address)[2])["attempts"]) == 16
            assert call(base, "POST", "/v1/players/ines/journal", journal("other"))[0] == 200
            # A full journal takes no body: curl, which asks first, sends none. Deleting the journal is the way out.
            number, cursor = 100, ""
            for size in (20_000, 2000, 200):
                status = 200
                while status == 200:
                    status, headers, body = call(base, "POST", address + "?since=" + cursor, texts(number, size))
                    if status == 200: number, cursor = number + 8, json.loads(body)["cursor"]
            open("body.json", "w").write(texts(number, 200))
            ask = ["curl", "-s", "-v", "-o", "answer.json", "-H", "Expect: 100-continue", "--data-binary", "@body.json", base + address]
            said = subprocess.run(ask, capture_output=True, text=True).stderr
            assert "HTTP/1.1 403" in said and "100 Continue" not in said and json.load(open("answer.json"))["code"] == "quota", said
            assert call(base, "DELETE", address)[0] == 204
            assert call(base, "POST", address, texts(0).replace("1970-01-01", "2999-01-01"))[0] == 200
            """#, server.base)
    }

    /// A damaged file is a fault of the server, which is logged, and not of the request; and it hides no other journal.
    @Test func aDamagedJournalHidesNoOther() throws {
        let server = try RunningServer("--data data")
        _ = try server.bench.python(
            #"""
            base = sys.argv[1]
            for story in ("abbey", "mill", "tower"): assert call(base, "POST", "/v1/players/ines/journal", journal(story, opened=[{"lockbox": "a", "timestamp": iso(1)}]))[0] == 200
            file = "data/players/ines/journals/mill.sqlite"
            whole = open(file, "rb").read()
            address = "/v1/players/ines/stories/mill/journal"
            for damaged in (whole[:5000], b"x" * 5000, b"", whole.replace(b"user", b"user")[:60] + b"\0\0\0\x63" + whole[64:]):
                open(file, "wb").write(damaged)
                for method, path, text in [("GET", address, None), ("GET", address + "?since=", None), ("POST", address, journal("mill", opened=[{"lockbox": "b", "timestamp": iso(1)}])),
                        ("POST", address + "?since=", journal("mill", opened=[{"lockbox": "b", "timestamp": iso(1)}]))]:
                    status, headers, body = call(base, method, path, text)
                    problem = json.loads(body)
                    assert status == 500 and problem["code"] == "damaged-journal" and "mill" in problem["detail"] and b"data/" not in body, (damaged[:70], method, status, body)
                status, headers, body = call(base, "GET", "/v1/players/ines/journal")
                listed = json.loads(body)
                assert status == 200 and [element["story"] for element in listed] == ["abbey", "mill", "tower"], body
                assert listed[1]["problem"]["code"] == "damaged-journal" and listed[0]["opened"] and listed[2]["opened"] and b"data/" not in body
                assert open(file, "rb").read() == damaged
            # Lines are written a moment after the answers.
            for _ in range(100):
                faults = [json.loads(line)["fault"] for line in open("err.txt") if '"fault"' in line and line.endswith("\n")]
                if len(faults) >= 4 * 5: break
                time.sleep(0.1)
            assert len(faults) == 4 * 5 and all("mill.sqlite" in fault for fault in faults), faults
            # Deleting it is the way out.
            assert call(base, "DELETE", address)[0] == 204
            assert call(base, "POST", address, journal("mill"))[0] == 200
            """#, server.base)
    }
}
