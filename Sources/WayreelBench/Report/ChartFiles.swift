internal import Glibc
package import WayreelCore

/// Writes the charts of a report to files.
package enum ChartFiles {
    /// Writes `NAME.svg` of each chart to a folder, which is created with its parents if missing; existing files are
    /// replaced, all together or none.
    ///
    /// Throws an `io` error if the folder cannot be created or written, and drawing errors.
    package static func write(_ charts: [ReportChart], to folder: String) throws(MediaError) {
        try checkWritable(folder)
        try make(folder)
        let files = try charts.map { (chart) throws(MediaError) in
            let file = try AtomicOutput("\(folder)/\(chart.name).svg")
            try chart.draw(to: file)
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
