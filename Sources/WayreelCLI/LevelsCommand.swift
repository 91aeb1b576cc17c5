internal import ArgumentParser
internal import WayreelCore
internal import WayreelLevels
internal import WayreelMedia

struct LevelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "levels",
        abstract: "Measures audio levels: data for visualizers, waveforms, loudness, images, live meters.",
        discussion: """
            Left and right peaks for a visualizer, 30 per second:
              wayreel levels radio.mp3 -o levels.json --rate 30
            Levels with the ballistics of a meter:
              wayreel levels radio.mp3 -o levels.json --rate 60 --meter apple
            For peaks.js, wavesurfer.js, a spreadsheet:
              wayreel levels radio.mp3 -o radio.dat --zoom 256 --bits 8 --split-channels
              wayreel levels radio.mp3 -o radio.json --format wavesurfer --points 800
              wayreel levels talk.mp4 -o - --format csv
            Several outputs in one pass, including images:
              wayreel levels radio.mp3 -o radio.dat -o radio.json -o radio.png
              wayreel levels radio.mp3 -o strip.svg --style strip --size 1200x300 --theme dark
            Loudness by EBU R 128, of each file and of all together:
              wayreel levels *.mp3 --loudness
            Measure several files in parallel, with a report:
              wayreel levels *.mp3 -o levels/ --rate 30 --report report.json
            Read a pipe; print live levels:
              cat radio.flac | wayreel levels - -o out.dat
              arecord -f cd | wayreel levels - --raw s16le:44100:2 --live --rate 60
            Convert levels to a lower resolution or to an image:
              wayreel levels radio.dat -o overview.dat --zoom 4096

            Exit status: 0 all done, 1 some failed, 2 wrong usage.
            """)

    @Argument(
        help: """
            Inputs: any audio or video that FFmpeg decodes, detected by content; levels in a .dat or JSON file; - for \
            standard input.
            """, completion: .file())
    var inputs: [String]

    @Option(
        name: [.short, .long],
        help:
            "Output file, folder (with a trailing / or for several inputs), or - for standard output. Repeatable.",
        completion: .file())
    var output: [String] = []

    @Option(
        help: """
            json, ndjson, csv, dat, audiowaveform, wavesurfer, soundcloud, png or svg; repeatable for a folder. \
            (default: by the output's extension, else json)
            """)
    var format: [String] = []

    @Flag(help: "Measure loudness by EBU R 128, and add it to JSON outputs and the report.")
    var loudness = false

    @Flag(help: "Print a line of JSON for each reading as soon as its samples are read.")
    var live = false

    @OptionGroup(title: "Readings") var reading: LevelReadingOptions
    @OptionGroup(title: "Images") var drawing: LevelPlotOptions
    @OptionGroup(title: "Audio") var audio: AudioInputOptions

    @Option(help: "Damage that fails an input: none, missing (over a quarter of it), warning (any).")
    var failOn: DamageTolerance = .standard

    @OptionGroup(title: "Running") var running: RunningOptions

    func run() async throws {
        if live { return try runLive() }
        guard !output.isEmpty || loudness else {
            throw ErrorSite.usage(
                "no output was requested", "add an output with -o, or use --loudness or --live")
        }
        guard !output.isEmpty || format.isEmpty else {
            throw ErrorSite.usage("--format requires an output", "add an output with -o")
        }
        let requests = try requests()
        let options = LevelsOptions(
            try outputs(requests.map(\.format)), track: audio.track, raw: audio.raw, sampleRate: audio.sampleRate,
            measuresLoudness: loudness, limits: audio.limits(), tolerance: failOn)
        let plan = try OutputPlan(
            inputs: inputs,
            targets: requests.map { .init(path: $0.path, kind: .file(extension: $0.format.fileExtensions[0])) },
            isFileName: { LevelsFormat(fileName: $0) != nil })
        let batch = try LevelsBatch(
            plan.files.map { LevelsTask(input: $0.input, outputs: $0.outputs, options: options) },
            isolation: isolation, cancellation: Interrupt.cancellation)
        let reports = try await running.run(batch, plan)
        if loudness, !Interrupt.cancellation.isCancelled,
            let table = LoudnessTable.text(reports, ofAll: batch.pipelines.first??.loudnessOfAll)
        {
            if output.contains("-") || running.report == "-" { Console.error(table) } else { try Console.output(table) }
        }
        try ExitReason.check(reports)
    }

    /// The isolation of the task, since --max-seconds must also end a decoder that hangs. Loudness of several files
    /// together is only available in a process that has measured all of them.
    private var isolation: Isolation? {
        audio.durations.maxSeconds == nil || loudness && inputs.count > 1
            ? nil : Isolation(executable: Isolation.ownExecutable)
    }

    /// Returns the requested outputs. Throws a `parameter` error if a format is unknown, or if a file has several formats.
    private func requests() throws(MediaError) -> [(path: String, format: LevelsFormat)] {
        var requests: [(path: String, format: LevelsFormat)] = []
        for path in output {
            let takesMany = OutputPlan.takesFolder(path, inputs: inputs)
            guard format.isEmpty else {
                if !takesMany, format.count > 1 {
                    throw ErrorSite.usage(
                        of: path, "\(format.count) formats for one file",
                        "use --format once, or choose a folder with -o")
                }
                for name in format { requests.append((path, try Self.format(name, path: takesMany ? "" : path))) }
                continue
            }
            guard takesMany || ["", "-"].contains(path) || LevelsFormat(fileName: path) != nil else {
                throw ErrorSite.usage(
                    of: path, "the file name does not imply a format",
                    "use .json, .ndjson, .csv, .dat, .png or .svg, or add --format")
            }
            requests.append((path, takesMany ? .json : LevelsFormat(fileName: path) ?? .json))
        }
        return requests
    }

    private static func format(_ name: String, path: String) throws(MediaError) -> LevelsFormat {
        guard let format = LevelsFormat(named: name, fileName: path) else {
            let names = LevelsFormat.allCases.map(\.rawValue)
            throw ErrorSite.usage(
                "unknown format '\(name)'",
                nearestName(to: name, in: names).map { "did you mean '\($0)'?" }
                    ?? "use one of \(names.joined(separator: ", "))")
        }
        return format
    }

    /// Returns the outputs for the formats. Throws a `parameter` error for an option that none of them supports.
    private func outputs(_ formats: [LevelsFormat]) throws(MediaError) -> [LevelsOutput] {
        if let option = drawing.firstGiven, !formats.contains(where: \.isImage) {
            throw ErrorSite.usage(
                "--\(option) requires an image output", "add an output that ends with .png or .svg")
        }
        try reading.check(for: formats)
        // With several outputs, each takes the options that it supports. A single image output rejects the others.
        let takesMeter = drawing.style == .strip || formats.allSatisfy(\.isImage)
        return formats.map { format in
            format.isImage
                ? .plot(
                    drawing.plot(meter: takesMeter ? reading.meter : nil), format == .png ? .png : .svg,
                    rate: reading.chosenRate, channels: reading.chosenChannels)
                : .data(reading.encoding(format))
        }
    }

    // MARK: Live

    /// Prints a line for each reading as it is measured, until the audio ends or standard output is closed.
    private func runLive() throws {
        let live = try liveAudio()
        let sink = try AtomicOutput("-")
        let task = TaskContext(seconds: audio.durations.maxSeconds ?? .infinity, cancellation: Interrupt.cancellation)
        do throws(MediaError) {
            try live.writeLines(as: reading.encoding(.ndjson), to: sink, task: task) { () throws(MediaError) in
                try sink.flush()
            }
            try sink.finish()
        } catch {
            if error.isOfGoneReader { throw ExitReason.readerGone }
            throw error.kind == .cancelled ? ExitReason.interrupted : error.naming(live.path)
        }
        for warning in task.warnings where !running.quiet {
            Console.error("\(live.path): \(warning.withFlags)".onOneLine)
        }
    }

    /// Throws a `parameter` error for options that do not apply to live metering.
    private func liveAudio() throws(MediaError) -> LiveAudio {
        let fault = ErrorSite.usage
        guard inputs.count == 1 else { throw fault("--live takes one input", "run the command once for each") }
        // A file is renamed when it is complete, and endless audio never completes.
        guard output.isEmpty || output == ["-"] else {
            throw fault("--live prints to standard output", "remove -o; redirect to a file with >")
        }
        guard format.isEmpty || format == [LevelsFormat.ndjson.rawValue] else {
            throw fault("--live prints ndjson", "remove --format")
        }
        guard !loudness, running.report == nil, drawing.firstGiven == nil else {
            throw fault("--live prints only readings", "remove --loudness, --report and image options")
        }
        guard failOn == .standard, running.jobs == nil, running.ifExists == .replace else {
            throw fault("--live runs one task without output files", "remove --fail-on, --jobs and --if-exists")
        }
        guard audio.sampleRate == nil else { throw fault("--live does not resample", "remove --sample-rate") }
        guard reading.zoom == nil, reading.points == nil else {
            throw fault("--live needs readings per second", "use --rate")
        }
        try reading.check(for: [.ndjson])
        return LiveAudio(
            path: inputs[0], rate: reading.chosenRate ?? 30, channels: reading.chosenChannels ?? .stereo,
            ballistics: reading.meter, track: audio.track, raw: audio.raw, limits: audio.limits())
    }
}

/// Formats loudness as a table: one line per input, and one for all together.
private enum LoudnessTable {
    /// Returns nil if nothing was measured.
    static func text(_ reports: [TaskReport], ofAll all: Loudness?) -> String? {
        var rows = reports.compactMap { report in report.loudness.map { row(report.input.path, $0) } }
        guard !rows.isEmpty else { return nil }
        if rows.count > 1, let all { rows.append(row("all together", all)) }
        return TextColumns.aligned([header] + rows)
    }

    private static let header = [
        "", "integrated", "range", "momentary max", "short-term max", "true peak", "sample peak",
    ]

    private static func row(_ name: String, _ loudness: Loudness) -> [String] {
        [
            name.onOneLine, cell(loudness.integrated, "LUFS"), cell(loudness.range, "LU"),
            cell(loudness.momentaryMaximum, "LUFS"), cell(loudness.shortTermMaximum, "LUFS"),
            cell(loudness.truePeak, "dBTP"), cell(loudness.samplePeak, "dBFS"),
        ]
    }

    private static func cell(_ value: Double?, _ unit: String) -> String {
        value.map { "\($0.formatted(1)) \(unit)" } ?? "none"
    }
}
