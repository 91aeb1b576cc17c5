import TestSupport
import Testing

/// Spans are sent to an OpenTelemetry collector, for which a server of Python's library stands in.
@Suite struct CollectorTests {
    /// Starts the collector, runs the service with `options`, and prints what came.
    private static let program = #"""
        import atexit, http.server, signal
        requests, answers = [], []
        class Collector(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((self.path, self.headers["Content-Type"], json.loads(body)))
                status = answers.pop(0) if answers else 200
                if status == "silent": time.sleep(3600)
                self.send_response(status); self.send_header("Content-Length", "2"); self.end_headers(); self.wfile.write(b"{}")
            def log_message(self, *_): pass
        collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        collector.daemon_threads = True
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        service = subprocess.Popen(["wayreel", "serve", "--listen", "127.0.0.1:0", "--images", "photos", "--log", "false",
            "--otlp", f"http://127.0.0.1:{collector.server_port}"], stdout=subprocess.PIPE, text=True)
        atexit.register(service.kill)
        base = service.stdout.readline().split()[-1]
        def spans(): return [s for _, _, r in requests for g in r["resourceSpans"] for c in g["scopeSpans"] for s in c["spans"]]
        def metric(name):
            text = call(base, "GET", "/metrics")[2].decode()
            return float([l for l in text.splitlines() if l.startswith(name + " ")][0].split()[1])
        def wait(condition):
            for _ in range(600):
                if condition(): return
                time.sleep(0.05)
            raise AssertionError((len(requests), len(spans())))
        def stop():
            service.send_signal(signal.SIGTERM)
            assert service.wait(60) == 0

        """#

    private func run(_ program: String) throws -> String {
        let bench = Workbench()
        _ = try bench.shell("mkdir photos; cp \(Workbench.smallPhoto) photos/town.jpg")
        return try bench.python(Self.program + program)
    }

    @Test func sendsSpansInBatches() throws {
        let text = try run(
            #"""
            trace = "0af7651916cd43dd8448eb211c80319c"
            call(base, "GET", "/v1/images/unsafe/screen:64x64/town.jpg", None, {"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
            for _ in range(30): call(base, "GET", "/health?secret=1")
            wait(lambda: len(spans()) >= 32)
            mine = {s["name"]: s for s in spans() if s["traceId"] == trace}
            server = next(s for s in mine.values() if s["kind"] == 2)
            print({(path, type) for path, type, _ in requests}, len(requests) < 32)
            print(server["parentSpanId"], mine["prepare"]["parentSpanId"] == server["spanId"], "secret" not in json.dumps(requests))
            resource = {a["key"]: a["value"]["stringValue"] for a in requests[0][2]["resourceSpans"][0]["resource"]["attributes"]}
            print(resource["service.name"], metric("wayreel_spans_dropped_total"), metric("wayreel_spans_sent_total") >= 32)
            count = len(spans())
            call(base, "GET", "/health")
            # What is under way is sent before the end.
            stop()
            assert len(spans()) > count
            """#)
        #expect(
            text == """
                {('/v1/traces', 'application/json')} True
                b7ad6b7169203331 True True
                wayreel 0.0 True

                """)
    }

    /// A collector that refuses, is busy, says nothing or is gone delays no request, and what it misses is counted.
    @Test func neverWaitsForTheCollector() throws {
        let text = try run(
            #"""
            answers += [503]
            call(base, "GET", "/health")
            wait(lambda: len(requests) == 2)
            print(requests[0][2] == requests[1][2], metric("wayreel_spans_dropped_total"))
            answers += [400]
            call(base, "GET", "/health")
            wait(lambda: metric("wayreel_spans_dropped_total") > 0)
            answers[:] = ["silent"] * 100
            slowest, count = 0, 0
            connection = http.client.HTTPConnection(base.split("//")[1].rstrip("/"))
            for _ in range(6000):
                start = time.monotonic()
                connection.request("GET", "/health"); connection.getresponse().read()
                slowest = max(slowest, time.monotonic() - start)
            print(slowest < 2, metric("wayreel_spans_dropped_total") > 1000, metric("wayreel_spans_queued") <= 4096)
            """#)
        #expect(text == "True 0.0\nTrue True True\n")
    }
}
