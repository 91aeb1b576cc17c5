internal import Wayreel
internal import WayreelCLI

extension OptionName {
    /// The flag of `wayreel prepare`; nil for what only other commands have.
    fileprivate var prepareFlag: String? {
        switch self {
        case .maxMemory: "--memory"
        case .maxPixels, .maxInputBytes, .maxSeconds, .maxFrames, .workers, .maxBundleBytes, .maxFileBytes, .screens,
            .prepare, .storyIssues, .filterCatalog, .screenNames:
            flag
        default: nil
        }
    }
}

extension MediaError.Advice {
    fileprivate var withPrepareFlags: MediaError.Advice? {
        guard options.allSatisfy({ $0.prepareFlag != nil }) else { return nil }
        return MediaError.Advice(text { $0.prepareFlag ?? $0.rawValue })
    }
}

extension MediaError {
    /// The same error with the flags of `wayreel prepare` in its advice. Advice that names other options is replaced.
    var withPrepareFlags: MediaError {
        guard let advice else { return self }
        var named = self
        named.advice = advice.withPrepareFlags ?? "replace the file, or go on without it by --allow-missing"
        return named
    }
}

extension MediaWarning {
    /// The same warning with the flags of `wayreel prepare` in its advice, or without advice that names other options.
    var withPrepareFlags: MediaWarning { MediaWarning(step: step, message, advice: advice?.withPrepareFlags) }
}
