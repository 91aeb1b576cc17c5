internal import ArgumentParser
internal import Synchronization
internal import WayreelCLI
internal import WayreelCore

/// The option of all commands that read a recording.
struct DamageOptions: ParsableArguments {
    @Flag(help: "Leave out damaged lines, with a warning of each of the first 20.")
    var skipDamaged = false
}

/// Warns of the first damaged lines that a command leaves out, and of the number of the others at its end.
final class DamageWarnings: Sendable {
    private let count = Atomic(0)
    private static let shown = 20

    /// What is called with each damaged line; nil for a command without `--skip-damaged`, to which it is an error.
    func handler(_ skipsDamaged: Bool) -> (@Sendable (MediaError) -> Void)? {
        guard skipsDamaged else { return nil }
        return { [self] error in warn(error) }
    }

    func warn(_ error: MediaError) {
        let number = count.add(1, ordering: .relaxed).newValue
        if number <= Self.shown { Console.error("warning: \(error.withFlags)") }
    }

    func finish() {
        let more = count.load(ordering: .relaxed) - Self.shown
        if more > 0 { Console.error("warning: \(more) more damaged \(more == 1 ? "line is" : "lines are") left out") }
    }
}
