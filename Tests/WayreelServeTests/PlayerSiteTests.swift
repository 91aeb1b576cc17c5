import TestSupport
import Testing

/// The web player: its files in the binary, as served by `wayreel serve` and written by `wayreel player`.
@Suite struct PlayerSiteTests {
    /// Returns all files of `Player/` in the repository, as listed by find.
    private func files(_ bench: Workbench) throws -> [String] {
        let found = try bench.shell("cd \(Fixture.root)/Player && find . -type f | sed 's|^./||' | LC_ALL=C sort")
        return String(decoding: found.output, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    /// What is sent of a file of `Player/`: of scripts all lines but comments, as Python's regular expressions find
    /// them.
    private func sent(_ file: String, _ bench: Workbench) throws -> [UInt8] {
        if file == "index.html" {
            // It asks for the joined files in the place of those.
            let program = #"""
                import re, sys
                text = open(sys.argv[1], newline='').read()
                text = re.sub(r'(?m)^ *(<!--.*-->|<link rel="modulepreload".*)\n', '', text)
                text = re.sub(r'(?m)(^  <link rel="stylesheet" href=".*">\n)+', '  <link rel="stylesheet" href="player.css">\n', text)
                sys.stdout.write(text.replace('src="app.js"', 'src="player.js"'))
                """#
            try bench.write(program, to: "sent.py")
            return try bench.shell("python3 sent.py \(Fixture.root)/Player/\(file)").output
        }
        guard file.hasSuffix(".js") else { return try Fixture.bytes("\(Fixture.root)/Player/\(file)") }
        let program = #"""
            import re, sys
            text = open(sys.argv[1], newline='').read()
            text = re.sub(r'(?ms)^ */\*.*?\*/$', lambda match: '\n' * match[0].count('\n'), text)
            sys.stdout.write(re.sub(r'(?m)^ *//.*$', '', text))
            """#
        try bench.write(program, to: "sent.py")
        return try bench.shell("python3 sent.py \(Fixture.root)/Player/\(file)").output
    }

    @Test func aSiteHoldsThePlayerAndTheStory() throws {
        let bench = Workbench()
        try MillStory.prepare(in: bench)
        expectDone(try bench.wayreel("player", "bundles/mill", "-o", "site"))
        for file in try files(bench) {
            #expect(try bench.bytes("site/\(file)") == sent(file, bench), "\(file)")
        }
        _ = try bench.python(
            """
            player = json.load(open('site/player.json'))
            assert player['service'] is False and len(player['version']) > 8
            assert all(os.path.isfile('site/' + path) for path in player['shell']) and 'index.html' in player['shell']
            assert [story['id'] for story in json.load(open('site/v1/stories.json'))] == ['mill']
            story = json.load(open('site/v1/stories/mill.json'))
            assert story['chapters'][0]['events'][0]['id'] == 'wheel'
            manifest = json.load(open('site/v1/stories/mill/manifest.json'))
            assert manifest == json.load(open('bundles/mill/manifest.json'))
            for file in manifest['files']:
                assert os.path.getsize('site/v1/stories/mill/' + file['path']) == file['bytes']
            """)
    }

    @Test func aSiteHasAStoryOfEachLanguage() throws {
        let bench = Workbench()
        let german = """
            <translation language="de"><text key="story/name">Die M\u{FC}hle</text></translation></story>
            """
        try MillStory.prepare(in: bench, MillStory.document.replacing("</story>", with: german))
        expectDone(try bench.wayreel("player", "bundles/mill", "-o", "site"))
        _ = try bench.python(
            """
            [listed] = json.load(open('site/v1/stories.json'))
            assert (listed['language'], listed['name'], listed['languages']) == ('en', 'The Mill', ['en', 'de']), listed
            assert listed['translations'] == {'de': {'name': 'Die M\u{FC}hle'}}, listed
            own = json.load(open('site/v1/stories/mill.json'))
            read = lambda language: json.load(open(f'site/v1/stories/mill/story.{language}.json'))
            assert read('en') == own and own['languages'] == ['en', 'de']
            assert (read('de')['language'], read('de')['name']) == ('de', 'Die M\u{FC}hle')
            assert read('de')['chapters'] == own['chapters']
            """)
    }

    /// The lines of joined scripts are those of the modules that the source maps name, but for indentation, empty
    /// lines, imports and exports. The map is decoded as ECMA-426 says.
    @Test func sourceMapsLeadToTheModules() throws {
        let bench = Workbench()
        try MillStory.prepare(in: bench)
        expectDone(try bench.wayreel("player", "bundles/mill", "-o", "site"))
        _ = try bench.python(
            #"""
            import re, string
            digits = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
            def numbers(segment):
                value = shift = 0
                for digit in map(digits.index, segment):
                    value |= (digit & 31) << shift
                    shift += 5
                    if digit < 32:
                        yield -(value >> 1) if value & 1 else value >> 1
                        value = shift = 0
            seen, changed = set(), 0
            scripts = sorted(name for name in os.listdir("site") if re.fullmatch(r"player(-\w+)?\.js", name))
            assert len(scripts) >= 3
            for script in scripts:
                text = open(f"site/{script}").read()
                assert text.rstrip().endswith(f"//# sourceMappingURL={script}.map")
                map_ = json.load(open(f"site/{script}.map"))
                assert map_["version"] == 3
                source = line = 0
                for joined, mapping in zip(text.split("\n"), map_["mappings"].split(";")):
                    if not mapping: continue
                    column, more, lines, original_column = numbers(mapping)
                    assert column == original_column == 0
                    source, line = source + more, line + lines
                    path = map_["sources"][source]
                    original = open(f"site/{path}").read().split("\n")[line].lstrip(" ")
                    assert not joined.startswith(" "), (script, joined)
                    seen.add((path, line))
                    if original not in joined:
                        changed += 1
                        assert re.search("import|export", original), (path, line + 1, original)
            files = {path for path, _ in seen}
            wanted = set()
            for path in files:
                lines = open(f"site/{path}").read().split("\n")
                wanted |= {(path, line) for line, text in enumerate(lines) if text.strip() or line in (0, len(lines) - 1)}
            assert seen == wanted
            assert len(files) > 50 and "app.js" in files and changed > 200
            """#)
    }

    @Test func aSiteReplacesAnEarlierOneAndNothingElse() throws {
        let bench = Workbench()
        try MillStory.prepare(in: bench)
        for _ in 0..<2 { expectDone(try bench.wayreel("player", "bundles/mill", "-o", "site/")) }
        try bench.write("mine", to: "site/notes.txt")
        expectRefused(
            try bench.wayreel("player", "bundles/mill", "-o", "site"), 1, "'notes.txt', which Wayreel did not write")
        #expect(bench.exists("site/index.html") && bench.exists("site/notes.txt"))
        expectRefused(try bench.wayreel("player", "bundles/mill", "-o", "bundles/mill"), 2, "is a bundle")
        expectRefused(try bench.wayreel("player", "bundles", "-o", "other"), 1, "is not a bundle")
        #expect(!bench.exists("other"))
    }

    @Test func twoStoriesOfOneNameAreRefused() throws {
        let bench = Workbench()
        try MillStory.prepare(in: bench)
        _ = try bench.shell("cp -r bundles/mill bundles/again")
        expectRefused(
            try bench.wayreel("player", "bundles/mill", "bundles/again", "-o", "site"), 2,
            "holds the story 'mill', as does")
        #expect(!bench.exists("site"))
    }

    @Test func aServerAnswersWithAllFilesOfThePlayer() throws {
        let server = try RunningServer("--stories bundles") { bench in try MillStory.prepare(in: bench) }
        let bench = server.bench
        for (path, type) in [
            ("/", "text/html; charset=utf-8"), ("/app.js", "text/javascript; charset=utf-8"),
            ("/styles/base.css", "text/css; charset=utf-8"), ("/strings/en.json", "application/json"),
            ("/waymark.svg", "image/svg+xml"),
        ] {
            let answer = try server.head(path)
            #expect(answer.status == "HTTP/1.1 200 OK")
            #expect(answer.headers["content-type"] == type)
            #expect(answer.headers["content-security-policy"]?.contains("script-src 'self'") == true)
            let tag = try #require(answer.headers["etag"])
            #expect(try server.head(path, "-H 'If-None-Match: \(tag)'").status == "HTTP/1.1 304 Not Modified")
        }
        for file in try files(bench) {
            _ = try server.head("/\(file)")
            #expect(try bench.bytes("body.out") == sent(file, bench), "\(file)")
        }
        let packed = try server.head("/styles/base.css", "-H 'Accept-Encoding: gzip'")
        #expect(packed.headers["content-encoding"] == "gzip")
        expectDone(try bench.shell("gzip -dc < body.out | cmp - \(Fixture.root)/Player/styles/base.css"))
    }
}
