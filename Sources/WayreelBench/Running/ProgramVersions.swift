package import WayreelCore

/// Versions of other programs as they report them.
package struct ProgramVersions {
    /// By program name.
    package private(set) var found: [String: String] = [:]
    private var asked: Set<String> = []

    /// Programs that only accept a single dash.
    private static let withOneDash: Set<String> = [
        "ffmpeg", "ffprobe", "magick", "convert", "convert-im6.q16", "identify", "identify-im6.q16",
    ]

    package init() {}

    /// Asks the program at `path` once. Programs without a version are skipped. Only throws `cancelled`.
    package mutating func ask(_ path: String, cancellation: Cancellation) throws(MediaError) {
        let name = path.fileName ?? path
        guard asked.insert(path).inserted else { return }
        let option = Self.withOneDash.contains(name) ? "-version" : "--version"
        do throws(MediaError) {
            let result = try Gauge.run(
                ["/bin/sh", "-c", "\"$0\" \"$1\" >&2", path, option],
                options: GaugeOptions(output: .none, errors: .tail(bytes: 1 << 16), timeoutSeconds: 5),
                cancellation: cancellation)
            // The output of a failing program may mention another version.
            if result.outcome?.isSuccess == true { found[name] = result.errorTail.flatMap(Self.version) }
        } catch {
            if error.kind == .cancelled { throw error }
        }
    }

    /// The first word with a dotted number in the first such line, from the number on: `5.1.9-0+deb12u1`.
    package static func version(in text: String) -> String? {
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        for word in line.split(separator: " ") where word.contains(".") {
            if let digit = word.firstIndex(where: { ("0"..."9").contains($0) }) { return String(word[digit...]) }
        }
        return nil
    }
}

/// The peers of a suite, located once, so that reported versions are those of the programs that ran.
struct InstalledPeers {
    /// With the paths of the programs that each needs.
    private(set) var installed: [(peer: BenchSuite.Peer, programs: [String])] = []
    /// Missing peers with the reason.
    private(set) var absent: [String] = []

    init(of peers: [BenchSuite.Peer]) {
        for peer in peers {
            let programs = peer.needs.map { names in
                (names: names, path: names.lazy.compactMap { try? ExecutablePath.find($0) }.first)
            }
            if let missing = programs.first(where: { $0.path == nil })?.names.first {
                absent.append("\(peer.name): \(missing) is not installed")
            } else {
                installed.append((peer, programs.compactMap(\.path)))
            }
        }
    }
}
