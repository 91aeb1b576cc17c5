import TestSupport
import Testing

/// Notes: images left at places.
@Suite struct NoteTests {
    /// Near and far, across the antimeridian and around the poles: distances are compared with geographiclib (Karney's
    /// geodesics in Python), and lists with a search through all notes.
    @Test(.enabled(if: References.have("geographiclib"), "scripts/references installs it"))
    func listsWhatIsNearByDistance() throws {
        let server = try RunningServer("--data data --queue 200")
        let text = try server.bench.python(
            #"""
            from geographiclib.geodesic import Geodesic
            base, draw = sys.argv[1], random.Random(7)
            metres = lambda a, b: Geodesic.WGS84.Inverse(*a, *b)["s12"]
            places = [(35.28, -120.66), (35.2801, -120.66), (35.28, -120.6601), (0, 180), (0, -180), (0.0001, 179.9999), (0, -179.9999),
                (-16.8, 179.99), (-16.8, -179.99), (90, 0), (90, 120), (89.9999, -60), (89.9999, 120), (-90, 0), (-89.99, 77), (-89.99, -103), (0, 0)]
            for _ in range(45):
                spot = draw.choice(places[:15])
                near = lambda value, limit: max(-limit, min(limit, value + draw.gauss(0, 0.02)))
                places.append((near(spot[0], 90), near(spot[1], 180)))
            ids = {}
            for number, (latitude, longitude) in enumerate(places):
                status, headers, body = call(base, "POST", "/v1/notes?player=p%d&visibility=all&latitude=%r&longitude=%r&format=png"
                    % (number % 3, latitude, longitude), png(number, 2, 3))
                assert status == 201, (status, body)
                ids[json.loads(body)["id"]] = (latitude, longitude)
            assert len(ids) == len(places)

            def pages(query, limit):
                found, after = [], ""
                while True:
                    status, headers, body = call(base, "GET", "/v1/notes?player=me&%s&limit=%d%s" % (query, limit, after))
                    assert status == 200, (status, body)
                    page = json.loads(body)
                    assert len(page["notes"]) <= limit
                    found += page["notes"]
                    if "next" not in page: return found
                    after = "&after=" + urllib.parse.quote(page["next"])
            checked = 0
            centers = places[:17] + [(90, -45), (-90, 10), (10, 180), (45, -180), (0, 179.99995), (89.99995, 60)]
            for center in centers:
                for radius in [0, 15, 700, 5000, 3e5, 1e7, 20100000]:
                    limit = draw.choice([1, 7, 50, 200]) if radius < 1e6 else draw.choice([20, 200])
                    found = pages("latitude=%r&longitude=%r&radius=%r" % (*center, radius), limit)
                    expected = sorted((d, i) for i, p in ids.items() if (d := metres(center, p)) <= radius)
                    # At the very rim, one nanometre decides.
                    assert {n["id"] for n in found} == {i for d, i in expected}, (center, radius, len(found), len(expected))
                    for note in found:
                        assert abs(note["distance"] - metres(center, ids[note["id"]])) < 1e-6, note
                        assert (note["latitude"], note["longitude"]) == ids[note["id"]]
                    distances = [n["distance"] for n in found]
                    assert distances == sorted(distances)
                    checked += len(found)
            assert len(pages("latitude=35.28&longitude=-120.66", 50)) >= 3
            print(checked > 2000)
            """#, server.base, usesReferences: true)
        #expect(text == "True\n")
    }

    @Test func showsThemToThoseForWhomTheyAre() throws {
        let server = try RunningServer("--data data --player-keys keys.txt") { try $0.writeKey("5a", as: "p") }
        _ = try server.bench.python(
            #"""
            base, key, now = sys.argv[1], bytes([0x5a] * 32), time.time()
            def player(name, *groups):
                return {"Authorization": "Bearer " + hs256({"sub": name, "groups": groups}, key)}
            ines, bob, eve = player("ines", "ringers", "o'hara, \"x\""), player("bob", "ringers"), player("eve", "others")
            def leave(who, expected=201, image=png(1, 2, 3), headers={}, **fields):
                query = urllib.parse.urlencode({"latitude": 1, "longitude": 2, "format": "png", **fields})
                status, answer, body = call(base, "POST", "/v1/notes?" + query, image, {**who, **headers})
                assert status == expected, (fields, status, body)
                return json.loads(body), answer
            def seen(who, **fields):
                query = urllib.parse.urlencode({"latitude": 1, "longitude": 2, **fields})
                status, headers, body = call(base, "GET", "/v1/notes?" + query, headers=who)
                assert status == 200, body
                assert b"ines" not in body and b"bob" not in body
                return {n["text"] for n in json.loads(body)["notes"]}
            notes = {}
            for name, fields in {
                "all": {"visibility": "all"}, "group": {"visibility": "group:ringers"}, "quoted": {"visibility": "group:o'hara, \"x\""},
                "self": {"visibility": "self"}, "nothing said": {}, "past": {"visibility": "all", "until": iso(now - 60), "from": iso(now - 120)},
                "future": {"visibility": "all", "from": iso(now + 3600)}, "now": {"visibility": "all", "from": iso(now - 60), "until": iso(now + 3600)},
            }.items():
                notes[name], headers = leave(ines, text=name, **fields)
                assert headers["location"] == "/v1/notes/" + notes[name]["id"]
            forAll = {"all", "now"}
            assert seen(eve) == forAll and seen(bob) == forAll | {"group"}
            assert seen(ines) == set(notes) - {"past", "future"}
            assert seen(ines, own="true") == set(notes) and seen(bob, own="true") == set()
            assert call(base, "GET", "/v1/notes?latitude=1&longitude=2")[0] == 401

            for who, visible in (eve, forAll), (bob, forAll | {"group"}), (ines, set(notes)):
                for name, note in notes.items():
                    expected = 200 if name in visible else 404
                    assert call(base, "GET", "/v1/notes/" + note["id"], headers=who)[0] == expected, (name, expected)
                    status, headers, body = call(base, "GET", note["image"], headers=who)
                    assert status == expected, (name, status)
                    if status == 200:
                        assert headers["content-type"] == "image/png" and headers["cache-control"].startswith("private")
                        assert call(base, "GET", note["image"], headers={**who, "If-None-Match": headers["etag"]})[0] == 304
                    if who is not ines:
                        assert call(base, "DELETE", "/v1/notes/" + note["id"], headers=who)[0] == (403 if name in visible else 404)
            files = lambda: [f for _, _, names in os.walk("data/notes") for f in names]
            assert len(files()) == len(notes)
            for note in notes.values():
                assert call(base, "DELETE", "/v1/notes/" + note["id"], headers=ines)[0] == 204
                assert call(base, "DELETE", "/v1/notes/" + note["id"], headers=ines)[0] == 404
                assert call(base, "GET", note["image"], headers=ines)[0] == 404
            assert files() == [] and seen(ines, own="true") == set()

            # A repeated upload makes no second note.
            chosen = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
            first, _ = leave(ines, headers=chosen, text="once")
            assert leave(ines, headers=chosen, text="once")[0] == first and first["id"] == chosen["Idempotency-Key"]
            leave(ines, 422, headers=chosen, text="twice")
            leave(bob, 422, headers=chosen, text="once")
            assert len(files()) == 1

            for fields, expected in [
                ({"visibility": "group:others"}, 403), ({"visibility": "everybody"}, 400), ({"visibility": "group:"}, 400),
                ({"latitude": 90.1}, 400), ({"longitude": -181}, 400), ({"latitude": "nan"}, 400), ({"latitude": "x"}, 400), ({"from": "today"}, 400),
                ({"from": iso(now), "until": iso(now)}, 400), ({"text": "x" * 2001}, 400), ({"screen": "none"}, 400), ({"download": "a"}, 400),
                ({"expires": "1"}, 400), ({"recipe": "none"}, 400), ({"player": "bob"}, 400)]:
                leave(ines, expected, **fields)
            leave(ines, 415, image=b"hello")
            leave(ines, 400, image=b"")
            for query in ["", "latitude=1", "latitude=1&longitude=2&limit=0", "latitude=1&longitude=2&limit=201", "latitude=1&longitude=2&radius=-1",
                "latitude=1&longitude=2&radius=inf", "latitude=1&longitude=2&after=x", "latitude=1&longitude=2&own=maybe", "latitude=1&longitude=2&a=b"]:
                assert call(base, "GET", "/v1/notes?" + query, headers=ines)[0] == 400, query
            assert seen(ines, own="true") == {"once"}
            """#, server.base)
    }

    /// A socket sees whether the server asks for the body.
    @Test func refusesAnImageBeforeItIsSent() throws {
        let server = try RunningServer("--data data --player-bytes 1")
        _ = try server.bench.python(
            #"""
            import socket
            base, path = sys.argv[1], "/v1/notes?latitude=1&longitude=2&player=ines"
            host, port = base.split("//")[1].rstrip("/").split(":")
            key = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
            assert call(base, "POST", path, png(1, 2, 3), key)[0] == 201
            for framing in "Content-Length: 5000000", "Transfer-Encoding: chunked":
                with socket.create_connection((host, int(port)), timeout=20) as connection:
                    head = "POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\nExpect: 100-continue\r\n\r\n" % (path, framing)
                    connection.sendall(head.encode())
                    answer = b""
                    while piece := connection.recv(65536): answer += piece
                assert answer.startswith(b"HTTP/1.1 403 ") and b'"code":"quota"' in answer, answer
            # The image that was kept is still the answer to the same request.
            assert call(base, "POST", path, png(1, 2, 3), key)[0] == 201
            """#, server.base)
    }

    /// The image is prepared like a capture, and the number of notes per player is limited.
    @Test func treatsTheirImagesAndBoundsTheirNumber() throws {
        let server = try RunningServer("--data data")
        let bench = server.bench
        let query = "latitude=1&longitude=2&player=ines&screen=320x240&recipe=old-postcard&text=hello"
        #expect(try server.head("/v1/notes?\(query)", "-F file=@photo.jpg").status == "HTTP/1.1 201 Created")
        let address = try bench.shell("python3 -c 'import json; print(json.load(open(\"body.out\"))[\"image\"])'").text
        #expect(try server.head("\(address.filter { !$0.isNewline })?player=ines").status == "HTTP/1.1 200 OK")
        _ = try bench.wayreel(
            "capture", "photo.jpg", "-o", "local.jpg", "--screen", "320x240", "--recipe", "old-postcard")
        #expect(try bench.bytes("body.out") == bench.bytes("local.jpg"))
        let text = try bench.python(
            #"""
            base = sys.argv[1]
            statuses = [call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=ines", png(1, 2, 3, side=1))[0] for _ in range(502)]
            assert statuses == [201] * 499 + [403] * 3, statuses[-5:]
            assert call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=bob", png(1, 2, 3))[0] == 201
            # Together they take no more room than one after the other, and nothing is left of those that are refused.
            import concurrent.futures
            before = call(base, "GET", "/v1/notes?latitude=1&longitude=2&player=ines&own=true")[2]
            ids = [n["id"] for n in json.loads(before)["notes"]][:3]
            for id in ids: assert call(base, "DELETE", "/v1/notes/%s?player=ines" % id)[0] == 204
            leave = lambda number: call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=ines", png(1, 2, number, side=1))[0]
            with concurrent.futures.ThreadPoolExecutor(16) as threads: statuses = sorted(threads.map(leave, range(32)))
            assert statuses == [201] * 3 + [403] * 29, statuses
            files = [name for _, _, names in os.walk("data/notes") for name in names]
            assert len(files) == 501 and os.listdir("data/pending") == [], len(files)
            print("bounded")
            """#, server.base)
        #expect(text == "bounded\n")
    }
}
