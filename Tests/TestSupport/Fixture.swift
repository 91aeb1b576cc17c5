internal import WayreelCore

/// Files that tests read, found from the place of this source file.
package enum Fixture {
    /// The root of the repository.
    package static let root = String(#filePath.dropLast("/Tests/TestSupport/Fixture.swift".count))

    /// A sample of the repository's Media folder: `captures/still-photo.heic`.
    package static func media(_ name: String) -> String { "\(root)/Media/\(name)" }

    /// A fixture of the image tests: `JPEG/444.jpg`.
    package static func image(_ name: String) -> String { "\(root)/Tests/WayreelImageTests/Fixtures/\(name)" }

    /// The bytes of a file.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let file = try MediaBytes.read(path: path, limit: 1 << 30)
        return withExtendedLifetime(file) { [UInt8](file.buffer) }
    }
}
