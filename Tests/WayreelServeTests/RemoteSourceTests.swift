import Glibc
import TestSupport
import Testing

/// Images of other servers: a Python server, which also misbehaves.
struct RemoteSourceTests {
    private static let other = """
        import http.server, socketserver, sys, time
        photo = open(sys.argv[1], "rb").read()
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *a): pass
            def reply(self, status, headers, body=b""):
                self.send_response(status)
                for name, value in headers: self.send_header(name, value)
                self.end_headers()
                try: self.wfile.write(body)
                except OSError: pass
            def do_GET(self):
                name = self.path.rsplit("/", 1)[1]
                port = self.server.server_address[1]
                if name == "town.jpg": self.reply(200, [("Content-Length", str(len(photo)))], photo)
                elif name == "inside": self.reply(302, [("Location", "town.jpg")])
                elif name == "outside": self.reply(302, [("Location", "/private/town.jpg")])
                elif name == "local": self.reply(307, [("Location", f"http://localhost:{port}/pics/town.jpg")])
                elif name == "round": self.reply(301, [("Location", "round")])
                elif name == "file": self.reply(302, [("Location", "file:///etc/passwd")])
                elif name == "huge": self.reply(200, [("Content-Length", "99999999999")], photo)
                elif name == "endless":
                    self.reply(200, [])
                    try:
                        while True: self.wfile.write(b"x" * 65536)
                    except OSError: pass
                elif name == "silent": time.sleep(60)
                elif name == "broken": self.reply(500, [])
                else: self.reply(404, [])
        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer): daemon_threads = True
        server = Server(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    /// A Python server that ends with this object.
    private final class OtherServer {
        let bench = Workbench()
        let process: pid_t
        let port: String

        init() throws {
            try bench.write(RemoteSourceTests.other, to: "other.py")
            let started = try bench.shell("python3 other.py photo.jpg > port.txt 2> other.txt < /dev/null & echo $!")
            process = try #require(pid_t(started.text.filter { !$0.isNewline }))
            var port = ""
            for _ in 0..<200 where port.isEmpty {
                usleep(50_000)
                port = ((try? bench.text("port.txt")) ?? "").filter { !$0.isNewline }
            }
            self.port = port
        }

        deinit { kill(process, SIGKILL) }
    }

    private func path(_ url: String) -> String {
        let encoded = url.replacing("%", with: "%25").replacing(":", with: "%3A").replacing("/", with: "%2F")
            .replacing("[", with: "%5B").replacing("]", with: "%5D").replacing("#", with: "%23")
        return "/v1/images/unsafe/screen:300x200/\(encoded)"
    }

    @Test func preparesWhatIsListedAsAFileOfItsOwn() throws {
        let other = try OtherServer()
        let server = try RunningServer("--sources http://127.0.0.1:\(other.port)/pics/")
        #expect(try server.head("/v1/images/unsafe/screen:300x200/town.jpg").status == "HTTP/1.1 200 OK")
        let own = try server.bench.bytes("body.out")
        for name in ["town.jpg", "inside"] {
            #expect(try server.head(path("http://127.0.0.1:\(other.port)/pics/\(name)")).status == "HTTP/1.1 200 OK")
            #expect(try server.bench.bytes("body.out") == own)
        }
    }

    @Test func refusesWhatIsNotListedAndWhatMisbehaves() throws {
        let other = try OtherServer()
        let base = "http://127.0.0.1:\(other.port)"
        let server = try RunningServer("--sources \(base)/pics/ --max-bytes 1MB --max-seconds 3")
        let expected = [
            ("\(base)/private/town.jpg", 403), ("\(base)/pics/../private/town.jpg", 403),
            ("\(base)/pics/%2e%2e/private/town.jpg", 403), ("\(base)/pics/..%2Fprivate/town.jpg", 403),
            ("https://127.0.0.1:\(other.port)/pics/town.jpg", 403), ("http://127.0.0.1/pics/town.jpg", 403),
            ("http://user@127.0.0.1:\(other.port)/pics/town.jpg", 400), ("\(base)/pics/town.jpg#x", 400),
            ("http://169.254.169.254/latest/meta-data", 403), ("file:///etc/passwd", 400), ("http://", 400),
            ("\(base)/pics/outside", 403), ("\(base)/pics/local", 403), ("\(base)/pics/round", 502),
            ("\(base)/pics/file", 502), ("\(base)/pics/huge", 413), ("\(base)/pics/endless", 413),
            ("\(base)/pics/silent", 502), ("\(base)/pics/broken", 502), ("\(base)/pics/none.jpg", 404),
        ]
        for (url, status) in expected {
            let answer = try server.head(path(url))
            #expect(answer.status.hasPrefix("HTTP/1.1 \(status) "), "\(url): \(answer.status)")
            #expect(answer.headers["content-type"] == "application/problem+json", "\(url)")
        }
        #expect(try server.head("/health").status == "HTTP/1.1 200 OK")
    }

    /// A listed name must resolve to public addresses, in any notation; only a literal address on the list may be
    /// private.
    @Test(arguments: ["localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "LOCALHOST", "localhost."])
    func refusesNamesOfPrivateAddresses(host: String) throws {
        let other = try OtherServer()
        let server = try RunningServer("--sources http://\(host):\(other.port)/")
        let answer = try server.head(path("http://\(host):\(other.port)/pics/town.jpg"))
        #expect(answer.status == "HTTP/1.1 403 Forbidden")
    }
}
