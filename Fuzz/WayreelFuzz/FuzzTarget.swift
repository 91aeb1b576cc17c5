/// A reader of untrusted input.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable (UnsafeRawBufferPointer) -> Void

    /// The target selected on the command line.
    static let chosen: FuzzTarget = {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            preconditionFailure("no target '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return target
    }()

    static let all: [FuzzTarget] = [
        FuzzTarget(name: "images", run: decodeImage),
        FuzzTarget(name: "scans", run: decodeScan),
        FuzzTarget(name: "boxes", run: readBoxes),
        FuzzTarget(name: "levels", run: readLevels),
        FuzzTarget(name: "recipes", run: parseRecipe),
        FuzzTarget(name: "cubes", run: readCube),
        FuzzTarget(name: "playlists", run: validatePlaylists),
        FuzzTarget(name: "media", run: probeMedia),
        FuzzTarget(name: "stories", run: readStory),
        FuzzTarget(name: "translations", run: readTranslations),
        FuzzTarget(name: "maps", run: readMap),
    ]
}
