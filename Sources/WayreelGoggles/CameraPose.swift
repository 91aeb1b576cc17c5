internal import Glibc
public import WayreelCore
internal import WayreelEngine
internal import WayreelImage
public import WayreelStory

/// The position and orientation of a camera: a pinhole camera in east-north-up coordinates.
///
///     let pose = CameraPose(
///         position: GeoPoint(latitude: 35.3050, longitude: -120.6625, altitude: 100), heading: 30, pitch: 5, roll: 3,
///         horizontalFieldOfView: 60, imageSize: PixelSize(width: 1920, height: 1080))
///     let seen = pose.projection(of: GeoPoint(latitude: 35.3068, longitude: -120.6610, altitude: 110))
///     // seen?.x = 1089.954, seen?.y = 609.575
public struct CameraPose: Hashable, Sendable, Codable {
    /// The camera's position. A missing altitude is replaced by that of the observed point.
    public var position: GeoPoint
    /// The direction in degrees clockwise from true north.
    public var heading: Double
    /// The angle in degrees above the horizon, -90 to 90.
    public var pitch: Double
    /// The rotation in degrees, clockwise as the photographer sees it: a level line in the world falls to the left in
    /// the image.
    public var roll: Double
    /// The field of view in degrees across the image's width, above 0 and below 180.
    public var horizontalFieldOfView: Double
    /// The size of the upright image in pixels.
    public var imageSize: PixelSize

    public init(
        position: GeoPoint, heading: Double, pitch: Double = 0, roll: Double = 0, horizontalFieldOfView: Double,
        imageSize: PixelSize
    ) {
        self.position = position
        self.heading = heading
        self.pitch = pitch
        self.roll = roll
        self.horizontalFieldOfView = horizontalFieldOfView
        self.imageSize = imageSize
    }

    /// The position at which a point appears in the image.
    public struct Projection: Hashable, Sendable, Codable {
        /// Pixels from the left edge; outside of 0 ... width if the point is beside the image.
        public var x: Double
        /// Pixels from the upper edge.
        public var y: Double
        /// Metres in front of the camera, along its axis.
        public var depth: Double
        /// The angle in degrees, clockwise in the image, between the image's vertical and the vertical at the point.
        public var lean: Double
    }

    /// The focal length in pixels: half the width divided by the tangent of half the field of view.
    public var focalLength: Double { Double(imageSize.width) / 2 / tan(horizontalFieldOfView / 2 * .pi / 180) }

    /// The minimum distance in front of the camera, in metres, at which points are visible.
    public static let near = 0.5

    /// Returns the position at which a point appears, or nil if it is behind the camera or nearer than ``near``.
    ///
    /// With heading H, pitch P and roll R, in east-north-up coordinates the camera looks along
    /// f = (sin H cos P, cos H cos P, sin P), r0 = (cos H, -sin H, 0) is level and to its right, u0 = r0 × f, and the
    /// roll turns these into r = cos R r0 - sin R u0 and u = sin R r0 + cos R u0.
    public func projection(of point: GeoPoint) -> Projection? {
        let vector = position.localVector(to: point)
        let local = cameraCoordinates(vector)
        guard local.depth > Self.near else { return nil }
        let scale = focalLength / local.depth
        // The direction of the world's vertical at the point in the image: the difference between two points, one
        // above the other.
        let above = cameraCoordinates(
            LocalVector(east: vector.east, north: vector.north, up: vector.up + local.depth * 1e-4))
        let (dx, dy) = (
            above.right / above.depth - local.right / local.depth, above.up / above.depth - local.up / local.depth
        )
        return Projection(
            x: Double(imageSize.width) / 2 + scale * local.right, y: Double(imageSize.height) / 2 - scale * local.up,
            depth: local.depth, lean: atan2(dx, dy) * 180 / .pi)
    }

    private func cameraCoordinates(_ v: LocalVector) -> (right: Double, up: Double, depth: Double) {
        let radians = Double.pi / 180
        let (sinH, cosH) = (sin(heading * radians), cos(heading * radians))
        let (sinP, cosP) = (sin(pitch * radians), cos(pitch * radians))
        let (sinR, cosR) = (sin(roll * radians), cos(roll * radians))
        let depth = sinH * cosP * v.east + cosH * cosP * v.north + sinP * v.up
        let level = cosH * v.east - sinH * v.north
        let upright = -sinH * sinP * v.east - cosH * sinP * v.north + cosP * v.up
        return (cosR * level - sinR * upright, sinR * level + cosR * upright, depth)
    }
}

extension CameraPose {
    /// Throws a `parameter` error for a value that is not a number or is out of its range.
    func check() throws(MediaError) {
        let checks: [(Bool, String, Double, String, MediaError.Advice)] = [
            ((-90...90).contains(position.latitude), "latitude", position.latitude, "-90 to 90", "\(.position)"),
            ((-180...180).contains(position.longitude), "longitude", position.longitude, "-180 to 180", "\(.position)"),
            (
                (-11_000...100_000).contains(position.altitude ?? 0), "altitude", position.altitude ?? 0,
                "-11000 to 100000 metres", "\(.position)"
            ),
            ((-360...360).contains(heading), "heading", heading, "-360 to 360 degrees", "\(.heading)"),
            ((-90...90).contains(pitch), "pitch", pitch, "-90 to 90 degrees", "\(.pitch)"),
            ((-360...360).contains(roll), "roll", roll, "-360 to 360 degrees", "\(.roll)"),
            (
                (1...170).contains(horizontalFieldOfView), "field of view", horizontalFieldOfView, "1 to 170 degrees",
                "\(.fieldOfView)"
            ),
        ]
        for (isSound, name, value, range, option) in checks where !isSound {
            throw MediaError(
                .parameter, step: .goggles, reason: "the \(name) is \(range), not \(value.shortDescription)",
                advice: "correct it with \(option)")
        }
    }
}
