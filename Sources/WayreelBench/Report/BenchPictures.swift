internal import Glibc
package import WayreelCore
internal import WayreelDrawing
internal import WayreelCharts

/// The charts of a report as files.
package enum BenchPictures {
    package enum FileType: String, Hashable, Sendable, CaseIterable {
        /// Light or dark, as the reader's screen is.
        case svg
        /// Light, with two pixels for each of the chart's.
        case png
    }

    /// Writes `NAME.svg` or `NAME.png` of each chart into a folder, which is made where it is missing, with those that lead to
    /// it; files of these names are replaced.
    ///
    /// Throws an `io` error where the folder cannot be made or written to, and what came in the way of drawing.
    package static func write(
        _ charts: [BenchCharts.Named], to folder: String, as type: FileType
    ) throws(MediaError) {
        try checkPlace(folder)
        try make(folder)
        for chart in charts {
            let sink = MemorySink()
            switch type {
            case .svg: try chart.chart.draw(chart.picture(.followingReader), as: .svg, to: sink)
            case .png: try chart.chart.draw(chart.picture(.light, scale: 2), as: .png, to: sink)
            }
            try OutputFile.write(sink.bytes, to: "\(folder)/\(chart.name).\(type.rawValue)")
        }
    }

    /// Throws the error that ``write(_:to:as:)`` would throw where nothing can be written to `folder`, and makes nothing.
    package static func checkPlace(_ folder: String) throws(MediaError) {
        guard !folder.isEmpty else { throw fault(folder, "the folder has no name") }
        guard !folder.utf8.contains(0) else { throw fault(folder, "the path holds a NUL byte") }
        var status = stat()
        // What is missing is made in the last folder that is there.
        for path in ancestors(of: folder).reversed() {
            guard stat(path, &status) == 0 else {
                guard errno == ENOENT else { throw fault(folder, systemReason(errno)) }
                continue
            }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw fault(folder, systemReason(ENOTDIR)) }
            guard access(path, W_OK | X_OK) == 0 else { throw fault(folder, systemReason(errno)) }
            return
        }
    }

    private static func make(_ folder: String) throws(MediaError) {
        for path in ancestors(of: folder) {
            guard mkdir(path, 0o777) != 0 else { continue }
            let code = errno
            // What must not be made may be there already.
            if access(path, F_OK) != 0 { throw fault(folder, systemReason(code)) }
        }
    }

    /// The folders that lead to one, itself the last.
    private static func ancestors(of folder: String) -> [String] {
        var path = folder.hasPrefix("/") ? "/" : "./"
        return [path]
            + folder.split(separator: "/").map { part in
                path += part + "/"
                return path
            }
    }

    private static func fault(_ folder: String, _ reason: String) -> MediaError {
        MediaError(
            .io, step: "charts", subject: folder, reason: reason, advice: "name a folder that can be written to")
    }
}
