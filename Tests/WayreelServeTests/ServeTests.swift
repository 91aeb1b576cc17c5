import Glibc
import TestSupport
import Testing

@Suite struct ServeTests {
    @Test func treatsAnUploadedCaptureAsTheCommandDoes() throws {
        let server = try RunningServer()
        let bench = server.bench
        let query = "?screen=320x240&filter=sepia-tone:intensity%3D0.8&format=png"
        let answer = try server.head("/v1/captures\(query)", "--data-binary @photo.jpg")
        #expect(answer.status == "HTTP/1.1 200 OK")
        #expect(answer.headers["content-type"] == "image/png")
        #expect(answer.headers["cache-control"] == "no-store")
        _ = try bench.wayreel(
            "capture", "photo.jpg", "-o", "local.png", "--screen", "320x240", "--filter", "sepia-tone:intensity=0.8")
        #expect(try bench.bytes("body.out") == bench.bytes("local.png"))

        let named = try server.head("/v1/captures\(query)&download=t%C3%BCr.png", "--data-binary @photo.jpg")
        #expect(
            named.headers["content-disposition"] == "attachment; filename=\"tr.png\"; filename*=UTF-8''t%C3%BCr.png")
        #expect(try server.head("/v1/captures?expires=1", "--data-binary @photo.jpg").status.hasPrefix("HTTP/1.1 400"))

        let form = try server.head("/v1/captures\(query)", "-F note=hello -F file=@photo.jpg")
        #expect(form.status == "HTTP/1.1 200 OK")
        #expect(try bench.bytes("body.out") == bench.bytes("local.png"))
    }

    @Test func namesImagesByTheirAddress() throws {
        let server = try RunningServer("--cache cache")
        let bench = server.bench
        for _ in 0..<2 {
            let answer = try server.head("/v1/images/unsafe/screen:100x100/fit:contain/deep/wisteria%20%C3%BC.jpg")
            #expect(answer.status == "HTTP/1.1 200 OK")
            #expect(answer.headers["content-type"] == "image/jpeg")
            #expect(answer.headers["vary"] == "Accept")
            #expect(try bench.header("body.out") == ImageFileHeader("jpeg", 100, 75))
        }
        let metrics = try server.curl("", path: "/metrics").text
        // Prometheus's text format 0.0.4: the help, the type, the value.
        #expect(
            metrics.contains(
                """

                # HELP wayreel_cache_hits_total The number of results that were found in the cache.
                # TYPE wayreel_cache_hits_total counter
                wayreel_cache_hits_total 1.0

                """))
        // Without jobs there are none of their metrics.
        #expect(!metrics.contains("wayreel_jobs"))
        #expect(metrics.contains("wayreel_request_seconds_count{route=\"/v1/images/**\",status=\"200\"} 2\n"))
    }

    @Test func choosesTheFormatByWhatIsAccepted() throws {
        let server = try RunningServer("--formats avif,webp")
        let path = "/v1/images/unsafe/screen:64x64/town.jpg"
        let types = [
            ("image/avif,image/webp,*/*", "image/avif"), ("image/webp,*/*;q=0.8", "image/webp"),
            ("image/avif;q=0, image/webp", "image/webp"), ("*/*", "image/jpeg"),
            ("image/webp;q=0, image/avif;q=0.1, image/jpeg", "image/jpeg"),
            ("image/avif;q=0.5, image/webp;q=0.9, */*;q=0.1", "image/webp"),
            ("image/avif;q=0.5, image/*", "image/jpeg"),
        ]
        for (accept, type) in types {
            #expect(try server.head(path, "-H 'Accept: \(accept)'").headers["content-type"] == type)
        }
        let named = try server.head("/v1/images/unsafe/screen:64x64/format:png/town.jpg", "-H 'Accept: image/webp'")
        #expect(named.headers["content-type"] == "image/png")
        #expect(named.headers["vary"] == nil)
    }

    @Test func answersConditionsHeadAndRanges() throws {
        let server = try RunningServer()
        let path = "/v1/images/unsafe/screen:64x64/town.jpg"
        let whole = try server.head(path)
        let bytes = try server.bench.bytes("body.out")
        let tag = try #require(whole.headers["etag"])
        #expect(try server.head(path, "-H 'If-None-Match: \(tag)'").status == "HTTP/1.1 304 Not Modified")
        #expect(try server.head(path, "-H 'If-None-Match: \"other\"'").status == "HTTP/1.1 200 OK")
        let head = try server.head(path, "--head")
        #expect(head.status == "HTTP/1.1 200 OK")
        #expect(head.headers["content-length"] == "\(bytes.count)")

        let part = try server.head(path, "-r 10-19")
        #expect(part.status == "HTTP/1.1 206 Partial Content")
        #expect(part.headers["content-range"] == "bytes 10-19/\(bytes.count)")
        #expect(try server.bench.bytes("body.out") == Array(bytes[10..<20]))
        _ = try server.head(path, "-r -7")
        #expect(try server.bench.bytes("body.out") == Array(bytes.suffix(7)))
        let beyond = try server.head(path, "-r 999999999-")
        #expect(beyond.status.hasPrefix("HTTP/1.1 416"))
        #expect(beyond.headers["content-type"] == "application/problem+json")
        #expect(beyond.headers["cache-control"] == "no-store" && beyond.headers["etag"] == nil)
        #expect(beyond.headers["content-range"] == "bytes */\(bytes.count)")
        #expect(try server.bench.text("body.out").contains("\"status\":416"))
        // Ends that no integer holds, and the largest one that 64 bits hold.
        for last in ["99999999999999999999999", "9223372036854775807"] {
            #expect(try server.head(path, "-r 1-\(last)").status == "HTTP/1.1 206 Partial Content")
            #expect(try server.bench.bytes("body.out") == Array(bytes.dropFirst()))
            #expect(try server.head(path, "-r \(last)-").status.hasPrefix("HTTP/1.1 416"))
            _ = try server.head(path, "-r -\(last)")
            #expect(try server.bench.bytes("body.out") == bytes)
        }
        #expect(try server.head(path, "--head -r 0-1").status == "HTTP/1.1 200 OK")

        // A change is detected within a second.
        _ = try server.bench.shell("touch photos/town.jpg; sleep 1.1")
        #expect(try server.head(path, "-H 'If-None-Match: \(tag)'").status == "HTTP/1.1 200 OK")
    }

    @Test func wantsSignaturesWhereThereAreKeys() throws {
        let server = try RunningServer("--keys keys.txt") { bench in
            try bench.write(
                "new:\(String(repeating: "ab", count: 32))\nold:\(String(repeating: "01", count: 32))\n", to: "keys.txt"
            )
        }
        let bench = server.bench
        let made = try bench.shell("wayreel url town.jpg --set screen=64x64 --keys keys.txt").text
        #expect(try bench.shell("wayreel url /images/town.jpg --screen 64x64 --key-file keys.txt").text == made)
        let path = made.filter { !$0.isNewline }
        #expect(try server.head(path).status == "HTTP/1.1 200 OK")

        // OpenSSL computes the same signature with the key that is being replaced.
        let signed = "/screen:64x64/town.jpg"
        let key = String(repeating: "01", count: 32)
        let code = try bench.shell(
            "printf %s '\(signed)' | openssl dgst -sha256 -mac HMAC -macopt hexkey:\(key) -binary | basenc --base64url"
        ).text.filter { $0 != "=" && !$0.isNewline }
        #expect(try server.head("/v1/images/old.\(code)\(signed)").status == "HTTP/1.1 200 OK")

        let wrong = [
            "/v1/images/unsafe\(signed)", "/v1/images/old.\(code.dropLast())\(signed)",
            "/v1/images/new.\(code)\(signed)",
            "/v1/images/old.\(code)/screen:65x64/town.jpg", "/v1/images/.\(code)\(signed)", "/v1/images/old.\(signed)",
        ]
        for path in wrong { #expect(try server.head(path).status == "HTTP/1.1 403 Forbidden", "\(path)") }
        let expired = try bench.shell("wayreel url town.jpg --keys keys.txt --set expires=1000000000").text.filter {
            !$0.isNewline
        }
        #expect(try server.head(expired).status == "HTTP/1.1 410 Gone")
    }

    @Test(arguments: [
        ("/v1/images/unsafe/screen:64x64/none.jpg", 404), ("/v1/images/unsafe/screen:64x64/../keys.txt", 404),
        ("/v1/images/unsafe/..%2Fkeys.txt", 400), ("/v1/images/unsafe/%2e%2e/keys.txt", 404),
        ("/v1/images/unsafe/deep/%2e%2e/town.jpg", 404), ("/v1/images/unsafe/%00", 400), ("/v1/images/unsafe/%zz", 400),
        ("/v1/images/unsafe/%FF.jpg", 400), ("/v1/images/unsafe/secret", 404), ("/v1/images/unsafe/.hidden", 404),
        ("/v1/images/unsafe/screen:0x0/town.jpg", 400), ("/v1/images/unsafe/scren:64x64/town.jpg", 400),
        ("/v1/images/unsafe/overlay:..%2Fkeys.txt/town.jpg", 400), ("/v1/images/unsafe/recipe:..%2Fx/town.jpg", 400),
        ("/v1/images/unsafe/enlarge:true/screen:90000x90000/town.jpg", 413), ("/v1/images/unsafe/broken.jpg", 422),
        ("/v1/images/unsafe/text.txt", 415), ("/v1/images/", 404), ("/nothing", 404),
    ])
    func refusesWithAProblem(path: String, status: Int) throws {
        let server = try RunningServer { bench in
            _ = try bench.shell(
                "mkdir -p photos; echo k:00 > keys.txt; ln -s /etc/passwd photos/secret; echo x > photos/.hidden")
            _ = try bench.shell(
                "head -c 3000 \(Workbench.smallPhoto) > photos/broken.jpg; echo hello > photos/text.txt")
        }
        let answer = try server.head(path, "--path-as-is")
        #expect(answer.status.hasPrefix("HTTP/1.1 \(status) "), "\(answer.status)")
        #expect(answer.headers["content-type"] == "application/problem+json")
        let text = try server.bench.text("body.out")
        let parsed = try server.bench.shell(
            "python3 -c 'import json; print(json.load(open(\"body.out\"))[\"status\"])'")
        #expect(parsed.text == "\(status)\n", "\(text)")
        #expect(!text.contains(server.bench.folder))
    }

    @Test func refusesUploadsBeforeTheyAreRead() throws {
        let server = try RunningServer("--max-bytes 100kB --max-pixels 1000000")
        #expect(
            try server.head("/v1/captures", "--data-binary @Media/captures/wisteria-iphone6-8mp.jpg").status.hasPrefix(
                "HTTP/1.1 413"))
        // Without a declared length, the body is read up to the limit.
        let chunked = try server.head(
            "/v1/captures", "-H 'Transfer-Encoding: chunked' --data-binary @Media/captures/wisteria-iphone6-8mp.jpg")
        #expect(chunked.status.hasPrefix("HTTP/1.1 413"))
        #expect(try server.head("/v1/captures", "-X POST").status.hasPrefix("HTTP/1.1 400"))
        let compressed = try server.head("/v1/captures", "-H 'Content-Encoding: gzip' --data-binary @photo.jpg")
        #expect(compressed.status.hasPrefix("HTTP/1.1 415"))
        #expect(try server.head("/v1/captures", "-F note=hello").status.hasPrefix("HTTP/1.1 400"))
    }

    /// A body that arrives byte by byte without end is aborted, as are slow request heads and connections without a
    /// request.
    @Test func givesUpOnSlowClients() throws {
        let server = try RunningServer("--upload-seconds 1 --idle-seconds 1")
        let text = try server.bench.python(
            """
            import socket
            host, port = sys.argv[1].rsplit("/", 1)[1].split(":")
            for head in [b"", b"GET /health HTTP/1.1\\r\\nHost: x\\r\\nX: ",
                b"POST /v1/captures HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 99999\\r\\n\\r\\n"]:
                s = socket.create_connection((host, int(port))); s.settimeout(0.1); s.sendall(head)
                start, got = time.time(), b""
                while time.time() - start < 20:
                    try:
                        part = s.recv(4096)
                        if not part: break
                        got += part
                        if b"\\r\\n\\r\\n" in got: break
                    except socket.timeout: pass
                    except OSError: break
                    try:
                        if head: s.sendall(b"a")
                    except OSError: break
                print("ended" if time.time() - start < 15 else "open", got[9:12].decode())
            """, server.base)
        #expect(text == "ended \nended \nended 408\n")
    }

    @Test func acceptsRecipesAlone() throws {
        let server = try RunningServer("--recipes-only --recipes recipes") { bench in
            _ = try bench.shell("mkdir recipes; printf 'output: {screen: 50x40, format: png}\\n' > recipes/tiny.yml")
        }
        #expect(try server.head("/v1/images/unsafe/recipe:tiny/town.jpg").status == "HTTP/1.1 200 OK")
        #expect(try server.bench.header("body.out") == ImageFileHeader("png", 50, 40))
        #expect(try server.head("/v1/images/unsafe/recipe:tiny/screen:60x60/town.jpg").status.hasPrefix("HTTP/1.1 403"))
        #expect(
            try server.head("/v1/captures?screen=60x60", "--data-binary @photo.jpg").status.hasPrefix("HTTP/1.1 403"))
    }

    /// A recipe that the server cannot read is its own fault.
    @Test func blamesItselfForABrokenRecipe() throws {
        let server = try RunningServer("--recipes recipes") { bench in
            _ = try bench.shell("mkdir recipes; echo 'filters: [none-such]' > recipes/broken.yml")
        }
        #expect(try server.head("/v1/images/unsafe/recipe:broken/town.jpg").status.hasPrefix("HTTP/1.1 503"))
        let text = try server.bench.text("body.out")
        #expect(!text.contains("none-such") && !text.contains("broken"), "\(text)")
        let log = try server.bench.text("err.txt")
        #expect(log.contains("none-such") && log.contains("broken.yml"), "\(log)")
        #expect(try server.head("/v1/images/unsafe/recipe:none/town.jpg").status.hasPrefix("HTTP/1.1 400"))
    }

    /// Other methods than those of an address are refused by naming these.
    @Test func namesTheMethodsOfAnAddress() throws {
        let server = try RunningServer("--stories stories --data data") { _ = try $0.shell("mkdir stories") }
        let wrong = [
            ("PUT", "/v1/captures", "POST"), ("DELETE", "/v1/captures", "POST"), ("OPTIONS", "/health", "GET, HEAD"),
            ("TRACE", "/health", "GET, HEAD"), ("GET", "/v1/levels", "POST"),
            ("POST", "/v1/stories/late-post", "GET, HEAD"),
            ("PATCH", "/v1/images/unsafe/town.jpg", "GET, HEAD"), ("PUT", "/v1/jobs/x", "DELETE, GET, HEAD"),
            ("DELETE", "/v1/notes", "GET, HEAD, POST"), ("POST", "/", "GET, HEAD"),
        ]
        for (method, path, allowed) in wrong {
            let answer = try server.head(path, "-X \(method)")
            #expect(answer.status == "HTTP/1.1 405 Method Not Allowed", "\(method) \(path)")
            #expect(answer.headers["allow"] == allowed, "\(method) \(path)")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
        #expect(try server.head("/nothing", "-X PUT").status == "HTTP/1.1 404 Not Found")
        #expect(try server.bench.text("body.out").contains("--data"))
    }

    /// With more concurrent requests than the queue holds, some are refused immediately and none fails otherwise; the
    /// health check still answers.
    @Test func refusesWhatIsTooMuch() throws {
        let server = try RunningServer("--queue 2 --jobs 1 --client-share 1")
        let requests = (1...12).map { number in
            "curl -s -o /dev/null -w '%{http_code}\\n' '\(server.base)/v1/images/unsafe/screen:\(900 + number)x900/format:avif/deep/wisteria%20%C3%BC.jpg' &"
        }
        let codes = try server.bench.shell(
            requests.joined(separator: "\n")
                + "\ncurl -s -o /dev/null -w 'health %{http_code}\\n' '\(server.base)/health'\nwait")
        let lines = codes.text.split(separator: "\n")
        #expect(lines.contains("health 200"))
        #expect(lines.contains("200"))
        #expect(lines.contains("503"))
        #expect(lines.allSatisfy { ["200", "503", "health 200"].contains($0) })
    }

    /// What an upload draws over its image is in the answer, so a client could see any image that it can name.
    @Test func uploadsNameOnlyFilesBesideTheRecipes() throws {
        let server = try RunningServer(
            "--keys keys.txt --recipes recipes --data data --player-keys keys.txt --stories bundles"
        ) { bench in
            try bench.writeKey("ab", as: "k")
            _ = try bench.shell("mkdir -p bundles recipes && cp Media/overlays/badge.png recipes/")
            try bench.write("TITLE \"x\"\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "recipes/identity.cube")
            _ = try bench.shell("mkdir -p photos && cp recipes/identity.cube photos/secret.cube")
        }
        let token = try server.bench.shell("wayreel token ines --keys keys.txt").text.filter { !$0.isNewline }
        let secrets = [
            "overlay=town.jpg@center", "overlay=deep%2Fwisteria%20%C3%BC.jpg@center", "filter=lut:file=secret.cube",
        ]
        let requests = [
            ("/v1/captures?format=png&", ""), ("/v1/captures?format=png&", "-H 'Prefer: respond-async'"),
            ("/v1/notes?latitude=1&longitude=1&", "-H 'Authorization: Bearer \(token)'"),
        ]
        for secret in secrets {
            for (path, options) in requests {
                let answer = try server.head(path + secret, "\(options) --data-binary @photo.jpg")
                #expect(answer.status == "HTTP/1.1 400 Bad Request", "\(path)\(secret) \(options)")
                #expect(try server.bench.text("body.out").contains("beside the recipes"))
            }
        }
        for (path, options) in requests {
            for file in ["overlay=badge.png@center", "filter=lut:file=identity.cube"] {
                let answer = try server.head(path + file, "\(options) --data-binary @photo.jpg")
                #expect(answer.status.hasPrefix("HTTP/1.1 20"), "\(path)\(file) \(options) \(answer.status)")
            }
        }
        let signed = try server.bench.shell(
            "wayreel url town.jpg --set screen=64x64 --set overlay=town.jpg@center --keys keys.txt"
        ).text.filter { !$0.isNewline }
        #expect(try server.head(signed).status == "HTTP/1.1 200 OK")
    }

    /// AVIF is encoded by one call of a library, which runs in a process that the deadline ends.
    @Test func endsWhatCannotBeInterrupted() throws {
        let server = try RunningServer("--max-seconds 2 --jobs 1")
        let text = try server.bench.python(
            #"""
            base = sys.argv[1]
            large = "/v1/images/unsafe/screen:6000x6000/format:avif/enlarge:true/lossless:true/town.jpg"
            print(call(base, "GET", large)[0], call(base, "GET", "/v1/images/unsafe/screen:8x8/format:avif/town.jpg")[0])
            """#, server.base)
        #expect(text == "503 200\n")
    }

    @Test func endsWhatIsUnderWayWhenItIsTold() throws {
        let server = try RunningServer()
        let request =
            "curl -s -o /dev/null -w '%{http_code}' '\(server.base)/v1/images/unsafe/screen:1000x1000/format:avif/deep/wisteria%20%C3%BC.jpg'"
        let code = try server.bench.shell(
            "\(request) & sleep 0.1; kill -TERM \(server.process); wait; curl -s \(server.base)/health || echo ' gone'")
        #expect(code.text == "200 gone\n")
    }

    @Test func servesStoriesAndFindsNewVersions() throws {
        let server = try RunningServer("--stories bundles") { try MillStory.prepare(in: $0) }
        let bench = server.bench
        func field(_ expression: String) throws -> String {
            try bench.shell("python3 -c 'import json; d=json.load(open(\"body.out\")); print(\(expression))'").text
        }
        #expect(try server.head("/v1/stories").status == "HTTP/1.1 200 OK")
        #expect(try field("[s[\"name\"] for s in d]") == "['The Mill']\n")
        _ = try server.head("/v1/stories/mill")
        #expect(try field("d[\"chapters\"][0][\"events\"][0][\"id\"]") == "wheel\n")
        let first = try server.head("/v1/stories/mill/manifest.json")
        let media = try field("d[\"files\"][0][\"path\"]").filter { !$0.isNewline }
        let image = try server.head("/v1/stories/mill/\(media)")
        #expect(image.status == "HTTP/1.1 200 OK")
        #expect(image.headers["cache-control"] == "public, max-age=31536000, immutable")
        #expect(try bench.bytes("body.out") == bench.bytes("bundles/mill/\(media)"))
        #expect(try server.head("/v1/stories/mill/\(media)", "-r 0-9").status == "HTTP/1.1 206 Partial Content")
        for tag in ["*", try #require(image.headers["etag"])] {
            let known = try server.head("/v1/stories/mill/\(media)", "-H 'If-None-Match: \(tag)'")
            #expect(known.status == "HTTP/1.1 304 Not Modified")
        }
        // What rsync has not finished to copy.
        _ = try bench.shell("cp -a bundles/mill bundles/.mill.x1 && mv bundles/mill away")
        #expect(try server.head("/v1/stories/mill").status == "HTTP/1.1 404 Not Found")
        #expect(try server.curl("", path: "/v1/stories").text == "[]")
        _ = try bench.shell("mv away bundles/mill")
        #expect(try server.head("/v1/stories/none").status == "HTTP/1.1 404 Not Found")
        #expect(
            try server.head("/v1/stories/mill/media/../.wayreel/lock", "--path-as-is").status.hasPrefix("HTTP/1.1 404"))
        #expect(
            try server.head("/v1/stories/mill/media/%2e%2e/story.sqlite", "--path-as-is").status.hasPrefix(
                "HTTP/1.1 404"))

        try MillStory.prepare(in: bench, MillStory.document.replacing("The Mill", with: "The Old Mill"))
        _ = try server.head("/v1/stories")
        #expect(try field("d[0][\"name\"]") == "The Old Mill\n")
        #expect(try server.head("/v1/stories/mill/manifest.json").headers["etag"] != first.headers["etag"])
        #expect(try server.head("/v1/stories/mill/\(media)").status == "HTTP/1.1 200 OK")
    }

    /// A validator checks the description, and hundreds of requests generated from it get only the documented answers.
    @Test(.enabled(if: References.have("schemathesis, openapi_spec_validator"), "scripts/references installs them"))
    func answersAsItsDescriptionSays() throws {
        // Requests faster than their jobs end must not fill the queue, which is a documented 503.
        let server = try RunningServer("--stories stories --data state --queued-jobs 100000") { bench in
            _ = try bench.shell("mkdir stories")
        }
        let bench = server.bench
        _ = try server.curl("-o openapi.json", path: "/openapi.json")
        expectDone(try bench.shell("\(References.folder)/openapi-spec-validator openapi.json"))
        let checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
        let run = try bench.shell(
            "\(References.folder)/schemathesis run openapi.json --url \(server.base) --checks \(checks) -n 30 --seed 1 "
                + "--generation-database none --no-color --suppress-health-check filter_too_much")
        #expect(run.ending == .exited(0), "\(run.text)")
    }

    @Test func servesImagesOfTheRoot() throws {
        let server = try RunningServer("--images /")
        let answer = try server.head("/v1/images/unsafe/screen:40x30\(server.bench.path("photos/town.jpg"))")
        #expect(answer.status == "HTTP/1.1 200 OK")
    }

    /// With a library of YAML that never answers: only settings in YAML, recipes and the description need it.
    @Test func startsWithoutTheLibraryOfYAML() throws {
        let bench = Workbench()
        bench.makeFolder("lib")
        try StandInLibrary.make(["libyaml-0.so.2"], for: "CYAML", in: bench.path("lib"))
        let run = try bench.shell("LD_LIBRARY_PATH=$PWD/lib timeout 60 wayreel serve --check --data data")
        expectDone(run)
        #expect(run.text.hasPrefix("the settings are right\n"))
    }

    @Test func checksItsSettings() throws {
        let bench = Workbench()
        try bench.write("max-pixels: 5000000\nlisten: 127.0.0.1:0\n", to: "right.yml")
        let checked = try bench.shell("wayreel serve --config right.yml --check")
        #expect(checked.text.hasPrefix("the settings are right\nmemory: "), "\(checked.text)")
        try bench.write("listen: 127.0.0.1:0\nmax-pixel: 5\n", to: "wrong.yml")
        let wrong = try bench.shell("wayreel serve --config wrong.yml --check")
        #expect(wrong.errors.contains("wrong.yml:2") && wrong.errors.contains("did you mean 'max-pixels'"))
        for text in ["hi", "- a", "42", "[]"] {
            try bench.write(text, to: "none.yml")
            let run = try bench.shell("wayreel serve --config none.yml --check")
            #expect(
                run.ending == .exited(2) && run.errors.contains("none.yml:1: settings: settings are a mapping, not "))
        }
        let file = try bench.shell("wayreel serve --stories none.yml --check")
        #expect(file.ending == .exited(1) && file.errors == "error: none.yml: start: is not a folder\n")
        try bench.write("# Nothing is set.\n", to: "none.yml")
        expectDone(try bench.shell("wayreel serve --config none.yml --check"))
        #expect(try bench.shell("WAYREEL_JOBS=many wayreel serve --check").errors.contains("WAYREEL_JOBS"))
        #expect(try bench.shell("wayreel serve --listen 0.0.0.0:0 --check").errors.contains("no keys are set"))
        #expect(try bench.shell("wayreel serve --images nowhere --check").errors.contains("nowhere"))
    }
}
