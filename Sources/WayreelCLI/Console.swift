internal import Glibc

/// The two streams of a terminal.
enum Console {
    /// A line on standard output.
    static func output(_ line: String) { write(line + "\n", to: 1) }

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
