internal import WayreelAV
package import WayreelCore

extension LevelsPipeline {
    /// Measures the audio at `path` and passes the buckets of output `index`, each when its last sample is decoded. The
    /// levels equal those that ``measure(_:threads:cancellation:)`` returns.
    ///
    /// Throws what measuring throws, the errors of `body`, and a `parameter` error for levels files and for a number of
    /// points, whose buckets are known only at the end.
    package func readLevels(
        _ path: String, ofOutput index: Int, threads: Int = 1, task: TaskContext,
        _ body: @escaping (LiveReading) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard options.outputs.indices.contains(index) else {
            throw Self.fault("output \(index) does not exist; there are \(options.outputs.count)")
        }
        guard try levelsFile(path, task: task) == nil else {
            throw Self.fault("is a levels file, which holds its levels already", advice: "read it with LevelsFile")
        }
        let (reader, resampler, format) = try open(MediaInput(path, raw: options.raw), threads: threads, task: task)
        let info = reader.info
        let measurement = try options.outputs[index].measurement(of: format, isMP3: info.codec.hasPrefix("mp3"))
        if case .points = measurement.grid {
            throw Self.fault(
                "the edges of a number of points depend on the length, which is known at the end",
                advice: "use a rate or a number of samples, or measure the whole")
        }
        let recorder = try LevelRecorder(measurement, format: format)
        let rate = Double(format.sampleRate)
        var count = 0
        recorder.onBucket = { (samples, isPartial, readings) throws(MediaError) in
            try body(
                LiveReading(
                    index: count, time: Double(samples.lowerBound) / rate, duration: Double(samples.count) / rate,
                    merged: 0, isPartial: isPartial, channels: readings.map(LiveReading.Channel.init)))
            count += 1
        }
        let meter = options.measuresLoudness ? try LoudnessMeter(format: info.format) : nil
        let outcome = try decode(reader, resampler, meter, task: task) { (block) throws(MediaError) in
            try recorder.add(block)
        }
        try checkDamage(outcome, info.format, task: task)
        _ = try recorder.finish()
        addToAll(meter?.finish())
    }

    private static func fault(_ reason: String, advice: MediaError.Advice? = nil) -> MediaError {
        MediaError(.parameter, step: "measure", reason: reason, advice: advice)
    }
}
