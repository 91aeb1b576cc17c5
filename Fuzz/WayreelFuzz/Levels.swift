internal import WayreelLevels
internal import WayreelMedia

private let encodings = [
    LevelsEncoding(.json), LevelsEncoding(.csv), LevelsEncoding(.json, grid: .points(7)),
]

/// Levels files: audiowaveform's `.dat` and JSON, Wayreel's JSON; levels that were read are written again.
@Sendable func readLevels(_ data: UnsafeRawBufferPointer) {
    var limits = AudioLimits.standard
    limits.seconds = 2
    guard let file = try? LevelsFile.read(MemorySource(Array(data)), limits: limits) else { return }
    for encoding in encodings { _ = try? file.encoded(as: encoding) }
}
