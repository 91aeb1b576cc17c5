internal import ArgumentParser
internal import WayreelMedia

/// Runs tasks for another `wayreel` process (see `IsolatedPipeline`).
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Runs tasks for another wayreel process.", shouldDisplay: false)

    func run() throws {
        try WorkServer.serve(cancellation: Interrupt.cancellation)
    }
}
