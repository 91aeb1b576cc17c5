public import WayreelCore
public import WayreelMapFiles

/// How the base map of a story is cut out of a file.
public struct GroundOptions: Hashable, Sendable, Codable {
    /// What the map shows.
    public var box: GroundBox
    /// Within 12 to 17.
    public var zooms: ClosedRange<Int>
    /// The languages of names, beside the local one: codes of OpenStreetMap, such as `de` or `zh-Hant`.
    public var languages: [String]
    /// Max wall time in seconds.
    public var seconds: Double

    public init(
        box: GroundBox, zooms: ClosedRange<Int> = GroundTiles.zooms, languages: [String] = [], seconds: Double = 3600
    ) {
        self.box = box
        self.zooms = zooms
        self.languages = languages
        self.seconds = seconds
    }
}

/// Makes the tiles of a base map: a folder of files `z/x/y.mvt`, Mapbox Vector Tiles in gzip.
public struct GroundTask: MediaTask {
    public var input: String
    /// The folder.
    public var output: String
    public var options: GroundOptions

    public init(input: String, output: String, options: GroundOptions) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.seconds }
    /// A file may damage a process whose libraries are in C++.
    public var isolationNeed: IsolationNeed { .work }

    public func makePipeline() throws(MediaError) -> GroundPipeline { GroundPipeline(options) }
}

/// Runs tasks of base maps.
public struct GroundPipeline: MediaPipeline {
    let options: GroundOptions

    init(_ options: GroundOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: GroundTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.seconds, threads: threads, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let made = try context.step(.ground) { () throws(MediaError) in
                try GroundTiles.surroundings(
                    in: task.input, box: options.box, zooms: options.zooms, languages: options.languages,
                    task: context, cancellation: cancellation)
            }
            for warning in made.warnings { context.warn(warning.step, warning.message, advice: warning.advice) }
            guard !made.tiles.isEmpty else {
                throw MediaError(
                    .parameter, step: .ground, subject: task.input, reason: "has nothing to show in \(options.box)",
                    advice: "give a file with the streets around the story")
            }
            report.input.bytes = (try? FileStatus(task.input))?.byteCount
            try context.step(.write) { () throws(MediaError) in
                let folder = try AtomicFolder(task.output, ifExists: ifExists, flushesTogether: true)
                for tile in made.tiles { try folder.write(tile.bytes, to: "\(tile.path).mvt") }
                try folder.finish()
            }
            report.output.format = "mvt"
            report.output.bytes = made.bytes
        }
    }
}
