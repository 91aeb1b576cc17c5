package import WayreelMedia

extension OptionName {
    /// The name of the option on the command line.
    package var flag: String { Self.flags[self] ?? rawValue }

    /// The names on the command line, by option. Those that only `wayreel-full` is linked with have their Swift names.
    package static let flags: [OptionName: String] = [
        .maxInputBytes: "--max-input-bytes",
        .maxPixels: "--max-pixels",
        .maxSeconds: "--max-seconds",
        .maxFrames: "--max-frames",
        .maxChannels: "--max-channels",
        .maxAudioSeconds: "--max-hours",
        .maxVideoSeconds: "--max-hours",
        .maxMemory: "--max-memory",
        .heartbeatTimeout: "--heartbeat-timeout",
        .workers: "--jobs",
        .toleranceNone: "--fail-on none",
        .toleranceStandard: "--fail-on missing",
        .ifExistsReplace: "--if-exists replace",
        .recipe: "--recipe",
        .page: "--page",
        .enlarges: "--enlarge",
        .format: "--format",
        .sampleRate: "--sample-rate",
        .rateGrid: "--rate",
        .samplesGrid: "--zoom",
        .track: "--track",
        .languages: "--audio-languages",
        .keepsAll: "--all-audio",
        .rangeStart: "--start",
        .rangeEnd: "--end",
        .codec: "--codec",
        .crf: "--crf",
        .quality: "--quality",
        .maxBytes: "--max-bytes",
        .maxFrameRate: "--max-fps",
        .ladder: "--ladder",
        .parallelGOPs: "--parallel-gops",
        OptionName(rawValue: "maxBundleBytes"): "--max-bundle-bytes",
        OptionName(rawValue: "maxFileBytes"): "--max-file-bytes",
        OptionName(rawValue: "screens"): "--screen",
        .filterCatalog: "'wayreel filters'",
        .screenNames: "'wayreel screens'",
        OptionName(rawValue: "PreparePlan"): "'wayreel prepare'",
        .storyIssues: "'wayreel story check'",
        OptionName(rawValue: "pose.position"): "--at",
        OptionName(rawValue: "pose.heading"): "--heading",
        OptionName(rawValue: "pose.pitch"): "--pitch",
        OptionName(rawValue: "pose.roll"): "--roll",
        OptionName(rawValue: "pose.fieldOfView"): "--fov",
        OptionName(rawValue: "pose.declination"): "--declination",
        OptionName(rawValue: "SensorReader.onDamage"): "--skip-damaged",
    ]
}

// Used wherever the command shows an error.

extension MediaError {
    /// The same error with flags in its advice.
    package var withFlags: MediaError { naming(options: \.flag) }
}

extension MediaWarning {
    /// The same warning with flags in its advice.
    package var withFlags: MediaWarning { naming(options: \.flag) }
}

extension TaskReport {
    /// The same report with flags in its error and warnings.
    package var withFlags: TaskReport {
        var report = self
        report.error = error?.withFlags
        report.warnings = warnings.map(\.withFlags)
        return report
    }
}

extension TaskEvent {
    /// The same event with flags in its report.
    package var withFlags: TaskEvent {
        if case .finished(let report) = self { .finished(report.withFlags) } else { self }
    }
}
