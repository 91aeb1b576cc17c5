import Glibc
import TestSupport
import Testing

/// The result cache after kills of the process and with a full disk.
struct ResultCacheTests {
    private static let paths = (1...6).map { "/v1/images/unsafe/screen:\($0 * 40)x\($0 * 30)/town.jpg" }

    /// Returns the images as made without a cache.
    private static func results(_ server: RunningServer) throws -> [[UInt8]] {
        try paths.map { path in
            #expect(try server.head(path).status == "HTTP/1.1 200 OK")
            return try server.bench.bytes("body.out")
        }
    }

    /// The server is killed ten times while it writes: the next process answers with complete images, whatever is on
    /// the disk.
    @Test func survivesKills() throws {
        let expected = try Self.results(try RunningServer())
        let folder = Workbench()
        for round in 0..<10 {
            let server = try RunningServer("--cache \(folder.folder)/cache")
            let requests = Self.paths.map { "curl -s -o /dev/null '\(server.base)\($0)' &" }.joined(separator: "\n")
            _ = try server.bench.shell("\(requests)\nsleep 0.0\(round); kill -9 \(server.process); wait")
        }
        // A cached file that was truncated on its way to the disk.
        _ = try folder.shell("f=$(find cache -type f | head -1); [ -z \"$f\" ] || truncate -s -9 \"$f\"")
        let server = try RunningServer("--cache \(folder.folder)/cache")
        #expect(try Self.results(server) == expected)
        #expect(try Self.results(server) == expected)
    }

    /// A damaged file is replaced by a complete one. `find` measures what is on the disk.
    @Test func countsAReplacedResultOnce() throws {
        let folder = Workbench()
        let server = try RunningServer("--cache \(folder.folder)/cache --cache-memory 100B")
        _ = try Self.results(server)
        let used = try folder.shell("find cache -type f -exec stat -c %s {} + | awk '{ n += $1 } END { print n }'").text
        _ = try folder.shell(
            """
            for f in $(find cache -type f); do
                printf damaged | dd of=$f bs=1 seek=$(($(stat -c %s $f) - 7)) conv=notrunc status=none
            done
            """)
        _ = try Self.results(server)
        let now = try folder.shell("find cache -type f -exec stat -c %s {} + | awk '{ n += $1 } END { print n }'").text
        #expect(now == used)
        let metrics = try server.curl("", path: "/metrics").text
        #expect(metrics.contains("\nwayreel_cache_bytes \(used.filter(\.isNumber)).0\n"), "\(metrics)")
    }

    /// If nothing more can be written, images are made for each request.
    @Test(.enabled(if: geteuid() == 0, "mounts a small disk"))
    func servesWithAFullDisk() throws {
        let expected = try Self.results(try RunningServer())
        let disk = Workbench()
        let mounted = try disk.shell("mkdir disk && mount -t tmpfs -o size=16k tmpfs disk")
        guard mounted.ending == .exited(0) else { return }
        defer { _ = try? disk.shell("umount -l disk") }
        let server = try RunningServer("--cache \(disk.folder)/disk/cache")
        #expect(try Self.results(server) == expected)
        #expect(try Self.results(server) == expected)
        // No incomplete files remain.
        #expect(try disk.shell("find disk -type f -name '*.*.*'").text.isEmpty)
    }
}
