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
            do {
                let found = try await StoryBundle.verify(path, on: pool, cancellation: Interrupt.cancellation)
                if !found.issues.isEmpty { isBroken = true }
                findings.add(path) { (found, Self.page(found)) }
            } catch let error as MediaError {
                findings.add(path, failure: error)
            }
        }
        try findings.print()
        if isBroken { throw ExitReason.failed }
    }

    private static func page(_ found: BundleVerification) -> String {
        let verdict = found.issues.isEmpty ? "whole" : found.issues.count.counted("problem")
        let head = "story '\(found.story)': \(found.files) files, \(found.bytes.asSize): \(verdict)"
        return (found.issues.map(\.description) + [head]).joined(separator: "\n")
    }
}
