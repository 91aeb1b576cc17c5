internal import Glibc
internal import Wayreel

/// Which file each input becomes.
struct OutputPlan {
    let files: [(input: String, output: String)]
    private let folder: String?

    /// Several inputs, or an output that is a folder or ends with `/`, make one file each in that folder, named after the
    /// input with the format's extension.
    init(inputs: [String], output: String, format: Encoding.Format) throws(MediaError) {
        guard !output.isEmpty, !inputs.contains("") else {
            throw MediaError(.parameter, step: "plan", reason: "the name of an input or of the output is empty")
        }
        guard output == "-" || inputs.count > 1 || output.hasSuffix("/") || Self.isFolder(output) else {
            files = inputs.map { ($0, output) }
            folder = nil
            return
        }
        if output == "-" {
            guard inputs.count == 1 else {
                throw MediaError(
                    .parameter, step: "plan", reason: "\(inputs.count) inputs do not go into one standard output",
                    advice: "name a folder with -o")
            }
            files = [(inputs[0], "-")]
            folder = nil
            return
        }
        let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
        if Self.exists(folder), !Self.isFolder(folder) {
            throw MediaError(
                .parameter, step: "plan", subject: output,
                reason: "\(inputs.count) inputs need a folder, this is a file",
                advice: "name a folder with -o")
        }
        if !output.hasSuffix("/"), !Self.isFolder(output), Encoding.Format(fileName: output) != nil {
            throw MediaError(
                .parameter, step: "plan", subject: output,
                reason: "\(inputs.count) inputs need a folder, this is the name of a picture",
                advice: "name a folder with -o, or end it with / if it is one")
        }
        self.folder = folder.isEmpty ? "/" : folder
        files = inputs.map { ($0, "\(folder)/\(Self.stem(of: $0)).\(format.extensions[0])") }
    }

    /// Makes the folder, and those that lead to it, where they are missing.
    func makeFolder() throws(MediaError) {
        guard let folder, !Self.isFolder(folder) else { return }
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            if mkdir(path, 0o777) != 0, errno != EEXIST {
                throw MediaError(.io, step: "plan", subject: folder, reason: systemReason(errno))
            }
        }
    }

    /// The name of a file without its folder and extension.
    private static func stem(of path: String) -> String {
        guard path != "-" else { return "stdin" }
        let name = path.split(separator: "/").last ?? "capture"
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
        return String(name[..<dot])
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
