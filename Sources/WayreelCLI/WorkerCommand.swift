internal import ArgumentParser
internal import Wayreel

/// Works for another process of `wayreel`, which sends it one task after the other (see `IsolatedPipeline`).
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Carries out tasks for another wayreel.", shouldDisplay: false)

    func run() throws {
        try WorkServer.serve(cancellation: Interrupt.cancellation)
    }
}
