internal import Glibc
internal import Wayreel

/// Which files each input becomes.
struct OutputPlan {
    /// One thing that is made of every input.
    struct Target {
        /// A file, a folder, or `-`.
        var place: String
        var kind: Kind

        enum Kind {
            /// A file; in a folder, one with this extension.
            case file(extension: String)
            /// A folder; in a folder for several, one for each.
            case folder
            /// A file of that name in such a folder.
            case fileInFolder(String)
        }
    }

    /// For each input its outputs, in the order of the targets.
    let files: [(input: String, outputs: [String])]
    private let folders: [String]

    /// Several inputs, or a place that is a folder or ends with `/`, make one file each in that folder, named after the input
    /// with the target's extension. What is a folder itself stands in another one only where there are several inputs.
    ///
    /// Where there are several inputs, a place that is no folder yet must not look like the name of a file to
    /// `isFileName`, which knows the extensions of what is made.
    init(inputs: [String], targets: [Target], isFileName: (String) -> Bool) throws(MediaError) {
        guard !inputs.contains(""), !targets.contains(where: { $0.place.isEmpty }) else {
            throw MediaError(.parameter, step: "plan", reason: "the name of an input or of the output is empty")
        }
        guard targets.count(where: { $0.place == "-" }) <= 1 else {
            throw MediaError(.parameter, step: "plan", reason: "two outputs do not go into one standard output")
        }
        var files = inputs.map { (input: $0, outputs: [String]()) }
        var folders: [String] = []
        for target in targets {
            let isFolder =
                if case .file = target.kind { Self.takesFolder(target.place, inputs: inputs) } else {
                    inputs.count > 1
                }
            if isFolder {
                folders.append(try Self.folder(target.place, inputs: inputs, isFileName: isFileName))
            } else if target.place == "-", inputs.count != 1 {
                throw MediaError(
                    .parameter, step: "plan", reason: "\(inputs.count) inputs do not go into one standard output",
                    advice: "name a folder with -o")
            }
            for index in files.indices {
                let stem = isFolder ? Self.stem(of: inputs[index]) : nil
                files[index].outputs.append(Self.path(of: target, stem: stem))
            }
        }
        self.files = files
        self.folders = folders
    }

    /// What `target` becomes where it stands by itself, or by the name `stem` in a folder.
    private static func path(of target: Target, stem: String?) -> String {
        let place = target.place.hasSuffix("/") && target.place != "/" ? String(target.place.dropLast()) : target.place
        let inside = stem.map { "\(place)/\($0)" }
        return switch target.kind {
        case .file(let ending): inside.map { "\($0).\(ending)" } ?? target.place
        case .folder: inside ?? place
        case .fileInFolder(let name): "\(inside ?? place)/\(name)"
        }
    }

    /// Whether what is made of `inputs` goes into a folder at `place`.
    static func takesFolder(_ place: String, inputs: [String]) -> Bool {
        place != "-" && (inputs.count > 1 || place.hasSuffix("/") || isFolder(place))
    }

    /// The folder at `place`, checked to be one or to be free for one.
    private static func folder(
        _ place: String, inputs: [String], isFileName: (String) -> Bool
    ) throws(MediaError) -> String {
        let folder = place.hasSuffix("/") ? String(place.dropLast()) : place
        if exists(folder), !isFolder(folder) {
            throw MediaError(
                .parameter, step: "plan", subject: place,
                reason: "\(inputs.count) inputs need a folder, this is a file",
                advice: "name a folder with -o")
        }
        if !place.hasSuffix("/"), !isFolder(place), isFileName(place) {
            throw MediaError(
                .parameter, step: "plan", subject: place,
                reason: "\(inputs.count) inputs need a folder, this is the name of a file",
                advice: "name a folder with -o, or end it with / if it is one")
        }
        return folder.isEmpty ? "/" : folder
    }

    /// Makes the folders, and those that lead to them, where they are missing.
    func makeFolders() throws(MediaError) {
        for folder in folders where !Self.isFolder(folder) { try MadeFolders.make(folder) }
    }

    /// The name of a file without its folder and extension.
    private static func stem(of path: String) -> String {
        guard path != "-" else { return "stdin" }
        let name = path.split(separator: "/").last ?? "media"
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
        return String(name[..<dot])
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
