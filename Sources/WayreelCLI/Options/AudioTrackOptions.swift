internal import ArgumentParser

/// The choice of one audio track.
struct AudioTrackOptions: ParsableArguments {
    @Option(help: "Audio track, from 1. (default: the file's default track)")
    var track: Int?

    func validate() throws {
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
    }
}
