internal import ArgumentParser
internal import Wayreel

/// Works for another process of `wayreel`, which hands it one task (see `IsolatedPipeline`).
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Carries out one task for another wayreel.", shouldDisplay: false)

    func run() throws {
        try WorkServer.serve(cancellation: Interrupt.cancellation)
    }
}
