import TestSupport
import Testing

/// SIGHUP makes a running service read its keys and its certificate again.
@Suite struct ReloadTests {
    /// Makes keys and two certificates by OpenSSL: `cert.pem` and `key.pem` are links to those of 2026.
    private static func prepare(_ bench: Workbench) throws {
        try bench.write("new:\(hex("22"))\nold:\(hex("11"))\n", to: "keys.txt")
        try bench.write("new:\(hex("44"))\nold:\(hex("33"))\n", to: "players.txt")
        for year in ["2026", "2027"] {
            let made = try bench.shell(
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=\(year).example \
                -keyout key-\(year).pem -out cert-\(year).pem
                """)
            #expect(made.ending == .exited(0), "\(made.errors)")
        }
        _ = try bench.shell("ln -s cert-2026.pem cert.pem; ln -s key-2026.pem key.pem")
    }

    private static func hex(_ byte: String) -> String { String(repeating: byte, count: 32) }

    /// Requests run meanwhile, and none of them fails.
    private static let program = #"""
        import signal, socket, ssl
        base, process = sys.argv[1], int(sys.argv[2])
        host, port = base.split("//")[1].split(":")
        trusting = ssl.create_default_context(); trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        def connect(): return http.client.HTTPSConnection(host, int(port), timeout=60, context=trusting)
        def ask(connection, path, headers={}):
            connection.request("GET", path, None, headers)
            answer = connection.getresponse(); answer.read()
            return answer.status
        def token(name, byte): return {"Authorization": "Bearer " + hs256({"sub": "ines"}, bytes([byte] * 32), kid=name)}
        def image(name, byte):
            signed = "/screen:32x32/town.jpg"
            return "/v1/images/" + name + "." + b64(hmac.new(bytes([byte] * 32), signed.encode(), hashlib.sha256).digest()) + signed
        journal = "/v1/players/ines/journal"
        def four():
            connection = connect()
            return [ask(connection, journal, token("new", 0x44)), ask(connection, journal, token("old", 0x33)),
                ask(connection, image("new", 0x22)), ask(connection, image("old", 0x11))]
        def presented():
            with trusting.wrap_socket(socket.create_connection((host, int(port)))) as s: return s.getpeercert(True)
        def certificate(year): return ssl.PEM_cert_to_DER_cert(open(f"cert-{year}.pem").read())
        def lines(): return [json.loads(l) for l in open("err.txt") if '"reload"' in l]
        def reload():
            count = len(lines())
            os.kill(process, signal.SIGHUP)
            for _ in range(600):
                if len(lines()) >= count + 3: break
                time.sleep(0.05)
            return {l["reload"]: "fault" in l for l in lines()[count:]}

        seen, isOver, kept = set(), threading.Event(), connect()
        assert ask(kept, journal, token("new", 0x44)) == 200
        def load(keeps):
            connection = connect()
            while not isOver.is_set():
                if not keeps: connection = connect()
                seen.add(ask(connection, journal, token("new", 0x44)))
                seen.add(ask(connection, image("new", 0x22)))
                if not keeps: connection.close()
        threads = [threading.Thread(target=load, args=(n % 2 == 0,)) for n in range(4)]
        for thread in threads: thread.start()
        print(four(), presented() == certificate(2026))
        for number in (signal.SIGUSR1, signal.SIGUSR2): os.kill(process, number)

        open("keys.txt", "w").write("new:" + "22" * 32 + "\n")
        open("players.txt", "w").write("new:" + "44" * 32 + "\n")
        for name in ("cert", "key"):
            os.symlink(f"{name}-2027.pem", "next"); os.rename("next", f"{name}.pem")
        print(sorted(reload().items()))
        print(four(), presented() == certificate(2027))

        # Damaged files change nothing: a key that does not fit the certificate, no key at all, a line that is no key.
        os.symlink("key-2026.pem", "next"); os.rename("next", "key.pem")
        open("keys.txt", "w").write("")
        open("players.txt", "w").write("new:short\n")
        print(sorted(reload().items()))
        print(four(), presented() == certificate(2027))
        isOver.set()
        for thread in threads: thread.join()
        # A connection from before goes on.
        print(seen, ask(kept, journal, token("new", 0x44)))
        """#

    @Test func readsKeysAndCertificatesAgain() throws {
        let server = try RunningServer(
            "--data data --keys keys.txt --player-keys players.txt --tls cert.pem key.pem", prepare: Self.prepare)
        let text = try server.bench.python(Self.program, server.base, "\(server.process)")
        #expect(
            text == """
                [200, 200, 200, 200] True
                [('certificate', False), ('keys', False), ('player-keys', False)]
                [200, 401, 200, 403] True
                [('certificate', True), ('keys', True), ('player-keys', True)]
                [200, 401, 200, 403] True
                {200} 200

                """)
        server.terminate()
    }
}
