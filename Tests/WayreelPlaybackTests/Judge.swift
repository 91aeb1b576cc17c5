import TestSupport

/// The Python packages that results are compared with; `scripts/judges` installs them into `.build/judges`.
enum Judge {
    private static let python = "\(Fixture.root)/.build/judges/bin/python"

    static let isThere =
        (try? Command(python, ["-c", "import cv2, pymap3d, pyproj"]).run().ending) == .exited(0)

    /// The numbers that a script of `Judges` prints, by lines.
    static func run(_ script: String, input: String) throws -> [[Double]] {
        var command = Command(python, ["\(Fixture.root)/Tests/WayreelPlaybackTests/Judges/\(script)"])
        command.input = Array(input.utf8)
        return try command.run().text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    }
}
