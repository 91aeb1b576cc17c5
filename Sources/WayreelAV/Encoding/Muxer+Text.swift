internal import CFFmpeg
package import WayreelCore

extension Muxer {
    /// The time base of timed text, in seconds.
    package static let textTimeBase = Rational(1, 1000) ?? 1

    /// Adds a stream of timed text (`tx3g`) whose sample description starts with `description`. Returns its index.
    package func addText(_ description: [UInt8]) throws(MediaError) -> Int {
        let stream = try addStream(Self.textTimeBase)
        guard let memory = av_malloc(description.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw MediaError(.limit, step: "write", reason: "no memory for a stream")
        }
        memory.initializeMemory(
            as: UInt8.self, repeating: 0, count: description.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
        description.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        let parameters = stream.pointee.codecpar!
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: description.count)
        return Int(stream.pointee.index)
    }

    /// Adds chapters, before ``begin()``.
    package func set(_ chapters: [MediaChapter]) throws(MediaError) {
        for chapter in chapters {
            guard let start = Int64(exactly: (chapter.start * 1000).rounded()),
                let end = Int64(exactly: (chapter.end * 1000).rounded())
            else { throw MediaError(.parameter, step: "write", reason: "a chapter has impossible times") }
            let status = ffmpeg_add_chapter(context, start, end, chapter.title ?? "")
            guard status >= 0 else { throw MediaError(.limit, step: "write", reason: "no memory for a chapter") }
        }
    }
}
