internal import CFFmpeg
package import WayreelCore

extension Muxer {
    /// Seconds in a unit of the times of timed text.
    package static let textTimeBase = Rational(1, 1000) ?? 1

    /// A stream of timed text (`tx3g`), whose sample description begins with `description`. Returns its number.
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

    /// Names the chapters of the file, before it begins.
    package func set(_ chapters: [MediaChapter]) throws(MediaError) {
        for chapter in chapters {
            let status = ffmpeg_add_chapter(
                context, Int64((chapter.start * 1000).rounded()), Int64((chapter.end * 1000).rounded()),
                chapter.title ?? "")
            guard status >= 0 else { throw MediaError(.limit, step: "write", reason: "no memory for a chapter") }
        }
    }
}
