internal import WayreelCore
public import WayreelHLS
public import WayreelVideo

extension TranscodePipeline {
    /// Returns the files of the HLS package of the video at `path`, or of standard input for `-`, each as soon as it is
    /// complete. Nothing is written to the disk.
    ///
    ///     for try await file in pipeline.hlsFiles(of: "in.mov") { try await store.put(file.bytes, at: file.name) }
    ///
    /// Files have the names and, unless they are encrypted, the bytes that ``transcode(_:to:poster:plan:ifExists:on:)``
    /// writes; the poster of the options is not included. Playlists come last, so that storing the files in order never
    /// stores a playlist that names a missing file. The share of missing video is known only after the segments: on an
    /// error, discard the whole package. The work cannot be resumed. `threads` is the number of decoder threads.
    ///
    /// Throws what transcoding throws, and a `parameter` error if the options do not request HLS.
    public func hlsFiles(of path: String, bufferLimit: Int = 4, threads: Int = 2) -> MediaSequence<HLSFile> {
        MediaSequence(bufferLimit: bufferLimit) { (cancellation, emit) throws(MediaError) in
            try readHLSFiles(of: path, threads: threads, cancellation: cancellation, emit)
        }
    }
}
