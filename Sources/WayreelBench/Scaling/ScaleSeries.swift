package import WayreelCore
package import WayreelGauge

/// Inputs of increasing size for measuring scaling.
package struct ScaleSeries: Sendable {
    package let name: String
    package let about: String
    /// Unit of sizes.
    package let unit: String
    /// Each about twice the previous one.
    package let sizes: [Double]
    /// Shell commands that generate the input; `{size}` and `{made}` are placeholders.
    let preparation: [String]
    let ending: String
    let output: BenchSuite.Output
    let arguments: [String]

    /// Throws a `parameter` error for an unknown name.
    package static func named(_ name: String) throws(MediaError) -> ScaleSeries {
        guard let series = all.first(where: { $0.name == name }) else {
            throw MediaError(
                .parameter, step: "bench", reason: "unknown scaling series '\(name)'",
                advice: "use one of \(all.map(\.name).joined(separator: ", "))")
        }
        return series
    }

    package static let all = [
        ScaleSeries(
            name: "capture", about: "a JPEG to 960×640", unit: "MP", sizes: [1, 2, 4, 8, 16, 32, 64],
            preparation: [
                // 4:3, tiled from the sample's detail.
                "ffmpeg -nostdin -v error -y -loop 1 -i '{media}/captures/wisteria-iphone6-8mp.jpg' -frames:v 1 -vf"
                    + " \"tile=4x4:nb_frames=16,scale=w='2*floor(sqrt({size}e6*4/3)/2)':h='2*floor(sqrt({size}e6*3/4)/2)'\""
                    + " -q:v 3 -f mjpeg '{made}'"
            ],
            ending: "jpg", output: .file("jpg"),
            arguments: ["capture", "{in}", "-o", "{out}", "--screen", "960x640"]),
        ScaleSeries(
            name: "levels", about: "levels of an MP3 file, 256 samples a pixel", unit: "min",
            sizes: [1, 2, 4, 8, 16, 32, 64],
            preparation: [
                "ffmpeg -nostdin -v error -y -stream_loop -1 -i '{media}/radio/bunny.mp3' -c copy"
                    + " -t \"$(echo '{size}*60' | awk -F'*' '{print $1*$2}')\" -f mp3 '{made}'"
            ],
            ending: "mp3", output: .file("dat"), arguments: ["levels", "{in}", "-o", "{out}", "--zoom", "256"]),
        ScaleSeries(
            name: "transcode", about: "H.264 720p to 640×360, x264 veryfast", unit: "s", sizes: [1, 2, 4, 8, 16, 32],
            preparation: [
                "ffmpeg -nostdin -v error -y -stream_loop -1 -i '{media}/scrapbook/bunny-720p-vp8.webm' -t {size}"
                    + " -c:v libx264 -preset ultrafast -c:a aac -f mp4 '{made}'"
            ],
            ending: "mp4", output: .file("mp4"),
            arguments: [
                "transcode", "{in}", "-o", "{out}", "--screen", "640x360", "--preset", "veryfast", "--no-copy",
            ]),
    ]

    /// One suite per size.
    package var suites: [BenchSuite] {
        sizes.map { size in
            let number = size.shortDescription
            return BenchSuite(
                "\(name)-\(number)\(unit)", about, [], input: "\(name)-\(number).\(ending)", output: output,
                isStandard: false,
                preparation: preparation.map { $0.replacing("{size}", with: number) }, arguments)
        }
    }
}

/// The growth of a task's cost with its input size.
package struct ScaleResult: Sendable, Codable {
    package struct Point: Hashable, Sendable, Codable {
        package var size: Double
        /// Medians in seconds and bytes.
        package var wallSeconds: Double
        package var cpuSeconds: Double
        package var peakMemoryBytes: Double
    }

    package var name: String
    package var about: String
    package var unit: String
    package var points: [Point]
    /// Errors of failed sizes.
    package var failures: [String]
    /// Power laws of the cost; nil for fewer than two points.
    package var wall: PowerLaw?
    package var cpu: PowerLaw?
    package var memory: PowerLaw?

    package init(_ series: ScaleSeries, _ report: BenchReport) {
        (name, about, unit) = (series.name, series.about, series.unit)
        points = []
        failures = []
        for (size, result) in zip(series.sizes, report.results) {
            guard let wall = result.own.summary(.wall), let cpu = result.own.summary(.cpu),
                let memory = result.own.summary(.memory)
            else {
                failures.append("\(result.suite): \(result.own.failure ?? "no figures")")
                continue
            }
            points.append(
                Point(
                    size: size, wallSeconds: wall.median, cpuSeconds: cpu.median, peakMemoryBytes: memory.median))
        }
        let sizes = points.map(\.size)
        wall = PowerLaw(x: sizes, y: points.map(\.wallSeconds))
        cpu = PowerLaw(x: sizes, y: points.map(\.cpuSeconds))
        memory = PowerLaw(x: sizes, y: points.map(\.peakMemoryBytes))
    }
}
