import Glibc
import TestSupport
import Testing

/// Images of players that nobody can see any more.
@Suite struct ImageSweepTests {
    /// Another program holds the lock of the database, so that the server waits between a file and its row, and is
    /// killed there.
    @Test func removesWhatAKilledServerWasKeeping() throws {
        let bench = Workbench()
        let first = try RunningServer("--data data", in: bench)
        let seen = try bench.python(
            #"""
            import sqlite3
            base = sys.argv[1]
            def leave(number): return call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=ines", png(number, 2, 3))
            assert [leave(number)[0] for number in range(3)] == [201] * 3
            assert os.listdir("data/pending") == []
            files = lambda: sorted(os.path.join(path, name) for path, _, names in os.walk("data/notes") for name in names if name[0] != ".")
            before = files()
            database = sqlite3.connect("data/players.sqlite", isolation_level=None); database.execute("BEGIN IMMEDIATE")
            def unanswered():
                try: leave(9)
                except (OSError, http.client.HTTPException): pass
            thread = threading.Thread(target=unanswered); thread.start()
            for _ in range(200):
                if len(files()) == 4: break
                time.sleep(0.02)
            os.kill(int(sys.argv[2]), 9); thread.join(); database.close()
            new, = set(files()) - set(before)
            assert len(os.listdir("data/pending")) == 1
            open("new.txt", "w").write(new); open("kept.txt", "w").write("\n".join(before))
            """#, first.base, "\(first.process)")
        #expect(seen.isEmpty)
        first.kill9()
        let second = try RunningServer("--data data", in: bench)
        let after = try bench.python(
            #"""
            base = sys.argv[1]
            assert not os.path.exists(open("new.txt").read()) and os.listdir("data/pending") == []
            assert all(os.path.exists(path) for path in open("kept.txt").read().splitlines())
            notes = json.loads(call(base, "GET", "/v1/notes?latitude=1&longitude=2&player=ines")[2])["notes"]
            assert len(notes) == 3 and all(call(base, "GET", note["image"] + "?player=ines")[0] == 200 for note in notes)
            print("kept")
            """#, second.base)
        #expect(after == "kept\n")
    }

    /// What is named in `pending` is removed where it is the service's own: not what has a row, nor files of others.
    @Test func removesNothingElse() throws {
        let bench = Workbench()
        let first = try RunningServer("--data data", in: bench)
        let made = try bench.python(
            #"""
            import pathlib
            base = sys.argv[1]
            assert call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=ines", png(1, 2, 3))[0] == 201
            row, = pathlib.Path("data/notes").glob("*/*.jpeg")
            name = row.name.translate(str.maketrans("0123456789", "1234567890"))
            folder = row.parent
            gone = folder / name
            pathlib.Path("data/players").mkdir(); pathlib.Path("elsewhere").mkdir()
            foreign = [folder / "photo.jpeg", folder / name.upper(), folder / (name + "~"), pathlib.Path("data") / name, pathlib.Path("elsewhere") / name]
            for path in [gone] + foreign: path.write_bytes(b"mine")
            pathlib.Path("data/notes/zz").symlink_to("../../elsewhere")
            marks = [row, gone, *foreign[:4], pathlib.Path("data/notes/zz") / name]
            for path in marks: (pathlib.Path("data/pending") / str(path.relative_to("data")).replace("/", ":")).touch()
            pathlib.Path("gone.txt").write_text(str(gone)); pathlib.Path("kept.txt").write_text("\n".join(map(str, [row] + foreign)))
            """#, first.base)
        #expect(made.isEmpty)
        first.kill9()
        let second = try RunningServer("--data data", in: bench)
        let after = try bench.python(
            #"""
            assert not os.path.exists(open("gone.txt").read()) and os.listdir("data/pending") == []
            kept = open("kept.txt").read().splitlines()
            assert all(map(os.path.exists, kept)), [path for path in kept if not os.path.exists(path)]
            print("kept")
            """#, second.base)
        #expect(after == "kept\n")
    }

    /// A database that was lost, or is an older one than the images, takes none of them with it.
    @Test func keepsImagesBesideAnOlderDatabase() throws {
        let bench = Workbench()
        let first = try RunningServer("--data data", in: bench)
        let leave = #"""
            for number in range(int(sys.argv[2]), int(sys.argv[3])):
                assert call(sys.argv[1], "POST", "/v1/notes?latitude=1&longitude=2&player=ines", png(number, 2, 3))[0] == 201
            """#
        _ = try bench.python(leave, first.base, "0", "2")
        expectDone(try bench.shell("sqlite3 data/players.sqlite '.backup backup.sqlite'"))
        _ = try bench.python(leave, first.base, "2", "5")
        first.kill9()
        let list = "find data -name '*.jpeg' | sort"
        #expect(try bench.shell("\(list) | tee before.txt | wc -l").text.filter { !$0.isWhitespace } == "5")
        for restore in ["cp backup.sqlite data/players.sqlite", "rm data/players.sqlite*"] {
            expectDone(try bench.shell(restore))
            let server = try RunningServer("--data data", in: bench)
            #expect(try bench.shell("\(list) | cmp before.txt").ending == .exited(0), "\(restore)")
            server.kill9()
        }
    }

    /// The clock of the rows is put back by two days, and by less than one.
    @Test func removesNotesADayAfterTheirEnd() throws {
        let bench = Workbench()
        let first = try RunningServer("--data data --player-bytes 1", in: bench)
        _ = try bench.python(
            #"""
            base, now = sys.argv[1], time.time()
            def leave(player, expected, **fields):
                query = urllib.parse.urlencode({"latitude": 1, "longitude": 2, "player": player, "visibility": "all", **fields})
                status, headers, body = call(base, "POST", "/v1/notes?" + query, png(1, 2, 3))
                assert status == expected, (status, body)
            # The first image takes the room that a player has.
            leave("ended", 201, until=iso(now + 3600)); leave("ended", 403)
            leave("lately", 201, until=iso(now + 3600)); leave("for-ever", 201)
            """#, first.base)
        first.kill9()
        _ = try bench.python(
            #"""
            import sqlite3
            database = sqlite3.connect("data/players.sqlite")
            now = int(time.time() * 1000)
            for author, hours in ("ended", 25), ("lately", 23):
                database.execute("UPDATE note SET start = ?, end = ? WHERE author = ?", (now - 90 * 3600000, now - hours * 3600000, author))
            database.commit()
            """#)
        let second = try RunningServer("--data data --player-bytes 1", in: bench)
        let text = try bench.python(
            #"""
            base = sys.argv[1]
            def own(player): return len(json.loads(call(base, "GET", "/v1/notes?latitude=1&longitude=2&own=true&player=" + player)[2])["notes"])
            files = lambda: [f for _, _, names in os.walk("data/notes") for f in names]
            for _ in range(100):
                if own("ended") == 0 and len(files()) == 2: break
                time.sleep(0.1)
            assert [own(p) for p in ("ended", "lately", "for-ever")] == [0, 1, 1] and len(files()) == 2, files()
            statuses = [call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=" + p, png(4, 2, 3))[0] for p in ("ended", "lately")]
            print(statuses)
            """#, second.base)
        #expect(text == "[201, 403]\n")
    }
}
