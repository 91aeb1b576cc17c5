internal import WayreelMedia

/// Demuxing: the container, its streams, and the packets that planning reads.
@Sendable func probeMedia(_ data: UnsafeRawBufferPointer) {
    var limits = VideoLimits.standard
    limits.seconds = 5
    let path = FuzzFolder.write(data, to: "media")
    _ = try? MediaProbe.probe(path: path, limits: limits)
    var options = TranscodeOptions()
    options.limits = limits
    _ = try? TranscodePlan.plan(path: path, options)
}

/// HLS playlists: the part before the first NUL is the master playlist, the next the media playlist, the rest a
/// segment.
@Sendable func validatePlaylists(_ data: UnsafeRawBufferPointer) {
    let parts = data.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    for (index, name) in ["master.m3u8", "video.m3u8", "segment.m4s"].enumerated() {
        FuzzFolder.write(UnsafeRawBufferPointer(rebasing: parts.dropFirst(index).first ?? data[..<0]), to: name)
    }
    _ = try? HLSValidator().validate("\(FuzzFolder.path)/master.m3u8", seconds: 2)
}
