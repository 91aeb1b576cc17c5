internal import Glibc
package import WayreelCore

/// Files for tests, located relative to this source file.
package enum Fixture {
    /// The root of the repository.
    package static let root = String(#filePath.dropLast("/Tests/TestSupport/Fixture.swift".count))

    /// Returns the path of a sample in the repository's Media folder: `captures/still-photo.heic`.
    package static func media(_ name: String) -> String { "\(root)/Media/\(name)" }

    /// Returns the path of a fixture of the image tests: `JPEG/444.jpg`.
    package static func image(_ name: String) -> String { "\(root)/Tests/WayreelImageTests/Fixtures/\(name)" }

    /// Returns the path of levels that audiowaveform 1.10.3 made of a sample: `bunny-4s.wav.z256.b16.split.dat`.
    package static func goldenLevels(_ name: String) -> String { "\(root)/Tests/WayreelLevelsTests/Goldens/\(name)" }

    /// Reads a file into memory for decoders.
    package static func file(_ path: String) throws -> MediaBytes {
        try MediaBytes.read(path: path, limit: 1 << 30)
    }

    /// Returns the bytes of a file.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let file = try file(path)
        return withExtendedLifetime(file) { [UInt8](file.buffer) }
    }

    /// Returns the text of a file.
    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// Returns the bytes of a fixture of the image tests.
    package static func imageBytes(_ name: String) throws -> [UInt8] { try bytes(image(name)) }
}

extension Fixture {
    /// Runs `body` with a new, empty folder that is removed with all its files afterwards.
    package static func withFolder<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder.path) }
    }

    /// Returns the target of a symbolic link; an empty string if there is none.
    static func target(of link: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the names in a folder, sorted.
    package static func listing(_ folder: String) -> [String] { Directory.entries(of: folder).sorted() }
}
