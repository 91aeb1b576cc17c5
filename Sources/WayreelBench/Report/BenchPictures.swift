internal import Glibc
package import WayreelCore
internal import WayreelDrawing

/// The charts of a report as files.
package enum BenchPictures {
    package enum FileType: String, Hashable, Sendable, CaseIterable {
        /// Light or dark, as the reader's screen is.
        case svg
        /// Light, with two pixels for each of the chart's.
        case png
    }

    /// Writes `NAME.svg` or `NAME.png` of each chart into a folder, which is made where it is missing, with those that lead to
    /// it. Gives the files' paths.
    ///
    /// Throws an `io` error where the folder cannot be made or written to, and what came in the way of drawing.
    @discardableResult
    package static func write(
        _ charts: BenchCharts, as type: FileType, to folder: String
    ) throws(MediaError) -> [String] {
        try make(folder)
        var paths: [String] = []
        for chart in charts.all {
            let sink = MemorySink()
            switch type {
            case .svg: try chart.chart.draw(chart.picture(.followingReader), as: .svg, to: sink)
            case .png: try chart.chart.draw(chart.picture(.light, scale: 2), as: .png, to: sink)
            }
            let path = "\(folder)\(folder.hasSuffix("/") ? "" : "/")\(chart.name).\(type.rawValue)"
            try OutputFile.write(sink.bytes, to: path)
            paths.append(path)
        }
        return paths
    }

    private static func make(_ folder: String) throws(MediaError) {
        func fault(_ reason: String) -> MediaError {
            MediaError(
                .io, step: "charts", subject: folder, reason: reason, advice: "name a folder that can be written to")
        }
        guard !folder.isEmpty else { throw fault("a folder has a name") }
        guard !folder.utf8.contains(0) else { throw fault("the path holds a NUL byte") }
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            guard mkdir(path, 0o777) != 0 else { continue }
            let code = errno
            // What must not be made may be there already.
            if access(path, F_OK) != 0 { throw fault(systemReason(code)) }
        }
        var status = stat()
        guard stat(folder, &status) == 0 else { throw fault(systemReason(errno)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw fault("is not a folder") }
        guard access(folder, W_OK | X_OK) == 0 else { throw fault(systemReason(errno)) }
    }
}
