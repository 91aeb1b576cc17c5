internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// Options for the position and orientation of a camera.
struct PoseOptions: ParsableArguments {
    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp(
            "The camera's position: latitude, longitude and, in metres, altitude above the ellipsoid. (default: from EXIF; the altitude as that of the pins)",
            valueName: "lat,lon[,alt]"))
    var position: GeoPosition?

    @Option(parsing: .unconditional, help: "Degrees clockwise from true north. (default: GPSImgDirection of EXIF)")
    var heading: Double?

    @Option(
        parsing: .unconditional, help: "Degrees up from the horizon. (default: CameraElevationAngle of EXIF, or else 0)"
    )
    var pitch: Double?

    @Option(parsing: .unconditional, help: "Degrees by which the camera was turned clockwise. (default: 0)")
    var roll: Double?

    @Option(
        name: .customLong("fov"),
        help: "Degrees across the width of the upright photo. (default: from FocalLengthIn35mmFilm of EXIF)")
    var fieldOfView: Double?

    @Option(
        parsing: .unconditional,
        help:
            "Degrees from true to magnetic north, for a magnetic heading in EXIF. (default: by the World Magnetic Model)"
    )
    var declination: Double?

    var source: PoseSource {
        PoseSource(
            position: position?.point, heading: heading, pitch: pitch, roll: roll, fieldOfView: fieldOfView,
            declination: declination)
    }
}
