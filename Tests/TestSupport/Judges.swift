/// The Python packages that results are compared with; `scripts/judges` installs them into `.build/judges`.
package enum Judges {
    /// The folder of their programs.
    package static let folder = "\(Fixture.root)/.build/judges/bin"

    /// Returns whether the comma-separated modules are installed.
    package static func have(_ modules: String) -> Bool {
        (try? Command("\(folder)/python", ["-c", "import \(modules)"]).run().ending) == .exited(0)
    }
}
