internal import Glibc
internal import Synchronization
package import WayreelCore
internal import WayreelMedia

/// Maps inputs to output paths.
package struct OutputPlan {
    /// An output made for every input.
    struct Target {
        /// A file, a folder, or `-`.
        var path: String
        var kind: Kind

        enum Kind {
            /// A file; in a folder, a file with this extension.
            case file(extension: String)
            /// A folder; for several inputs, a subfolder each.
            case folder
            /// A file with this name in such a folder.
            case fileInFolder(String)
        }
    }

    /// The outputs of each input, in the order of the targets.
    let files: [(input: String, outputs: [String])]
    private let folders: [String]

    /// Plans the outputs. Several inputs, or a path that is a folder or ends with `/`, give one file each in that
    /// folder, named after the input with the target's extension. A folder target becomes a subfolder only for several
    /// inputs.
    ///
    /// For several inputs, a path that does not exist must not match `isFileName`, which knows the extensions of the
    /// outputs.
    init(inputs: [String], targets: [Target], isFileName: (String) -> Bool) throws(MediaError) {
        guard !inputs.contains(""), !targets.contains(where: \.path.isEmpty) else {
            throw ErrorSite.usage("an input or output name is empty")
        }
        guard targets.count(where: { $0.path == "-" }) <= 1 else {
            throw ErrorSite.usage("two outputs cannot share standard output")
        }
        var files = inputs.map { (input: $0, outputs: [String]()) }
        var folders: [String] = []
        for target in targets {
            let isFolder =
                if case .file = target.kind { Self.takesFolder(target.path, inputs: inputs) } else {
                    inputs.count > 1
                }
            if isFolder {
                folders.append(try Self.folder(target.path, inputs: inputs, isFileName: isFileName))
            } else if target.path == "-", inputs.count != 1 {
                throw ErrorSite.usage("\(inputs.count) inputs cannot share standard output", "choose a folder with -o")
            }
            for index in files.indices {
                let input = inputs[index]
                let stem = isFolder ? (input == "-" ? "stdin" : input.stem ?? "media") : nil
                files[index].outputs.append(Self.path(of: target, stem: stem))
            }
        }
        self.files = files
        self.folders = folders
    }

    /// Plans one image of `format` for each input.
    init(images inputs: [String], to output: String, as format: Encoding.Format) throws(MediaError) {
        try self.init(
            inputs: inputs, targets: [Target(path: output, kind: .file(extension: format.extensions[0]))],
            isFileName: { Encoding.Format(fileName: $0) != nil })
    }

    /// The path of `target`, or within a folder if `stem` is given.
    private static func path(of target: Target, stem: String?) -> String {
        let path = target.path.hasSuffix("/") && target.path != "/" ? String(target.path.dropLast()) : target.path
        let inside = stem.map { "\(path)/\($0)" }
        return switch target.kind {
        case .file(let ending): inside.map { "\($0).\(ending)" } ?? target.path
        case .folder: inside ?? path
        case .fileInFolder(let name): "\(inside ?? path)/\(name)"
        }
    }

    /// Returns whether outputs of `inputs` go into a folder at `path`.
    static func takesFolder(_ path: String, inputs: [String]) -> Bool {
        path != "-" && (inputs.count > 1 || path.hasSuffix("/") || Directory.isDirectory(path))
    }

    /// Returns the folder at `path`, after checking that it exists or can be created.
    private static func folder(
        _ path: String, inputs: [String], isFileName: (String) -> Bool
    ) throws(MediaError) -> String {
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        if access(folder, F_OK) == 0, !Directory.isDirectory(folder) {
            throw ErrorSite.usage(
                of: path, "\(inputs.count) inputs need a folder, but this is a file", "choose a folder with -o")
        }
        if !path.hasSuffix("/"), !Directory.isDirectory(path), isFileName(path) {
            throw ErrorSite.usage(
                of: path, "\(inputs.count) inputs need a folder, but this is a file name",
                "choose a folder with -o, or add a trailing / if it is one")
        }
        return folder.isEmpty ? "/" : folder
    }

    /// Creates missing folders and their parents.
    func makeFolders() throws(MediaError) {
        for folder in folders where !Directory.isDirectory(folder) { try CreatedFolders.make(folder) }
    }
}

/// Output folders created by this process.
package enum CreatedFolders {
    private static let paths = Mutex<[String]>([])

    /// Creates a folder and its parents.
    package static func make(_ folder: String) throws(MediaError) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part + "/"
            if mkdir(path, 0o777) == 0 {
                paths.withLock { $0.append(path) }
            } else if errno != EEXIST {
                throw MediaError(.io, step: .plan, subject: folder, reason: systemReason(errno))
            }
        }
    }

    /// Removes the created folders that are still empty at the end of the process.
    static func removeEmpty() {
        for path in paths.withLock(\.self).reversed() { rmdir(path) }
    }
}

extension OutputFile {
    /// Returns whether two paths lead to the same file, or would if there were one: `out.jpg` and `./out.jpg`.
    static func isSamePlace(_ a: String, _ b: String) -> Bool {
        a == b || isSame(a, b) || a.fileName == b.fileName && isSame(a.folder, b.folder)
    }

    /// Throws a `parameter` error if the output is one of the inputs; `-` is none.
    package static func check(
        _ output: String, isNoneOf inputs: [String], namesInput: Bool = false
    ) throws(MediaError) {
        guard output != "-", let same = inputs.first(where: { $0 != "-" && isSame($0, output) }) else { return }
        throw MediaError(
            .parameter, step: .write, subject: output, reason: "is the input" + (namesInput ? " '\(same)'" : ""),
            advice: "give another path")
    }
}

/// The result or error for each of several files.
package struct FileResults<Value: Encodable> {
    private var entries: [Entry] = []
    private let printsJSON: Bool

    struct Entry: Encodable {
        var file: String
        var value: Value?
        var error: MediaError?
        /// Human-readable text.
        var text: String?

        private enum Key: String, CodingKey {
            case file, error
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(file, forKey: .file)
            try container.encodeIfPresent(error, forKey: .error)
            try value?.encode(to: encoder)
        }
    }

    package init(asJSON: Bool) { printsJSON = asJSON }

    /// Runs `read` for a file and keeps its result or its failure.
    package mutating func add(_ file: String, _ read: () throws(MediaError) -> (value: Value, text: String)) {
        do throws(MediaError) {
            let result = try read()
            entries.append(Entry(file: file, value: result.value, text: result.text))
        } catch {
            add(file, failure: error)
        }
    }

    /// Keeps the failure of a file, and prints it at once unless the output is JSON.
    package mutating func add(_ file: String, failure: MediaError) {
        let named = failure.naming(file == "-" ? "standard input" : file).withFlags
        entries.append(Entry(file: file, error: named))
        if !printsJSON { Console.error("error: \(named)") }
    }

    /// Prints all results. Throws `ExitReason.failed` if any file failed.
    package func print() throws {
        if printsJSON {
            try Console.output(JSON.text(entries))
        } else {
            let texts = entries.compactMap { entry in
                entry.text.map { entries.count == 1 ? $0 : "\(entry.file.onOneLine)\n\($0)" }
            }
            if !texts.isEmpty { try Console.output(texts.joined(separator: "\n\n")) }
        }
        if entries.contains(where: { $0.error?.kind == .cancelled }) { throw ExitReason.interrupted }
        if entries.contains(where: { $0.error != nil }) { throw ExitReason.failed }
    }
}
