internal import ArgumentParser
internal import WayreelMedia

package struct RunningOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "Parallel tasks. (default: the number of cores)")
    var jobs: Int?

    @Option(help: "If an output exists: replace, skip or fail. (default: replace)")
    var ifExists: ExistingOutput = .replace

    @Option(help: "Write the result and cost of every task to this JSON file.", completion: .file())
    var report: String?

    @Option(
        help: "Write a trace of all threads to this file, for ui.perfetto.dev.",
        completion: .file())
    var trace: String?

    @Flag(name: [.short, .long], help: "Print failures only.")
    package var quiet = false

    package init() {}

    package func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }
}
