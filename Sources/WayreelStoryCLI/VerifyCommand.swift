internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks bundles: every hash, every reference, and that every file decodes.",
        discussion: """
            wayreel verify bundle/
            wayreel verify bundle/ --json

            A bundle that is damaged is made whole by preparing the story again: only what is damaged is made anew.

            Exit status: 0 whole, 1 damaged, 2 wrong usage.
            """)

    @Argument(help: "The bundles' folders.", completion: .directory)
    var bundles: [String]

    @Flag(help: "Print JSON.")
    var json = false

    @Option(name: [.short, .long], help: "Files checked at once. (default: the number of cores)")
    var jobs: Int?

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }

    func run() async throws {
        let pool = WorkPool(workers: jobs ?? WorkPool.availableCores)
        var isBroken = false
        var findings = FileResults<BundleVerification>(asJSON: json)
        for path in bundles {
            let result: Result<BundleVerification, MediaError>
            do {
                result = .success(
                    try await StoryBundle.verify(path, on: pool, cancellation: Interrupt.cancellation))
            } catch let error as MediaError { result = .failure(error) }
            findings.add(path) { () throws(MediaError) in
                let found = try result.get()
                if !found.issues.isEmpty { isBroken = true }
                return (found, Self.page(found))
            }
        }
        try findings.print()
        if isBroken { throw ExitReason.failed }
    }

    private static func page(_ found: BundleVerification) -> String {
        let count = found.issues.count
        let verdict = count == 0 ? "whole" : count.counted("problem")
        return
            (found.issues.map(\.description) + [
                "story '\(found.story)': \(found.files) files, \(found.bytes.asSize): \(verdict)"
            ]).joined(separator: "\n")
    }
}
