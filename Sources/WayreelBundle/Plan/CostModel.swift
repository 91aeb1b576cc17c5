internal import WayreelCore
internal import WayreelImage

/// Predicts the cost of tasks from the measured cost of earlier tasks of the same kind and format.
struct CostModel: Sendable {
    /// The sums over the tasks that ran, from which means per unit are computed.
    struct Experience: Hashable, Sendable {
        var units = 0.0
        var seconds = 0.0
        var outputUnits = 0.0
        var bytes = 0.0
        var memoryBytes = 0
    }

    /// The amount of work of a task in the units of its kind.
    struct Work: Hashable, Sendable, Codable {
        /// The kind and format, such as `image/heif` or `video/h264`. Tasks of the same name cost the same per unit.
        var name: String
        /// Megapixels of a source image, seconds of audio, megapixels of all frames of a video.
        var units: Double
        /// The amount that the size of the output is proportional to.
        var outputUnits: Double
        /// The memory that the task needs; nil to predict it from experience.
        var memoryBytes: Int?
    }

    var experience: [String: Experience] = [:]

    /// The formats whose images are decoded by rows or tiles.
    private static let decodedInRows: Set = ["jpeg", "png", "webp", "heif", "avif", "tiff"]

    /// Returns the memory for an image that is decoded as a whole; nil for one that is decoded by rows or tiles.
    static func memoryBytes(of image: ImageProbe) -> Int? {
        guard image.isProgressive || !decodedInRows.contains(image.format) else { return nil }
        return 60_000_000 + Int(min(Double(image.size.pixels) / 1e6, 1e6) * 8_000_000)
    }

    /// The initial seconds per unit, bytes per output unit and bytes of memory of each kind, measured on two cores of
    /// 2.4 GHz.
    private static let defaults: [String: (seconds: Double, bytes: Double, memory: Int)] = [
        "image": (0.012, 260_000, 60_000_000), "preview": (0.015, 260_000, 60_000_000),
        "audio": (0.02, 16_000, 60_000_000), "levels": (0.003, 3_500, 60_000_000),
        "video": (0.035, 9_000, 260_000_000), "stream": (0.06, 20_000, 300_000_000),
        "poster": (0.15, 260_000, 90_000_000), "captions": (0.005, 1, 20_000_000), "copy": (0.001, 1, 20_000_000),
        "font": (0.2, 25_000, 60_000_000), "icons": (0.2, 80_000, 60_000_000), "share": (0.4, 180_000, 90_000_000),
        "map": (0.05, 60_000, 60_000_000),
        "drawing": (0.1, 60_000, 90_000_000),
    ]

    func prediction(for work: Work) -> PlannedTask.Prediction {
        let kind = work.name.split(separator: "/").first.map(String.init) ?? work.name
        let base = Self.defaults[kind] ?? (0.1, 100_000, 60_000_000)
        let known = experience[work.name] ?? Experience()
        func mean(_ sum: Double, _ units: Double, _ otherwise: Double) -> Double {
            units > 0 && sum > 0 ? sum / units : otherwise
        }
        // A process needs a few milliseconds for the smallest task.
        let seconds = 0.005 + work.units * mean(known.seconds, known.units, base.seconds)
        let bytes = work.outputUnits * mean(known.bytes, known.outputUnits, base.bytes)
        let memory = max(known.memoryBytes, work.memoryBytes ?? base.memory)
        return PlannedTask.Prediction(
            seconds: min(seconds, 1e9), bytes: Int(min(max(bytes, 0), 1e15)), memoryBytes: memory)
    }
}
