internal import WayreelCore
internal import WayreelStory

extension Track {
    /// The track as a GPX 1.1 document. Accuracies are written as `hdop` (see ``metresPerHDOP``), speeds and courses in the extension of
    /// Garmin, so that other programs read them too. What is no number is left out.
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
    /// The schema wants the elements in this order.
    fileprivate var gpx: String {
        let values =
            element("ele", position.altitude) + (timestamp.map { "<time>\($0)</time>" } ?? "")
            + element("hdop", accuracy.map { ($0 / Track.metresPerHDOP).rounded(toMultipleOf: 1e-4) })
        let motion = element("gpxtpx:speed", speed) + element("gpxtpx:course", course)
        let extensions =
            motion.isEmpty
            ? "" : "<extensions><gpxtpx:TrackPointExtension>\(motion)</gpxtpx:TrackPointExtension></extensions>"
        return """
                  <trkpt lat="\(DecimalNumber.text(position.latitude))" lon="\(DecimalNumber.text(position.longitude))">\
            \(values)\(extensions)</trkpt>

            """
    }

    private func element(_ name: String, _ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        return "<\(name)>\(DecimalNumber.text(value))</\(name)>"
    }
}

extension Double {
    /// The nearest multiple of a small decimal fraction, as its shortest text says it.
    func rounded(toMultipleOf step: Double) -> Double {
        let count = (1 / step).rounded()
        return (self * count).rounded() / count
    }
}
