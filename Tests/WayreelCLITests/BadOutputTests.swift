internal import Glibc
internal import TestSupport
internal import Testing

/// Outputs that cannot be written.
@Suite struct BadOutputTests {
    private let bench = Workbench()

    @Test func folderMissingOrInTheWay() throws {
        bench.makeFolder("taken.jpg")
        bench.makeFolder("out")
        bench.makeFolder("out/photo.jpg")
        try bench.write("a file", to: "file")
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "none/out.jpg"), 1,
            "none/out.jpg: write: no such file or directory", "create the folder first")
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "out/"), 1, "out/photo.jpg: write: is a directory")
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "file/out.jpg"), 1, "file/out.jpg: write: not a directory")
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "Media/captures/still-photo.heic", "-o", "file/out/"), 1,
            "file/out", "not a directory")
        expectRefused(try bench.wayreel("capture", "photo.jpg", "-o", ""), 2, "empty")
        // A folder that ends in .jpg is a folder.
        expectDone(try bench.wayreel("capture", "photo.jpg", "-o", "taken.jpg", "--screen", "64x64"))
        #expect(bench.listing() == ["file", "out", "taken.jpg"])
        #expect(bench.listing("taken.jpg") == ["photo.jpg"] && bench.listing("out/photo.jpg") == [])
    }

    @Test func readOnlyFileSystem() throws {
        expectRefused(try bench.wayreel("capture", "photo.jpg", "-o", "/proc/out.jpg"), 1, "/proc/out.jpg: write: ")
        expectRefused(try bench.wayreel("capture", "photo.jpg", "-o", "/sys/out.jpg"), 1, "/sys/out.jpg: write: ")
        expectRefused(try bench.wayreel("capture", "photo.jpg", "-o", "/proc/out/"), 1, "/proc/out: ")
    }

    @Test func aNameAsLongAsTheFileSystemTakes() throws {
        let longest = String(repeating: "ä", count: 125) + "x.jpg"
        expectDone(try bench.wayreel("capture", "photo.jpg", "-o", longest, "--screen", "64x64"))
        #expect(bench.listing() == [longest])
        expectRefused(
            try bench.wayreel("capture", "photo.jpg", "-o", "x" + longest), 1, "write: file name too long")
        #expect(bench.listing() == [longest])
    }

    /// Uses a file system of 256 KB, which only root can mount; `StreamTests` covers the same with /dev/full.
    @Test(.enabled(if: getuid() == 0, "mounting takes root")) func fullDisk() throws {
        bench.makeFolder("small")
        guard mount("wayreel-test", bench.path("small"), "tmpfs", 0, "size=262144") == 0 else { return }
        defer { umount(bench.path("small")) }
        let run = try bench.wayreel(
            "capture", "Media/captures/frame-1080p.png", "-o", "small/out.png", "--report", "report.json")
        expectRefused(run, 1, "small/out.png: write: no space left on device", "free some space")
        #expect(bench.listing("small") == [])
        // A batch writes the outputs that fit and reports the others.
        bench.makeFolder("in")
        let names = (0..<12).map { "in/\($0).jpg" }
        for name in names { symlink(Workbench.smallPhoto, bench.path(name)) }
        let batch = try bench.command(
            ["capture"] + names + ["-o", "small", "--screen", "480x320", "--report", "report.json"]
        ).run()
        #expect(batch.ending == .exited(1), "\(batch.errors)")
        let tasks = try bench.report().tasks
        let done = tasks.filter { $0.status == "done" }
        #expect((1..<12).contains(done.count) && bench.listing("small").count == done.count)
        for task in done { #expect(try bench.bytes(task.output.path).count == task.output.bytes) }
        // The report itself does not fit.
        try bench.write([UInt8](repeating: 1, count: 4096), to: "small/filler")
    }

    /// Of two outputs, the first fits on the disk. Both paths keep what they hold, and nothing else is left there.
    @Test(
        .enabled(if: FullDisk.available != nil, "no disk can be mounted in a namespace, and there is no /dev/full"),
        arguments: [
            ("levels Media/radio/bunny-4s.wav -o disk/a.dat -o disk/b.csv --rate 1000", "a.dat", "b.csv"),
            ("transcode Media/scrapbook/portrait.mp4 -o disk/clip.mp4 --poster", "clip.jpg", "clip.mp4"),
        ])
    func aFullDiskKeepsBothOutputs(_ command: String, _ fitting: String, _ refused: String) throws {
        let disk = try #require(FullDisk.available)
        bench.makeFolder("disk")
        let run = try bench.shell(
            disk.script(
                """
                \(disk.preparation(of: "disk/\(refused)")) && printf old > disk/\(fitting) || exit 9
                wayreel \(command)
                status=$?
                cat disk/\(fitting)
                if [ -f disk/\(refused) ]; then cat disk/\(refused); fi
                ls -A disk
                exit $status
                """))
        expectRefused(run, 1, "disk/\(refused): write: no space left on device", "free some space")
        let files = "\(fitting)\n\(refused)\n"
        #expect(run.text == (disk == .mounted ? "oldold\(files)filler\n" : "old\(files)"))
    }

    @Test func checksTheReportPathFirst() throws {
        bench.makeFolder("folder")
        for (report, reason) in [
            ("none/report.json", "no such file or directory"), ("folder", "is a directory"),
            ("/proc/report.json", "no such file or directory"), ("photo.jpg/report.json", "not a directory"),
        ] {
            let run = try bench.wayreel("capture", "photo.jpg", "-o", "out.jpg", "--report", report)
            expectRefused(run, 1, "\(report): write: \(reason)")
        }
        #expect(bench.listing() == ["folder"])
    }
}

/// A full disk at the folder `disk` of a shell script.
private enum FullDisk {
    /// 1 MB in the memory, mounted in a namespace of the script, for which it need not be run by root.
    case mounted
    /// A device that refuses all bytes, in the place of one file.
    case device

    /// nil if there is neither.
    static let available: FullDisk? = {
        let bench = Workbench()
        bench.makeFolder("disk")
        let mounting = try? bench.shell(mounted.script(mount))
        if mounting?.ending == .exited(0) { return .mounted }
        return access("/dev/full", W_OK) == 0 ? .device : nil
    }()

    private static let mount = "mount -t tmpfs -o size=1m full disk"

    /// Returns the command that runs a script on the disk. The script contains no single quotes.
    func script(_ lines: String) -> String {
        self == .mounted ? "unshare --user --map-root-user --mount sh -c '\(lines)'" : lines
    }

    /// Returns the command that leaves 160 KB on the disk, and an old file at `path`, which needs more now.
    func preparation(of path: String) -> String {
        self == .mounted
            ? "\(Self.mount) && printf old > \(path) && head -c 884736 /dev/zero > disk/filler"
            : "ln -s /dev/full \(path)"
    }
}
