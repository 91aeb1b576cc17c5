internal import WayreelCore
internal import WayreelStory

extension Track {
    /// Returns the track as a GPX 1.1 document. Accuracies are written as `hdop` (see ``metresPerHDOP``), speeds and
    /// courses in Garmin's extension, so that other programs read them too. Values that are not numbers are omitted.
    public func gpx() -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Wayreel" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
              <trk>

            """
        if let name { text += "    <name>\(name.xmlText)</name>\n" }
        for segment in segments {
            text += "    <trkseg>\n"
            for point in segment { text += point.gpx }
            text += "    </trkseg>\n"
        }
        return text + "  </trk>\n</gpx>\n"
    }
}

extension Track.Point {
    /// The schema requires the elements in this order, and longitudes below 180.
    fileprivate var gpx: String {
        let longitude = position.longitude == 180 ? -180 : position.longitude
        let values =
            element("ele", position.altitude) + (timestamp.map { "<time>\($0)</time>" } ?? "")
            + element("hdop", accuracy.map { ($0 / Track.metresPerHDOP).rounded(toMultipleOf: 1e-4) })
        let motion = element("gpxtpx:speed", speed) + element("gpxtpx:course", course)
        let extensions =
            motion.isEmpty
            ? "" : "<extensions><gpxtpx:TrackPointExtension>\(motion)</gpxtpx:TrackPointExtension></extensions>"
        return """
                  <trkpt lat="\(DecimalNumber.text(position.latitude))" lon="\(DecimalNumber.text(longitude))">\
            \(values)\(extensions)</trkpt>

            """
    }

    private func element(_ name: String, _ value: Double?) -> String {
        guard let value, abs(value) <= 1_000_000 else { return "" }
        return "<\(name)>\(DecimalNumber.text(value))</\(name)>"
    }
}

extension Double {
    /// Returns the nearest multiple of a small decimal fraction, with the shortest decimal representation.
    func rounded(toMultipleOf step: Double) -> Double {
        let count = (1 / step).rounded()
        return (self * count).rounded() / count
    }
}
