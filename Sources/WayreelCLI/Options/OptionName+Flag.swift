package import WayreelMedia

extension OptionName {
    /// The name of the option on the command line.
    package var flag: String {
        switch self {
        case .maxInputBytes: "--max-input-bytes"
        case .maxPixels: "--max-pixels"
        case .maxSeconds: "--max-seconds"
        case .maxFrames: "--max-frames"
        case .maxChannels: "--max-channels"
        case .maxAudioSeconds, .maxVideoSeconds: "--max-hours"
        case .maxMemory: "--max-memory"
        case .heartbeatTimeout: "--heartbeat-timeout"
        case .workers: "--jobs"
        case .toleranceNone: "--fail-on none"
        case .toleranceStandard: "--fail-on missing"
        case .ifExistsReplace: "--if-exists replace"
        case .recipe: "--recipe"
        case .page: "--page"
        case .enlarges: "--enlarge"
        case .format: "--format"
        case .sampleRate: "--sample-rate"
        case .rateGrid: "--rate"
        case .samplesGrid: "--zoom"
        case .track: "--track"
        case .languages: "--audio-languages"
        case .keepsAll: "--all-audio"
        case .rangeStart: "--start"
        case .rangeEnd: "--end"
        case .codec: "--codec"
        case .crf: "--crf"
        case .quality: "--quality"
        case .maxBytes: "--max-bytes"
        case .maxFrameRate: "--max-fps"
        case .ladder: "--ladder"
        case .parallelGOPs: "--parallel-gops"
        case .maxBundleBytes: "--max-bundle-bytes"
        case .maxFileBytes: "--max-file-bytes"
        case .screens: "--screen"
        case .filterCatalog: "'wayreel filters'"
        case .screenNames: "'wayreel screens'"
        case .prepare: "'wayreel prepare'"
        case .storyIssues: "'wayreel story check'"
        case .position: "--at"
        case .heading: "--heading"
        case .pitch: "--pitch"
        case .roll: "--roll"
        case .fieldOfView: "--fov"
        case .declination: "--declination"
        case .skipDamaged: "--skip-damaged"
        }
    }
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
