import TestSupport

/// Comparison with OpenCV, pymap3d and pyproj.
enum Reference {
    static let isThere = References.have("cv2, pymap3d, pyproj")

    /// Returns the numbers printed by a script of `References`, by lines.
    static func run(_ script: String, input: String) throws -> [[Double]] {
        var command = Command(
            "\(References.folder)/python", ["\(Fixture.root)/Tests/WayreelGogglesTests/References/\(script)"])
        command.input = Array(input.utf8)
        return try command.run().text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    }
}
