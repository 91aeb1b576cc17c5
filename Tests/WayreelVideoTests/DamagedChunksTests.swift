internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// The files of an interrupted run may be damaged, or may belong to someone else.
@Suite struct DamagedChunksTests {
    private static let options = TranscodeOptions(
        video: VideoSettings(preset: "ultrafast", alwaysEncodes: true),
        delivery: .hls(HLSOptions(ladder: LadderRung.ladder("96x64@100"), previewInterval: 5)), isResumable: true)

    /// Makes a source of 40 s, and the files of a run that was interrupted after its first chunk of 12 s: the thread
    /// that encodes the second chunk has recorded the first one before it reports any progress.
    private static func interrupt(in folder: String) throws -> String {
        let source = "\(folder)/source.mkv"
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=40", "-c:v", "mpeg4", "-q:v", "6", source,
        ])
        let cancellation = Cancellation()
        #expect(throws: MediaError.self) {
            try TranscodePipeline(options).run(
                source, to: "\(folder)/out", task: TaskContext(cancellation: cancellation)
            ) { if $0.seconds > 12.05 { cancellation.cancel() } }
        }
        try #require(Fixture.listing("\(folder)/out.parts").contains("0-0.packets"))
        return source
    }

    /// Sets all numbers with a key in a JSON text.
    private static func set(_ key: String, to value: String, in path: String) throws {
        let text = String(decoding: try Fixture.bytes(path), as: UTF8.self)
        let parts = text.split(separator: "\"\(key)\":", omittingEmptySubsequences: false)
        try #require(parts.count > 1)
        let rest = parts.dropFirst().map { $0.drop { "-+.0123456789eE".contains($0) } }
        try OutputFile.write(Array(([parts[0]] + rest).joined(separator: "\"\(key)\":\(value)").utf8), to: path)
    }

    @Test(arguments: ["sourceFrames", "pts", "jumps", "frames", "bytes", "lost", "renditions"])
    func aDamagedManifestBeginsAnew(key: String) throws {
        try Fixture.withFolder { folder in
            let source = try Self.interrupt(in: folder)
            let manifest = "\(folder)/out.parts/parts.json"
            if key == "renditions" {
                let text = String(decoding: try Fixture.bytes(manifest), as: UTF8.self)
                let start = try #require(text.firstRange(of: "\"renditions\":["))
                let end = try #require(text[start.upperBound...].firstIndex(of: "]"))
                try OutputFile.write(Array((text[..<start.upperBound] + text[end...]).utf8), to: manifest)
            } else {
                try Self.set(key, to: "9223372036854775807", in: manifest)
            }
            var first: TaskProgress?
            _ = try TranscodePipeline(Self.options).run(source, to: "\(folder)/out", task: TaskContext()) {
                first = first ?? $0
            }
            // Results of an earlier run do not count in the speed.
            #expect(first?.speed ?? 0 > 0, "nothing is taken of the chunks")
            #expect(Fixture.listing(folder) == ["out", "source.mkv"])
        }
    }

    /// The header of a record: PTS, DTS, duration, keyframe, count of bytes; of a thumbnail: index, width, height,
    /// count.
    @Test(arguments: [
        ("0-0.packets", 0), ("0-0.packets", 1), ("0-0.packets", 2), ("0-0.packets", 4), ("0.thumbnails", 0),
    ])
    func damagedChunksAreReported(name: String, number: Int) throws {
        try Fixture.withFolder { folder in
            let source = try Self.interrupt(in: folder)
            let path = "\(folder)/out.parts/\(name)"
            var bytes = try Fixture.bytes(path)
            bytes.replaceSubrange(8 * number..<8 * number + 8, with: [255, 255, 255, 255, 255, 255, 255, 127])
            try OutputFile.write(bytes, to: path)
            let error = #expect(throws: MediaError.self) {
                try TranscodePipeline(Self.options).run(source, to: "\(folder)/out", task: TaskContext()) { _ in }
            }
            #expect(error?.kind == .io && error?.reason == "is damaged", "\(error?.description ?? "")")
            #expect(!Fixture.listing(folder).contains("out"))
        }
    }

    /// A folder that resembles one of Wayreel's keeps all its files.
    @Test(arguments: [
        ["holiday.thumbnails"], ["0-0.packets", "0.thumbnails"], ["lock", "notes.txt"], ["lock", "1.thumbnails"],
    ])
    func aFolderOfSomebodyElseIsNotTouched(names: [String]) throws {
        try Fixture.withFolder { folder in
            let (source, parts) = ("\(folder)/source.mkv", "\(folder)/out.mp4.parts")
            try SampleVideo.make(["-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=2", "-c:v", "mpeg4", source])
            try SampleVideo.run("mkdir", [parts])
            for name in names { try OutputFile.write(Array(name.utf8), to: "\(parts)/\(name)") }
            var options = Self.options
            options.delivery = .mp4
            let error = #expect(throws: MediaError.self) {
                try TranscodePipeline(options).run(source, to: "\(folder)/out.mp4", task: TaskContext()) { _ in }
            }
            #expect(error?.kind == .io && error?.reason.contains("which Wayreel has not written there") == true)
            options.isResumable = false
            _ = try TranscodePipeline(options).run(source, to: "\(folder)/out.mp4", task: TaskContext()) { _ in }
            #expect(Fixture.listing(parts) == names.sorted())
            for name in names { #expect(try Fixture.bytes("\(parts)/\(name)") == Array(name.utf8)) }
        }
    }
}
