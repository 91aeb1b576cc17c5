internal import Glibc
internal import TestSupport
internal import Testing

/// The metadata that exiftool finds in outputs.
@Suite(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0, "exiftool is not installed"))
struct PrivacyTests {
    private let bench = Workbench()

    /// Returns the names and values of the tags in a file, without those of the file itself and of its colour profile.
    private func tags(_ name: String) throws -> [String: String] {
        var command = Command(
            "/usr/bin/exiftool",
            ["-s", "-n", "--File:all", "--System:all", "--ExifTool:all", "--ICC_Profile:all", name])
        command.folder = bench.folder
        let lines = try command.run().text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(
            lines.filter { $0.count == 2 }.map {
                (String($0[0].filter { $0 != " " }), String($0[1].drop { $0 == " " }))
            },
            uniquingKeysWith: { first, _ in first })
    }

    private static let telltales = [
        "GPS", "Make", "Model", "Date", "Serial", "Lens", "Thumbnail", "Orientation", "Artist",
    ]

    @Test(arguments: ["jpg", "png", "webp", "avif"]) func dropsMetadataByDefault(_ format: String) throws {
        #expect(try tags("photo.jpg")["GPSLatitude"] != nil)
        for capture in ["town-coolpix-gps.jpg", "streetlamp-canon-rotated.jpg", "rooftop-pixel8-gainmap.jpg"] {
            expectDone(
                try bench.wayreel("capture", "Media/captures/\(capture)", "-o", "out.\(format)", "--screen", "160x120"))
            let found = try tags("out.\(format)").keys.filter { key in
                Self.telltales.contains { key.contains($0) }
            }
            #expect(found.isEmpty, "\(capture): \(found)")
        }
    }

    @Test(arguments: ["jpg", "png", "webp"]) func keepsAllMetadataOnRequest(_ format: String) throws {
        let before = try tags("photo.jpg")
        expectDone(try bench.wayreel("capture", "photo.jpg", "-o", "out.\(format)", "--keep", "all"))
        let after = try tags("out.\(format)")
        for key in ["Make", "Model", "DateTimeOriginal", "GPSLatitude", "GPSLongitude", "ExposureTime"] {
            #expect(after[key] == before[key] && after[key] != nil, "\(key)")
        }
        #expect(after["ThumbnailImage"] == nil && (after["Orientation"] ?? "1") == "1")
    }
}
