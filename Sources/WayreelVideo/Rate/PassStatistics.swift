internal import Glibc
internal import WayreelCore

/// What the first of two passes finds out, in files of the encoder's that are removed with this object.
final class PassStatistics: Sendable {
    private let folder: String

    private static let file = "pass"
    /// What x264 and x265 put behind the name.
    private static let endings = ["", ".mbtree", ".cutree", ".temp", ".mbtree.temp", ".cutree.temp"]

    /// Throws an `io` error where there is no place for them.
    init() throws(MediaError) {
        for parent in TemporaryFolders.all {
            var path = Array("\(parent)/wayreel-XXXXXX".utf8CString)
            let isMade = path.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
            guard isMade else { continue }
            folder = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            return
        }
        throw MediaError(
            .io, step: "encode", reason: "there is no place for what the first pass finds out",
            advice: "set TMPDIR to a folder that is writable")
    }

    deinit {
        for ending in Self.endings { unlink(path + ending) }
        rmdir(folder)
    }

    private var path: String { "\(folder)/\(Self.file)" }

    /// The options of an encoder for one of two passes; nil for an encoder that knows one only.
    func options(of rendition: RenditionPlan, pass: Int) -> [String: String]? {
        var options = rendition.options
        switch rendition.encoder {
        case "libx264": options["stats"] = path
        case "libx265":
            // A list of options, in which these characters stand between them.
            let escaped = path.map { "\\':=".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            let own = options["x265-params"].map { $0 + ":" } ?? ""
            options["x265-params"] = own + "pass=\(pass):stats=\(escaped)"
        default: return nil
        }
        return options
    }
}
