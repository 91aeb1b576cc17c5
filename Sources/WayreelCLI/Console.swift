internal import Glibc
internal import Wayreel

/// The two streams of a terminal.
enum Console {
    /// Takes the place of a standard stream that the process was started without, so that no file opened later gets its number
    /// and with it what was meant for the stream. Opened the wrong way round: using it is an error, as it would have been.
    static func occupyClosedStreams() {
        for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }

    /// A line on standard output. Throws `Outcome.readerGone` where its reader has gone, which needs no words (`wayreel filters |
    /// head`), and an `io` error where it cannot be written.
    static func output(_ line: String) throws {
        do {
            try OutputFile.writeToStandardOutput(Array("\(line)\n".utf8))
        } catch {
            throw error.isOfGoneReader ? Outcome.readerGone : error
        }
    }

    /// A document into the file at `path`, or onto standard output for `-`.
    static func deliver(_ bytes: [UInt8], to path: String) throws(MediaError) {
        if path == "-" {
            try OutputFile.writeToStandardOutput(bytes)
        } else {
            try OutputFile.write(bytes, to: path)
        }
    }

    /// A line on standard error.
    static func error(_ line: String) { write(line + "\n", to: 2) }

    /// Text without a line end on standard error, for a line that is drawn over.
    static func draw(_ text: String) { write(text, to: 2) }

    static var errorIsTerminal: Bool { isatty(2) == 1 }

    /// The width of the terminal that standard error is, in columns.
    static var width: Int {
        var size = winsize()
        return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
