internal import Glibc
package import WayreelCore
package import WayreelDrawing

extension Measurement {
    /// Charts of CPU, by thread name if available, and memory over time. Empty for a run without samples.
    package func charts(named name: String) -> [(name: String, chart: any Chart)] {
        guard samples.count > 1 else { return [] }
        let cpu = SeriesChart(
            title: "\(name): processor use over time", measure: .share, series: Self.processorUse(samples))
        let memory = SeriesChart(
            title: "\(name): memory over time", measure: .bytes,
            series: [
                SeriesChart.Series(
                    name: "resident",
                    samples: samples.map { .init(time: $0.milliseconds / 1000, value: Double($0.residentBytes)) })
            ])
        return [("cpu-over-time", cpu), ("memory-over-time", memory)]
    }

    /// Max number of threads in a chart, which with their sum are as many as there are colours.
    private static let maxThreads = 7

    /// Busy cores since the sample before: of all threads, and of the busiest by name since the last reading of threads.
    private static func processorUse(_ samples: [Sample]) -> [SeriesChart.Series] {
        let all = samples.map { SeriesChart.Sample(time: $0.milliseconds / 1000, value: $0.cpuPercent / 100) }
        let readings = samples.filter { $0.threadMilliseconds != nil }
        let totals = readings.last?.threadMilliseconds ?? [:]
        let names = totals.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(maxThreads).map(\.key)
        let threads = names.map { name in
            SeriesChart.Series(
                name: name,
                samples: zip(readings, [nil] + readings).compactMap { reading, before in
                    reading.threadPercents(since: before).map {
                        .init(time: reading.milliseconds / 1000, value: ($0[name] ?? 0) / 100)
                    }
                })
        }
        return [SeriesChart.Series(name: "all threads", samples: all)] + threads
    }
}

/// Writes charts to files, light or dark by the viewer's preference.
package enum ChartFiles {
    /// Font size in pixels.
    private static let textSize = 12.0

    /// Writes `NAME.svg` of each chart to a folder, which is created with its parents if missing; existing files are
    /// replaced, all together or none.
    ///
    /// Throws an `io` error if the folder cannot be created or written, and drawing errors.
    package static func write(_ charts: [(name: String, chart: any Chart)], to folder: String) throws(MediaError) {
        try checkWritable(folder)
        try make(folder)
        let files = try charts.map { (chart) throws(MediaError) in
            let height = chart.chart.height(textSize: textSize)
            var image = ChartImage(size: PixelSize(width: 640, height: height), theme: .followingReader)
            image.textSize = textSize
            let file = try AtomicOutput("\(folder)/\(chart.name).svg")
            try chart.chart.draw(image, to: file)
            return file
        }
        try OutputGroup.publish(files)
    }

    /// Throws the error that ``write(_:to:)`` would throw if `folder` is not writable, without creating anything.
    package static func checkWritable(_ folder: String) throws(MediaError) {
        guard !folder.isEmpty else { throw fault(of: folder, "the folder name is empty") }
        guard !folder.utf8.contains(0) else { throw fault(of: folder, "the path contains a NUL byte") }
        // Missing folders would be created in the last existing one.
        for path in ancestors(of: folder).reversed() {
            let status: FileStatus
            do throws(SystemError) { status = try FileStatus(path) } catch {
                guard error.code == ENOENT else { throw fault(of: folder, systemReason(error.code)) }
                continue
            }
            guard status.kind == .directory else { throw fault(of: folder, systemReason(ENOTDIR)) }
            guard access(path, W_OK | X_OK) == 0 else { throw fault(of: folder, systemReason(errno)) }
            return
        }
    }

    private static func make(_ folder: String) throws(MediaError) {
        for path in ancestors(of: folder) {
            guard mkdir(path, 0o777) != 0 else { continue }
            let code = errno
            // An unwritable parent is fine if the folder exists.
            if access(path, F_OK) != 0 { throw fault(of: folder, systemReason(code)) }
        }
    }

    /// The folder and its parents, outermost first.
    private static func ancestors(of folder: String) -> [String] {
        var path = folder.hasPrefix("/") ? "/" : "./"
        return [path]
            + folder.split(separator: "/").map { part in
                path += part + "/"
                return path
            }
    }

    private static var fault: ErrorSite { ErrorSite(.io, step: .charts, advice: "choose a writable folder") }
}
