package import Glibc
package import Testing

/// Python programs that use the service: independent implementations of HTTP, JSON, tokens and geodesy.
extension Workbench {
    /// The beginning of every such program.
    private static let prelude = #"""
        import base64, datetime, hashlib, hmac, http.client, json, os, random, struct, subprocess, sys, threading, time, urllib.parse, zlib

        def call(base, method, path, body=None, headers={}):
            host, port = base.split("//")[1].rstrip("/").split(":")
            connection = http.client.HTTPConnection(host, int(port), timeout=60)
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
            finally:
                connection.close()

        described = {}
        def judge(base, method, path, status, headers, body):
            """Asserts that the body of an answer keeps to the schema that /openapi.json has for it, and returns the schema's name."""
            import jsonschema, re
            document = described.get(base) or described.setdefault(base, json.loads(call(base, "GET", "/openapi.json")[2]))
            plain, type = path.split("?")[0], headers.get("content-type", "").split(";")[0]
            fitting = [name for name in document["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", name), plain)]
            if not fitting: return None
            operation = document["paths"][plain if plain in fitting else fitting[0]].get(method.lower(), {"responses": {}})
            schema = operation["responses"].get(str(status), {}).get("content", {}).get(type, {}).get("schema")
            if schema is None: return None
            jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(json.loads(body))
            return schema["$ref"].split("/")[-1]

        def b64(data):
            return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()

        def hs256(claims, key, **header):
            text = b64({"alg": "HS256", "typ": "JWT", **header}) + "." + b64(claims)
            return text + "." + b64(hmac.new(key, text.encode(), hashlib.sha256).digest())

        def iso(seconds):
            return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

        def journal(story, **lists):
            return json.dumps({"format": "wayreel-journal", "version": 1, "story": story, **lists})

        def png(red, green, blue, side=8):
            def chunk(name, data):
                return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            rows = (b"\0" + bytes([red, green, blue]) * side) * side
            head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
            return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")

        """#

    /// Runs a program, with the Python of `References` if it needs their packages. Output to standard error or a failed
    /// assertion fails the test.
    package func python(
        _ program: String, _ arguments: String..., usesReferences: Bool = false,
        location: SourceLocation = #_sourceLocation
    ) throws -> String {
        try write(Self.prelude + program, to: "program.py")
        let python = usesReferences ? "\(References.folder)/python" : "python3"
        let run = try shell(([python, "program.py"] + arguments).joined(separator: " "))
        #expect(run.ending == .exited(0) && run.errors.isEmpty, "\(run.errors)", sourceLocation: location)
        return run.text
    }

    /// Starts a program that runs until it is killed, and returns its process id, which is also in `provider.pid`.
    package func start(python program: String, _ name: String) throws -> pid_t {
        try write(Self.prelude + program, to: name)
        let run = try shell("python3 \(name) > /dev/null 2> \(name).err < /dev/null & echo $! | tee provider.pid")
        return try #require(pid_t(run.text.filter { !$0.isNewline }))
    }

    /// Prepares the sample story into `bundles/late-post`.
    package func prepareSampleStory() throws {
        makeFolder("bundles")
        expectDone(try shell("wayreel prepare Media/story/story.xml -o bundles/late-post --screen 320x240"))
    }
}
