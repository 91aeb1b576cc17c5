package import WayreelCore

/// A piece of work that is measured: what Wayreel does for it, and how other programs do the same.
///
/// Arguments hold names in braces for what is known only when they run: `{in}`, the input; `{in*}`, all files in that folder;
/// `{out}`, the output; `{media}`, the folder of samples.
package struct BenchSuite: Sendable {
    /// What an input is.
    package enum Kind: String, Sendable, CaseIterable {
        case picture, sound, video
    }

    /// What has to be there afterwards.
    package enum Output: Hashable, Sendable {
        case file(String)
        case folder
        case none
    }

    /// Another way to do the work.
    package struct Peer: Sendable {
        package let name: String
        /// Programs that have to be installed; of those in one entry one is enough, and `{program}` is its path.
        package let needs: [[String]]
        package let words: [String]
        /// Where its output has to be; the suite's where nil.
        package let output: Output?

        init(_ name: String, needs: [[String]], output: Output? = nil, _ words: [String]) {
            (self.name, self.needs, self.output, self.words) = (name, needs, output, words)
        }

        /// Runs `program`.
        init(_ name: String, _ program: String, output: Output? = nil, _ arguments: [String]) {
            self.init(name, needs: [[program]], output: output, [program] + arguments)
        }
    }

    package let name: String
    /// On one line.
    package let about: String
    package let kinds: [Kind]
    /// Below the folder of samples, or, where it is prepared, the name that it gets.
    package let input: String
    package let output: Output
    /// Of `wayreel`.
    package let arguments: [String]
    package let peers: [Peer]
    /// Whether it runs where no suite is named.
    package let isStandard: Bool
    /// Threads that compute all the time beside what is measured: the machine is as busy as by so many other programs.
    package let competitors: Int
    /// What makes the input, at `{made}`: lines of a ``shell(_:)``, which need ffmpeg. None where it is a sample.
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

    /// Those of `names` in their order, all of them for `all`, the standard ones where there are none.
    ///
    /// Throws a `parameter` error for a name that none has.
    package static func chosen(_ names: [String]) throws(MediaError) -> [BenchSuite] {
        guard !names.isEmpty else { return all.filter(\.isStandard) }
        guard names != ["all"] else { return all }
        var suites: [BenchSuite] = []
        for name in names {
            guard let suite = all.first(where: { $0.name == name }) else {
                let known = all.map(\.name)
                throw MediaError(
                    .parameter, step: "bench", reason: "there is no suite '\(name)'",
                    advice: nearestName(to: name, in: known).map { "did you mean '\($0)'?" }
                        ?? "there are \(known.joined(separator: ", "))")
            }
            if !suites.contains(where: { $0.name == name }) { suites.append(suite) }
        }
        return suites
    }
}
