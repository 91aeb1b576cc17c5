internal import Glibc
internal import TestSupport
internal import Testing

/// Flushes to the disk and their order, recorded from calls of the C library.
@Suite struct FlushTests {
    private let bench = Workbench()

    /// Writes the name of each call and its paths to the file in $CALLS.
    private static let recorder = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        static void note(const char *call, const char *path) {
            FILE *file = fopen(getenv("CALLS"), "a");
            fprintf(file, "%s %s\\n", call, path);
            fclose(file);
        }
        int fsync(int descriptor) {
            char link[64], path[4096] = "";
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            if (readlink(link, path, sizeof path - 1) < 0) return -1;
            note("fsync", path);
            return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
        }
        int fdatasync(int descriptor) {
            char link[64], path[4096] = "";
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            if (readlink(link, path, sizeof path - 1) < 0) return -1;
            note("fdatasync", path);
            return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
        }
        int rename(const char *old, const char *new) {
            // One write, since other threads note their calls meanwhile.
            char both[8400];
            snprintf(both, sizeof both, "%s\\nrename %s", old, new);
            note("from", both);
            return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(old, new);
        }
        int renameat2(int a, const char *old, int b, const char *new, unsigned flags) {
            note("rename", new);
            return ((int (*)(int, const char *, int, const char *, unsigned))dlsym(RTLD_NEXT, "renameat2"))(
                a, old, b, new, flags);
        }
        int linkat(int a, const char *old, int b, const char *new, int flags) {
            note("link", new);
            return ((int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat"))(
                a, old, b, new, flags);
        }
        """

    /// Returns the calls of a run with the paths inside the folder of the test, in order.
    private func calls(_ arguments: [String]) throws -> [String] {
        try StandInLibrary.compile(Self.recorder, to: bench.path("calls.so"))
        try bench.write("", to: "calls")
        var command = bench.command(arguments)
        command.environment = ["LD_PRELOAD": bench.path("calls.so"), "CALLS": bench.path("calls")]
        expectDone(try command.run())
        return try bench.text("calls").split(separator: "\n").map {
            String($0).replacing("\(bench.folder)/", with: "")
        }
    }

    /// A file is flushed before it is renamed, and its folder afterwards.
    @Test(arguments: ["replace", "fail"]) func flushesTheFileAndThenItsFolder(ifExists: String) throws {
        bench.makeFolder("out")
        let calls = try calls(["capture", "photo.jpg", "-o", "out/a.jpg", "--if-exists", ifExists, "--screen", "99x99"])
        let last = try #require(calls.last { $0.hasPrefix("rename") || $0.hasPrefix("link") })
        #expect(last == (ifExists == "replace" ? "rename out/a.jpg" : "link out/a.jpg"))
        let named = try #require(calls.firstIndex(of: last))
        #expect(calls[..<named].contains { $0.hasPrefix("fsync out/") })
        #expect(Array(calls[(named + 1)...]) == ["fsync out"])
    }

    /// The same holds for the files and folders of an output folder.
    @Test func flushesAFolderFromTheInside() throws {
        let calls = try calls(
            [
                "transcode", "Media/scrapbook/portrait.mp4", "-o", "h/", "--hls", "--ladder", "416x234@145", "--preset",
                "ultrafast",
            ])
        let named = try #require(calls.firstIndex(of: "rename h"))
        let before = calls[..<named].map { $0.replacing(/\.h\.[^\/]*wayreel-part/, with: "h") }
        let names = Set(Fixture.listing(bench.path("h")))
        #expect(names.isSubset(of: before.map { String($0.dropFirst("fsync h/".count)) }), "\(before)")
        #expect(before.last == "fsync h")
        // An absolute path remains only for the folder of the test itself.
        #expect(Array(calls[(named + 1)...]) == ["fsync \(bench.folder)"])
    }

    /// A media file of a bundle is flushed before it is renamed, its folder afterwards, and only then is its task
    /// recorded; tasks that end together share flushes.
    @Test func flushesMediaInGroups() throws {
        let count = 60
        bench.makeFolder("story")
        var images = ""
        for index in 1...count {
            try bench.write(PNGFile.black(width: index, height: 1), to: "story/\(index).png")
            images += "<image source='\(index).png' alt='Black'/>"
        }
        try bench.write(
            """
            <story xmlns="urn:wayreel:story:1" id="s" language="en"><name>S</name><chapter id="c"><name>C</name>
            <event id="e"><name>E</name><position latitude="1" longitude="2"/><activation radius="9"/>
            <scrapbook>\(images)</scrapbook></event></chapter></story>
            """, to: "story/story.xml")
        let calls = try calls(["prepare", "story/story.xml", "-o", "bundle", "--screen", "99x99", "-q"])
        let isRecord = { (call: String) in call == "fdatasync bundle/.wayreel/state.sqlite-wal" }
        let named = calls.indices.filter { calls[$0].hasPrefix("rename bundle/media/") }
        #expect(named.count == count)
        for index in named {
            let source = calls[index - 1].dropFirst("from ".count)
            #expect(calls[..<index].contains("fsync \(source)"), "\(source)")
            let folder = calls[index].dropFirst("rename ".count).split(separator: "/").dropLast().joined(separator: "/")
            let record = try #require(calls[index...].firstIndex(where: isRecord))
            #expect(calls[index..<record].contains("fsync \(folder)"), "\(folder)")
        }
        // Alone, each task would flush its file, four folders and the state twice.
        #expect(calls.count { $0.hasPrefix("fsync") || $0.hasPrefix("fdatasync") } < 4 * count)
    }
}
