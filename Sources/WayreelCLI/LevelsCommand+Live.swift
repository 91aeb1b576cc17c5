internal import ArgumentParser
internal import Wayreel
internal import WayreelLevels

extension LevelsCommand {
    /// Prints a line for each reading as it comes, until the sound ends or the reader of the lines goes away.
    func runLive() throws {
        let sound = try liveSound()
        let sink = try OutputSink.opening("-")
        let watch = TaskWatch(seconds: self.sound.maxSeconds ?? .infinity, cancellation: Interrupt.cancellation)
        do throws(MediaError) {
            try sound.tell(as: reading.encoding(.ndjson), to: sink, watch: watch) { () throws(MediaError) in
                try sink.handOver()
            }
            try sink.finish()
        } catch {
            if error.isOfGoneReader { throw Outcome.readerGone }
            throw error.kind == .cancelled ? Outcome.interrupted : error.naming(sound.path)
        }
        for warning in watch.warnings where !running.quiet { Console.error("\(sound.path): \(warning)".onOneLine) }
    }

    /// Throws a `parameter` error for what has no meaning live.
    private func liveSound() throws(MediaError) -> LiveSound {
        let fault = { (reason: String, advice: String) in
            MediaError(.parameter, step: "plan", reason: reason, advice: advice)
        }
        guard inputs.count == 1 else {
            throw fault("--live meters one sound", "run the command once for each")
        }
        // A file gets its name when it is whole, which a sound without an end never is.
        guard output.isEmpty || output == ["-"] else {
            throw fault("--live prints its lines on standard output", "leave -o out, and send them to a file with >")
        }
        guard format.isEmpty || format == [LevelsFormat.ndjson.rawValue] else {
            throw fault("--live prints ndjson", "leave --format out")
        }
        guard !loudness, running.report == nil, picture.firstGiven == nil else {
            throw fault("--live prints readings alone", "leave --loudness, --report and the options of pictures out")
        }
        guard failOn == .standard, running.jobs == nil, running.ifExists == .replace else {
            throw fault("--live prints readings as they come, by itself", "leave --fail-on, --jobs and --if-exists out")
        }
        guard self.sound.sampleRate == nil else {
            throw fault("--live reads the audio at its own sample rate", "leave --sample-rate out")
        }
        guard reading.zoom == nil, reading.points == nil else {
            throw fault("--live reads at a rate", "give --rate instead")
        }
        try reading.check(for: [.ndjson])
        return LiveSound(
            path: inputs[0], rate: reading.chosenRate ?? 30, channels: reading.chosenChannels ?? .stereo,
            ballistics: reading.meter, track: self.sound.track, raw: self.sound.raw, limits: self.sound.limits())
    }
}
