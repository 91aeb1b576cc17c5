import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelGoggles
import WayreelStory

/// Poses from EXIF tags written by exiftool.
@Suite struct PoseSourceTests {
    private static let pins = [GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 42)]
    private static let position = [
        "-GPSLatitude=35.28", "-GPSLatitudeRef=N", "-GPSLongitude=120.66", "-GPSLongitudeRef=W",
    ]
    private static let whole =
        position + ["-GPSImgDirection=30", "-GPSImgDirectionRef=T", "-FocalLengthIn35mmFormat=26"]

    /// Finds the pose. The photo is 4:3 unless another one is given.
    private func find(
        _ tags: [String], _ source: PoseSource = PoseSource(), photo: String = "captures/town-coolpix-gps.jpg"
    ) throws -> PoseSource.Found {
        try Fixture.withFolder { folder in
            let path = "\(folder)/photo.jpg"
            let arguments = ["-q", "-m", "-n", "-all=", "-o", path] + tags + [Fixture.media(photo)]
            let outcome = try Command("/usr/bin/exiftool", arguments).run()
            try #require(outcome.ending == .exited(0), "\(outcome.errors)")
            return try source.pose(ofPhotoAt: path, seeing: Self.pins)
        }
    }

    @Test func everythingFromTags() throws {
        let found = try find(Self.whole + ["-GPSAltitude=55.5", "-GPSAltitudeRef=2", "-CameraElevationAngle=-7.5"])
        let pose = found.pose
        #expect(abs(pose.position.latitude - 35.28) < 1e-9)
        #expect(abs(pose.position.longitude + 120.66) < 1e-9)
        #expect(pose.position.altitude == 55.5)
        #expect(pose.heading == 30)
        #expect(pose.pitch == -7.5)
        #expect(found.notes.isEmpty)
    }

    /// By the diagonal: an angle of 2 atan(43.2666 / 52) from corner to corner, of which a side has 4 of 5 parts.
    @Test func theFieldOfViewIsByTheDiagonal() throws {
        let expected = 2 * atan(0.8 * 43.266615 / 2 / 26) * 180 / .pi
        #expect(abs(try find(Self.whole).pose.horizontalFieldOfView - expected) < 1e-4)
    }

    /// A photo stored on its side is 3 wide and 4 high when upright.
    @Test func anUprightPhotoIsNarrower() throws {
        let found = try find(Self.whole + ["-Orientation=6"])
        #expect(found.pose.imageSize == PixelSize(width: 480, height: 640))
        let expected = 2 * atan(0.6 * 43.266615 / 2 / 26) * 180 / .pi
        #expect(abs(found.pose.horizontalFieldOfView - expected) < 1e-4)
    }

    /// The declination by pygeomag 1.1.0 for the middle of 2026.
    @Test func aMagneticHeadingIsMadeTrue() throws {
        let tags = Self.whole + ["-GPSImgDirectionRef=M", "-DateTimeOriginal=2026:07:01 12:00:00"]
        #expect(abs(try find(tags).pose.heading - 42.0627) < 0.01)
        #expect(try find(tags, PoseSource(declination: -40)).pose.heading == 350)
    }

    @Test(arguments: [
        ("-DateTimeOriginal=2015:07:01 12:00:00", "World Magnetic Model is for 2025"), ("-Artist=x", "has no date"),
    ]) func aModelOutOfItsYearsIsTold(tag: String, note: String) throws {
        let found = try find(Self.whole + ["-GPSImgDirectionRef=M", tag])
        #expect(found.notes.contains { $0.message.contains(note) })
    }

    @Test func anAltitudeAboveTheSeaIsNotOneAboveTheEllipsoid() throws {
        let found = try find(Self.whole + ["-GPSAltitude=55.5", "-GPSAltitudeRef=0"])
        #expect(found.pose.position.altitude == 42)
        #expect(found.notes.contains { $0.message.contains("counts from the sea") })
    }

    @Test func croppedPhotosAreTold() throws {
        let found = try find(Self.whole + ["-ExifImageWidth=4000", "-ExifImageHeight=2000"])
        #expect(found.notes.contains { $0.message.contains("was cropped") })
    }

    @Test func whatIsGivenTakesPrecedenceAlsoOverLies() throws {
        let source = PoseSource(
            position: GeoPoint(latitude: 1, longitude: 2, altitude: 3), heading: 4, pitch: 5, roll: 6, fieldOfView: 7)
        let tags = [
            "-GPSLatitude=95", "-GPSLongitude=400", "-GPSImgDirection=720", "-FocalLengthIn35mmFormat=0",
            "-CameraElevationAngle=1234",
        ]
        let pose = try find(tags, source).pose
        #expect(pose.position == GeoPoint(latitude: 1, longitude: 2, altitude: 3))
        #expect([pose.heading, pose.pitch, pose.roll, pose.horizontalFieldOfView] == [4, 5, 6, 7])
    }

    @Test(arguments: [
        (["-GPSImgDirection=720"], "GPSImgDirection is 720", OptionName.heading),
        (["-GPSImgDirection=inf"], "GPSImgDirection is not a number", .heading),
        (["-FocalLengthIn35mmFormat=0"], "FocalLengthIn35mmFilm is 0, which means unknown", .fieldOfView),
        (["-FocalLengthIn35mmFormat=50000"], "FocalLengthIn35mmFilm is 50000 mm", .fieldOfView),
        (["-GPSLatitude=95"], "GPSLatitude is 95°", .position),
        (["-GPSLongitude=400"], "GPSLongitude is 400°", .position),
        (["-GPSLatitude=0", "-GPSLongitude=0"], "are both 0", .position),
        (["-CameraElevationAngle=100"], "CameraElevationAngle is 100", .pitch),
        (["-GPSImgDirectionRef#=Q"], "GPSImgDirectionRef is 'Q'", .heading),
    ]) func tagsThatLieAreNamed(tags: [String], reason: String, option: OptionName) throws {
        let error = try #require(throws: MediaError.self) { try find(Self.whole + tags) }
        #expect(error.reason.contains(reason))
        #expect(error.advice?.options == [option])
        #expect(!error.description.contains("\n"))
    }

    @Test(arguments: [
        ("-GPSLatitude=", "no position", OptionName.position), ("-GPSImgDirection=", "no heading", .heading),
        ("-FocalLengthIn35mmFormat=", "no focal length", .fieldOfView),
    ]) func whatIsMissingIsAskedFor(tag: String, reason: String, option: OptionName) throws {
        let error = try #require(throws: MediaError.self) { try find(Self.whole + [tag]) }
        #expect(error.reason.contains(reason))
        #expect(error.advice?.options == [option])
    }

    /// An iPhone's own tags: 26 mm, for which lens and sensor confirm the diagonal definition (4.25 mm, pixels of 1.4
    /// µm, 4032 × 3024).
    @Test func anIPhonesFocalLength() throws {
        let path = Fixture.media("story/captures/library-iphone11pro-12mp.heic")
        let found = try PoseSource(position: Self.pins[0], heading: 0).pose(ofPhotoAt: path, seeing: Self.pins)
        #expect(found.pose.imageSize == PixelSize(width: 3024, height: 4032))
        let byTheSensor = 2 * atan(3024 * 0.0014 / 2 / 4.25) * 180 / .pi
        #expect(abs(found.pose.horizontalFieldOfView - byTheSensor) < 0.2)
    }
}
