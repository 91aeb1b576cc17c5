internal import TestSupport
internal import Testing

/// A video as seen by the programs of FFmpeg.
struct TranscodedFile {
    let path: String

    private static func run(_ program: String, _ arguments: [String]) throws -> Command.Outcome {
        try Command("/usr/bin/\(program)", arguments).run()
    }

    /// Returns a property of a stream: `ffprobe -select_streams v:0 -show_entries stream=width`.
    func property(_ name: String, of stream: String) throws -> String {
        let run = try Self.run(
            "ffprobe",
            ["-v", "error", "-select_streams", stream, "-show_entries", "stream=\(name)", "-of", "csv=p=0", path])
        return run.text.filter { !$0.isNewline }
    }

    func size() throws -> (width: Int, height: Int) {
        (Int(try property("width", of: "v:0")) ?? 0, Int(try property("height", of: "v:0")) ?? 0)
    }

    /// Returns a checksum of a stream's packets as they are in the file.
    func checksum(of stream: String) throws -> String {
        try Self.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", "md5", "-"]).text
    }

    /// Returns the names of the top-level boxes of an MP4 file, in order.
    func boxes() throws -> [String] {
        let bytes = try Fixture.bytes(path)
        var names: [String] = []
        var offset = 0
        while offset + 8 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            names.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
            guard size >= 8 else { break }
            offset += size
        }
        return names
    }

    /// Expects that FFmpeg decodes the whole file without messages, and that its index precedes the media.
    func expectPlayable(_ location: SourceLocation = #_sourceLocation) throws {
        let run = try Self.run("ffmpeg", ["-nostdin", "-v", "warning", "-xerror", "-i", path, "-f", "null", "-"])
        #expect(run.ending == .exited(0) && run.errors.isEmpty, "\(run.errors)", sourceLocation: location)
        let boxes = try boxes()
        let index = boxes.firstIndex(of: "moov") ?? .max
        #expect(index < boxes.firstIndex(of: "mdat") ?? 0, "\(boxes)", sourceLocation: location)
    }
}
