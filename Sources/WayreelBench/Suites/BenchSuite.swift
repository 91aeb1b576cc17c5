package import WayreelCore

/// A benchmark: a task of Wayreel and the equivalent commands of other programs.
///
/// Arguments may contain placeholders: `{in}`, the input; `{in*}`, all files in that folder; `{out}`, the output;
/// `{media}`, the sample folder.
package struct BenchSuite: Sendable {
    /// Kind of an input.
    package enum Kind: String, Sendable, CaseIterable {
        case image, audio, video
    }

    /// Expected output.
    package enum Output: Hashable, Sendable {
        case file(String)
        case folder
        case none
    }

    /// Another program for the same work.
    package struct Peer: Sendable {
        package let name: String
        /// Required programs; one of each entry is sufficient, and `{program}` is its path.
        package let needs: [[String]]
        package let arguments: [String]
        /// Its expected output; that of the suite if nil.
        package let output: Output?

        init(_ name: String, needs: [[String]], output: Output? = nil, _ arguments: [String]) {
            (self.name, self.needs, self.output, self.arguments) = (name, needs, output, arguments)
        }

        /// Runs `program`.
        init(_ name: String, _ program: String, output: Output? = nil, _ arguments: [String]) {
            self.init(name, needs: [[program]], output: output, [program] + arguments)
        }
    }

    package let name: String
    /// A one-line description.
    package let about: String
    package let kinds: [Kind]
    /// Path in the sample folder, or the name of a generated input.
    package let input: String
    package let output: Output
    /// Arguments of `wayreel`.
    package let arguments: [String]
    package let peers: [Peer]
    /// Whether it runs by default.
    package let isStandard: Bool
    /// Number of busy threads beside the measured program.
    package let competitors: Int
    /// Shell commands that generate the input at `{made}`; these need ffmpeg. Empty for a sample.
    package let preparation: [String]

    init(
        _ name: String, _ about: String, _ kinds: [Kind], input: String, output: Output, isStandard: Bool = true,
        competitors: Int = 0, preparation: [String] = [], _ arguments: [String], peers: [Peer] = []
    ) {
        self.name = name
        self.about = about
        self.kinds = kinds
        self.input = input
        self.output = output
        self.isStandard = isStandard
        self.competitors = competitors
        self.preparation = preparation
        self.arguments = arguments
        self.peers = peers
    }

    /// The suites with these names in order, all for `all`, the standard ones for an empty list.
    ///
    /// Throws a `parameter` error for an unknown name.
    package static func chosen(_ names: [String]) throws(MediaError) -> [BenchSuite] {
        guard !names.isEmpty else { return all.filter(\.isStandard) }
        guard names != ["all"] else { return all }
        var suites: [BenchSuite] = []
        for name in names {
            guard let suite = all.first(where: { $0.name == name }) else {
                let known = all.map(\.name)
                throw MediaError(
                    .parameter, step: .bench, reason: "unknown suite '\(name)'",
                    advice: nearestName(to: name, in: known).map { "did you mean '\($0)'?" }
                        ?? "use one of \(known.joined(separator: ", "))")
            }
            if !suites.contains(where: { $0.name == name }) { suites.append(suite) }
        }
        return suites
    }

    /// All suites in report order.
    package static let all = captures + audio + videos + probes + batches + stories

    // MARK: Arguments that suites of several families share

    static let ffmpeg = ["-nostdin", "-v", "error", "-y"]
    static let title = "The Mission Bell"

    static let toQuarterHD = "scale=960:540"
    static let aac = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]

    static func x264(_ preset: String) -> [String] {
        ["-c:v", "libx264", "-preset", preset, "-pix_fmt", "yuv420p"]
    }

    static let toMedium = ["--screen", "960x540", "--crf", "23", "--preset", "medium"]

    /// A command that runs shell lines with placeholders in single quotes.
    ///
    /// Their values are passed to the shell as arguments, because paths may contain quotes.
    package static func shell(_ lines: [String]) -> [String] {
        let names = ["{in}", "{out}", "{media}", "{made}"]
        let text = names.enumerated().reduce(lines.joined(separator: "\n")) { text, name in
            text.replacing(name.element, with: "'\"$\(name.offset + 1)\"'")
        }
        return ["sh", "-ec", text, "sh"] + names
    }

    // MARK: Properties of files

    static let probes = [
        BenchSuite(
            "probe", "the properties of a photo", [.image, .audio, .video], input: "captures/wisteria-iphone6-8mp.jpg",
            output: .none, ["probe", "{in}", "--json"],
            peers: [
                Peer("vipsheader", "vipsheader", ["-a", "{in}"]),
                Peer(
                    "ImageMagick identify", needs: [["identify-im6.q16", "identify"]],
                    ["{program}", "-verbose", "{in}"]),
                Peer(
                    "ffprobe", "ffprobe",
                    ["-v", "error", "-show_format", "-show_streams", "-of", "json", "{in}"]),
            ])
    ]
}

extension [String] {
    /// Shell arguments after a program name; placeholders are expanded later.
    func commandLine(after program: String, _ more: [String] = []) -> String {
        ([program] + self + more).map { "'\($0)'" }.joined(separator: " ")
    }
}

extension MediaError.Step {
    package static let bench = MediaError.Step(rawValue: "bench")
    package static let charts = MediaError.Step(rawValue: "charts")
    package static let compare = MediaError.Step(rawValue: "compare")
    package static let trace = MediaError.Step(rawValue: "trace")
}
