package import WayreelCore
internal import WayreelGauge

/// Which versions of other programs were measured, as they say themselves.
package struct ProgramVersions {
    /// By the names of the programs.
    package private(set) var found: [String: String] = [:]
    private var asked: Set<String> = []

    /// Those that know one dash only.
    private static let withOneDash: Set<String> = [
        "ffmpeg", "ffprobe", "magick", "convert", "convert-im6.q16", "identify", "identify-im6.q16",
    ]

    package init() {}

    /// Asks the program at `path`, unless it was asked before. One that does not say is left out. Throws only `cancelled`.
    package mutating func ask(_ path: String, cancellation: Cancellation) throws(MediaError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard asked.insert(path).inserted else { return }
        let option = Self.withOneDash.contains(name) ? "-version" : "--version"
        do throws(MediaError) {
            let told = try Gauge.run(
                ["/bin/sh", "-c", "\"$0\" \"$1\" >&2", path, option],
                options: GaugeOptions(output: .none, errors: .tail(bytes: 1 << 16), timeoutSeconds: 5),
                cancellation: cancellation)
            // What fails complains, perhaps of the version of something else.
            if told.outcome?.isSuccess == true { found[name] = told.errorTail.flatMap(Self.version) }
        } catch {
            if error.kind == .cancelled { throw error }
        }
    }

    /// The first word of the first line that has a number with a point, from there on: `5.1.9-0+deb12u1`.
    package static func version(in text: String) -> String? {
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        for word in line.split(separator: " ") where word.contains(".") {
            if let digit = word.firstIndex(where: { ("0"..."9").contains($0) }) { return String(word[digit...]) }
        }
        return nil
    }
}
