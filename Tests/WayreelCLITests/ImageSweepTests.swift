import Glibc
import TestSupport
import Testing

/// Images of players that nobody can see any more.
@Suite struct ImageSweepTests {
    /// What a kill between a file and its row leaves is made by hand: the row is taken away.
    @Test func removesFilesWithoutRows() throws {
        let bench = Workbench()
        let first = try RunningServer("--data data", in: bench)
        let seen = try bench.python(
            #"""
            base = sys.argv[1]
            for number in range(4):
                status, headers, body = call(base, "POST", "/v1/notes?latitude=1&longitude=2&player=ines", png(number, 2, 3))
                assert status == 201, body
            print("left")
            """#, first.base)
        #expect(seen == "left\n")
        first.kill9()
        let prepared = try bench.python(
            #"""
            import sqlite3, shutil, pathlib
            database = sqlite3.connect("data/players.sqlite")
            rows = database.execute("SELECT id, file FROM note ORDER BY number").fetchall()
            gone = [row for row in rows[:2]]
            for id, file in gone: database.execute("DELETE FROM note WHERE id = ?", (id,))
            database.commit(); database.close()
            # A capture's file without a row, too.
            name = gone[0][1].rsplit("/", 1)[1]
            pathlib.Path("data/players/ines/captures").mkdir(parents=True)
            shutil.copy("data/" + gone[0][1], "data/players/ines/captures/" + name)
            unnamed = ["data/" + file for _, file in gone] + ["data/players/ines/captures/" + name]
            # Files of others: other names, a link, a folder, and what is reached by a link to a folder.
            folder = pathlib.Path("data/notes") / rows[2][1].split("/")[1]
            foreign = [folder / "photo.jpeg", folder / name.replace(".", ".jpeg."), folder / name.upper(), folder / (name + "~"), pathlib.Path("data/notes/readme.jpeg"),
                pathlib.Path("data") / name, pathlib.Path("data/players") / name]
            for path in foreign: path.write_bytes(b"mine")
            pathlib.Path("elsewhere").mkdir()
            (pathlib.Path("elsewhere") / name).write_bytes(b"mine")
            pathlib.Path("data/notes/zz").symlink_to("../../elsewhere")
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to("../../../elsewhere/" + name)
            pathlib.Path("unnamed.txt").write_text("\n".join(unnamed))
            kept = [str(path) for path in foreign] + ["elsewhere/" + name, str(folder / name)] + ["data/" + file for _, file in rows[2:]]
            assert not set(kept) & set(unnamed), "the second digits are the same by chance"
            pathlib.Path("kept.txt").write_text("\n".join(kept))
            """#)
        #expect(prepared.isEmpty)
        let second = try RunningServer("--data data", in: bench)
        let after = try bench.python(
            #"""
            base = sys.argv[1]
            unnamed, kept = (open(name).read().splitlines() for name in ("unnamed.txt", "kept.txt"))
            assert not any(os.path.lexists(path) for path in unnamed), unnamed
            assert all(os.path.lexists(path) for path in kept), [path for path in kept if not os.path.lexists(path)]
            notes = json.loads(call(base, "GET", "/v1/notes?latitude=1&longitude=2&player=ines")[2])["notes"]
            assert len(notes) == 2 and all(call(base, "GET", note["image"] + "?player=ines")[0] == 200 for note in notes)
            print("kept")
            """#, second.base)
        #expect(after == "kept\n")
        // A database that was lost takes no images with it.
        second.kill9()
        #expect(
            try bench.shell("find data -name '*.jpeg' | sort > before.txt; rm data/players.sqlite*").ending
                == .exited(0))
        let third = try RunningServer("--data data", in: bench)
        #expect(
            try bench.shell("find data -name '*.jpeg' | sort | cmp before.txt && test -s before.txt").ending
                == .exited(0))
        third.kill9()
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
