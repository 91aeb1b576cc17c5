import Glibc
import TestSupport
import Testing

/// Levels of uploads, compared with an independent computation in Python.
@Suite struct LevelsOverHTTPTests {
    @Test func measuresAnUpload() throws {
        let server = try RunningServer()
        let answer = try server.head(
            "/v1/levels?rate=30&unit=linear&readings=peak,rms", "--data-binary @Media/radio/bunny-4s.wav")
        #expect(answer.status == "HTTP/1.1 200 OK")
        #expect(answer.headers["content-type"] == "application/json")
        #expect(answer.headers["cache-control"] == "no-store")
        _ = try server.bench.python(
            """
            import array, math, wave
            file = wave.open("Media/radio/bunny-4s.wav"); rate, channels = file.getframerate(), file.getnchannels()
            samples = array.array("h", file.readframes(file.getnframes())); count = len(samples) // channels
            levels = json.load(open("body.out")); buckets = -(-count * 30 // rate)
            assert levels["source"]["file"] is None and levels["bucketCount"] == buckets and len(levels["channels"]) == channels
            for c in range(channels):
                own = [x / 32768 for x in samples[c::channels]]
                for k in range(buckets):
                    part = own[-(-k * rate // 30):-(-(k + 1) * rate // 30)]
                    peak, rms = max(map(abs, part)), math.sqrt(math.fsum(x * x for x in part) / len(part))
                    assert abs(levels["channels"][c]["peak"][k] - peak) < 6e-6, (c, k)
                    assert abs(levels["channels"][c]["rms"][k] - rms) < 6e-6, (c, k)
            """)
    }

    @Test(arguments: [
        ("format=dat&bits=8&zoom=512", "-o local.dat --bits 8 --zoom 512", "dat", "application/octet-stream"),
        ("format=csv&rate=10&meter=vu", "-o local.csv --rate 10 --meter vu", "csv", "text/csv"),
        ("format=png&size=300x80&theme=dark", "-o local.png --size 300x80 --theme dark", "png", "image/png"),
    ])
    func writesWhatTheCommandWrites(query: String, flags: String, ending: String, type: String) throws {
        let server = try RunningServer()
        let answer = try server.head("/v1/levels?\(query)", "--data-binary @Media/radio/bunny-4s.flac")
        #expect(answer.status == "HTTP/1.1 200 OK")
        #expect(answer.headers["content-type"] == type)
        #expect(answer.headers["vary"] == nil)
        expectDone(try server.bench.shell("wayreel levels Media/radio/bunny-4s.flac \(flags)"))
        #expect(try server.bench.bytes("body.out") == server.bench.bytes("local.\(ending)"))
    }

    @Test func choosesTheFormatByWhatIsAccepted() throws {
        let server = try RunningServer()
        let types = [
            ("image/svg+xml", "200", "image/svg+xml"), ("text/csv;q=0.5, image/jpeg", "200", "text/csv"),
            ("application/octet-stream", "200", "application/octet-stream"), ("*/*", "200", "application/json"),
            ("image/*", "200", "image/svg+xml"), ("image/jpeg", "406", "application/problem+json"),
            ("application/json;q=0.1, text/csv", "200", "text/csv"),
            ("application/json;q=0, */*;q=0.5", "200", "application/octet-stream"),
            ("image/png, */*", "200", "image/png"), ("*/*;q=0", "406", "application/problem+json"),
        ]
        for (accept, status, type) in types {
            let answer = try server.head("/v1/levels", "-H 'Accept: \(accept)' --data-binary @Media/radio/bunny-4s.wav")
            #expect(answer.status.hasPrefix("HTTP/1.1 \(status)"))
            #expect(answer.headers["content-type"] == type)
            if status == "200" { #expect(answer.headers["vary"] == "Accept") }
        }
        _ = try server.head("/v1/levels?format=svg", "--data-binary @Media/radio/bunny-4s.wav")
        expectDone(
            try server.bench.shell("python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse(\"body.out\")'"))
    }

    /// Readings wait in a temporary file, which may be one in memory.
    @Test func keepsNoMoreReadingsThanAnAnswerMayHave() throws {
        let server = try RunningServer("--max-bytes 400kB") { _ = try $0.shell("head -c 300000 /dev/zero > silence") }
        let answer = try server.head("/v1/levels?raw=u8:8000:1&zoom=1&format=dat&bits=8", "--data-binary @silence")
        #expect(answer.status.hasPrefix("HTTP/1.1 413"))
        let problem = try server.bench.text("body.out")
        #expect(problem.contains("the levels have more than 100000 values; ask for fewer readings"), "\(problem)")
    }

    /// Measuring this upload would take most of a minute.
    @Test func givesUpTheWorkForAClientThatHasGone() throws {
        let server = try RunningServer("--max-seconds 600")
        let query = "raw=s16le:8000:1&zoom=64&loudness=true&meter=vu&sample-rate=96000"
        let script = """
            head -c 50000000 /dev/urandom > noise
            busy() { curl -s '\(server.base)/metrics' | grep -q '^wayreel_queue_requests 1.0'; }
            curl -s -o answer '\(server.base)/v1/levels?\(query)' --data-binary @noise & client=$!
            until busy; do sleep 0.05; done
            kill $client
            while busy; do sleep 0.05; done
            """
        _ = try server.bench.shell(script)
        let log = try server.bench.text("err.txt").split(separator: "\n").filter { $0.contains("/v1/levels") }
        #expect(log.count == 1 && !log[0].contains("\"status\":200"), "\(log)")
        #expect(!server.bench.exists("answer"))
    }

    @Test(arguments: [
        ("", "@text.txt", 422), ("", "@cut.wav", 422), ("rate=0", "@Media/radio/bunny-4s.wav", 400),
        ("rate=30&zoom=9", "@Media/radio/bunny-4s.wav", 400), ("bits=8", "@Media/radio/bunny-4s.wav", 400),
        ("style=bars", "@Media/radio/bunny-4s.wav", 400), ("style=bars&format=png&bits=8", "@photo.jpg", 400),
        ("format=svg&zoom=256", "@photo.jpg", 400), ("format=png&size=30000x30000", "@photo.jpg", 413),
        ("points=100001", "@photo.jpg", 400), ("zoom=1", "@Media/radio/bunny-4s.wav", 413),
        ("", "@long.mp3", 413), ("raw=s16le:44100", "@photo.jpg", 400),
    ])
    func refuses(query: String, body: String, status: Int) throws {
        let server = try RunningServer("--max-bytes 900kB") { bench in
            _ = try bench.shell("echo hello > text.txt; head -c 20 Media/radio/bunny-4s.wav > cut.wav")
            _ = try bench.shell("cat Media/radio/bunny.mp3 Media/radio/bunny.mp3 > long.mp3")
        }
        let answer = try server.head("/v1/levels?\(query)", "--data-binary \(body)")
        let text = try server.bench.text("body.out")
        #expect(answer.status.hasPrefix("HTTP/1.1 \(status)"), "\(answer.status) \(text)")
        #expect(answer.headers["content-type"] == "application/problem+json")
    }
}
