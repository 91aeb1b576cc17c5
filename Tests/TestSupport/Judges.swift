/// The Python packages that results are compared with; `scripts/judges` installs them into `.build/judges`.
package enum Judges {
    /// Their programs.
    package static let folder = "\(Fixture.root)/.build/judges/bin"

    /// Whether they are there: modules, separated by commas.
    package static func have(_ modules: String) -> Bool {
        (try? Command("\(folder)/python", ["-c", "import \(modules)"]).run().ending) == .exited(0)
    }
}
