internal import ArgumentParser
internal import WayreelMedia
internal import WayreelLevels

extension LevelsCommand {
    /// Prints a line for each reading as it is measured, until the audio ends or standard output is closed.
    func runLive() throws {
        let live = try liveAudio()
        let sink = try OutputSink.opening("-")
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
        let fault = { (reason: String, advice: MediaError.Advice) in
            MediaError(.parameter, step: "plan", reason: reason, advice: advice)
        }
        guard inputs.count == 1 else {
            throw fault("--live takes one input", "run the command once for each")
        }
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
        guard audio.sampleRate == nil else {
            throw fault("--live does not resample", "remove --sample-rate")
        }
        guard reading.zoom == nil, reading.points == nil else {
            throw fault("--live needs readings per second", "use --rate")
        }
        try reading.check(for: [.ndjson])
        return LiveAudio(
            path: inputs[0], rate: reading.chosenRate ?? 30, channels: reading.chosenChannels ?? .stereo,
            ballistics: reading.meter, track: audio.track, raw: audio.raw, limits: audio.limits())
    }
}
