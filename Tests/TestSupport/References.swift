/// The Python packages that results are compared with; `scripts/references` installs them into `.build/references`.
package enum References {
    /// The folder of their programs.
    package static let folder = "\(Fixture.root)/.build/references/bin"

    /// Returns whether the comma-separated modules are installed.
    package static func have(_ modules: String) -> Bool {
        (try? Command("\(folder)/python", ["-c", "import \(modules)"]).run().ending) == .exited(0)
    }
}
