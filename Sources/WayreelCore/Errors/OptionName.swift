/// An option of the library, or a type to look up, that the advice of a ``MediaError`` names.
///
/// The raw value is its Swift name. Other interfaces, such as the `wayreel` command, use their own names.
public enum OptionName: String, Hashable, Sendable, Codable, CaseIterable {
    case maxInputBytes = "limits.inputBytes"
    case maxPixels = "limits.pixels"
    case maxSeconds = "limits.seconds"
    case maxFrames = "limits.frames"
    case maxChannels = "limits.channels"
    case maxAudioSeconds = "limits.audioSeconds"
    case maxVideoSeconds = "limits.videoSeconds"
    case maxMemory = "Isolation.memoryBytes"
    case heartbeatTimeout = "Isolation.heartbeatTimeout"
    case workers = "a smaller WorkPool"
    case toleranceNone = "tolerance .none"
    case toleranceStandard = "tolerance .standard"
    case ifExistsReplace = "ifExists .replace"
    case recipe = "a Recipe"
    case page
    case enlarges = "framing.enlarges"
    case format = "encoding.format"
    case sampleRate
    case rateGrid = "grid .rate"
    case samplesGrid = "grid .samples"
    case track
    case languages
    case keepsAll
    case rangeStart = "range.start"
    case rangeEnd = "range.end"
    case codec
    case crf = "rate .crf"
    case quality = "rate .quality"
    case maxBytes
    case maxFrameRate
    case ladder = "HLSOptions.ladder"
    case parallelGOPs = "HLSOptions.parallelGOPs"
    case maxBundleBytes
    case maxFileBytes
    case screens
    case filterCatalog = "FilterCatalog"
    case screenNames = "Screen.all"
    case prepare = "PreparePlan"
    case storyIssues = "StoryDocument.issues"
    case position = "pose.position"
    case heading = "pose.heading"
    case pitch = "pose.pitch"
    case roll = "pose.roll"
    case fieldOfView = "pose.fieldOfView"
    case declination = "pose.declination"
    case skipDamaged = "SensorReader.onDamage"
}
