public import WayreelTasks

/// A task of any kind that creates files of a bundle.
public enum BundleWork: Hashable, Sendable, Codable {
    case capture(CaptureTask)
    case levels(LevelsTask)
    case transcode(TranscodeTask)
    case poster(PosterTask)
    case captions(CaptionsTask)
    case copy(CopyTask)

    /// Returns the task with its paths replaced.
    func moved(input: String, outputs: [String]) -> BundleWork {
        switch self {
        case .capture(var task):
            (task.input, task.output) = (input, outputs[0])
            return .capture(task)
        case .levels(var task):
            (task.input, task.outputs) = (input, outputs)
            return .levels(task)
        case .transcode(var task):
            (task.input, task.output) = (input, outputs[0])
            return .transcode(task)
        case .poster(var task):
            (task.input, task.output) = (input, outputs[0])
            return .poster(task)
        case .captions(var task):
            (task.input, task.output) = (input, outputs[0])
            return .captions(task)
        case .copy(var task):
            (task.input, task.output) = (input, outputs[0])
            return .copy(task)
        }
    }

    public var task: any MediaTask {
        switch self {
        case .capture(let task): task
        case .levels(let task): task
        case .transcode(let task): task
        case .poster(let task): task
        case .captions(let task): task
        case .copy(let task): task
        }
    }
}
