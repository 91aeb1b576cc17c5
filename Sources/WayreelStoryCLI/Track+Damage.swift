internal import Wayreel
internal import WayreelCLI

extension Track {
    /// Reads a GPX file, and prints what is damaged and left out.
    static func readingDamaged(_ path: String) throws(MediaError) -> Track {
        try read(path: path) { warning in
            Console.error("warning: \(path == "-" ? "standard input" : path): \(warning.message)".onOneLine)
        }
    }
}
