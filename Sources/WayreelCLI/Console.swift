internal import Glibc
package import WayreelMedia

/// Standard output and standard error.
package enum Console {
    /// Opens /dev/null on standard streams that are closed, so that no file opened later gets their descriptors. The
    /// access mode is reversed: using the stream remains an error.
    package static func occupyClosedStreams() {
        for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }

    /// Prints a line to standard output. Throws `ExitReason.readerGone` if its reader is gone, which needs no message
    /// (`wayreel filters | head`), and an `io` error if it cannot be written.
    package static func output(_ line: String) throws {
        do {
            try OutputFile.writeToStandardOutput(Array("\(line)\n".utf8))
        } catch {
            throw error.isOfGoneReader ? ExitReason.readerGone : error
        }
    }

    /// Writes a document to the file at `path`, or to standard output for `-`.
    package static func deliver(_ bytes: [UInt8], to path: String) throws(MediaError) {
        if path == "-" {
            try OutputFile.writeToStandardOutput(bytes)
        } else {
            try OutputFile.write(bytes, to: path)
        }
    }

    /// Prints a line to standard error.
    package static func error(_ line: String) { write(line + "\n", to: 2) }

    /// Prints text without a line end to standard error, for a line that is redrawn.
    package static func draw(_ text: String) { write(text, to: 2) }

    package static var errorIsTerminal: Bool { isatty(2) == 1 }

    /// Width of the terminal on standard error in columns.
    package static var width: Int {
        var size = winsize()
        return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    private static func write(_ text: String, to descriptor: Int32) {
        // If the console is closed, nobody can receive the error.
        try? writeAll(Array(text.utf8), to: descriptor)
    }
}

/// Formats text tables.
package enum TextColumns {
    /// One line per row; cells are padded to the widest of their column, two spaces apart.
    package static func aligned(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            zip(row.dropLast(), widths).map { $0.padded(to: $1 + 2) }.joined() + (row.last ?? "")
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text with spaces after it.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
