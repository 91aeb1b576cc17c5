internal import CFFmpeg
package import WayreelCore

/// Decodes coded images one after the other, each of which stands alone, as the tiles of a HEIC or AVIF grid do, or builds on others
/// that are given with it, as the frames of an image sequence do.
///
/// Used by one thread at a time; runs on that thread only.
package final class CodedImageDecoder {
    package enum Codec: Sendable {
        case hevc, av1

        fileprivate var decoder: String { self == .hevc ? "hevc" : "libdav1d" }

        /// Whether FFmpeg and its decoder are there; loads FFmpeg.
        package var isInstalled: Bool {
            (try? FFmpeg.load(.scaler, step: "decode")) != nil && avcodec_find_decoder_by_name(decoder) != nil
        }

        /// Whether frames are decoded into memory that Wayreel has marked, so that what is left undecoded can be found.
        fileprivate var decodesIntoMarkedMemory: Bool { self == .hevc }
    }

    private let decoder: Decoder
    private let codec: Codec
    /// Of the length in front of each NAL unit of HEVC.
    private let lengthBytes: Int
    private let packet: UnsafeMutablePointer<AVPacket>

    /// `configuration` is the body of the item's `hvcC` or `av1C` box. No image may have more than `maxPixels` pixels.
    ///
    /// Throws an `io` error where FFmpeg is not installed, `unsupported` where it lacks the decoder.
    package init(_ codec: Codec, configuration: UnsafeRawBufferPointer, maxPixels: Int) throws(MediaError) {
        self.codec = codec
        lengthBytes = configuration.count > 21 ? Int(configuration[21] & 3) + 1 : 4
        decoder = try Decoder(named: codec.decoder, maxPixels: maxPixels) { (context) throws(MediaError) in
            try context.setExtradata(configuration)
            // Marks are looked for in the whole frame.
            context.pointee.apply_cropping = 0
            if codec.decodesIntoMarkedMemory { context.pointee.get_buffer2 = UndecodedBlocks.getMarkedBuffer }
        }
        guard let packet = av_packet_alloc() else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a packet")
        }
        self.packet = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = self.packet
        av_packet_free(&packet)
    }

    /// Decodes the image in `bytes`. Throws a `decoding` error where there is none.
    package func decode(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> CodedImage {
        try decodeLast([bytes])
    }

    /// Decodes the last of `samples`, which builds on those before it, the first of which stands alone; they may be shown in another
    /// order. Throws a `decoding` error where there is no image.
    package func decodeLast(_ samples: [UnsafeRawBufferPointer]) throws(MediaError) -> CodedImage {
        // The next image begins anew, whatever this one was.
        defer { avcodec_flush_buffers(decoder.context) }
        FFmpeg.forgetLog()
        let frame = try Frame()
        var (isTruncated, isFound) = (false, false)
        var (failed, received): (Int32, Int32) = (0, ffmpeg_again)
        // An empty packet at the end makes the decoder hand out what it still has.
        for (number, sample) in (samples + [nil]).enumerated() where !isFound {
            // What is damaged may be refused and leave a frame all the same.
            let sent = try send(sample, number: number, &isTruncated)
            if sent < 0, failed == 0 { failed = sent }
            repeat {
                received = avcodec_receive_frame(decoder.context, frame.pointer)
                isFound = received >= 0 && frame.pointer.pointee.pts == Int64(samples.count - 1)
            } while received >= 0 && !isFound
        }
        guard isFound else {
            try FFmpeg.check(
                received == ffmpeg_end && failed < 0 ? failed : received, .decoding, step: "decode",
                subject: codec.decoder)
            throw MediaError(.decoding, step: "decode", reason: "\(codec.decoder): no image was decoded")
        }
        guard let layout = PlanarLayout(frame) else {
            throw MediaError(
                .unsupported, step: "decode",
                reason: "\(codec.decoder): pixels of format \(frame.pixelFormatName) are not handled")
        }
        let undecoded = codec.decodesIntoMarkedMemory ? try UndecodedBlocks.fill(in: frame, layout) : 0
        guard undecoded < frame.size.pixels else {
            throw MediaError(
                .decoding, step: "decode", reason: "\(codec.decoder): \(FFmpeg.firstLogged ?? "no image was decoded")")
        }
        try FFmpeg.check(
            av_frame_apply_cropping(frame.pointer, Int32(AV_FRAME_CROP_UNALIGNED)), .decoding, step: "decode",
            subject: codec.decoder)
        return try CodedImage(
            frame, layout, undecodedPixels: isTruncated ? max(undecoded, UndecodedBlocks.pixels) : undecoded)
    }
}

extension CodedImageDecoder {
    /// Gives `bytes` to the decoder, or the end where they are nil; `number` comes back as the timestamp of their frame. Returns what it says to that; sets `isTruncated` where they are cut
    /// short.
    private func send(
        _ bytes: UnsafeRawBufferPointer?, number: Int, _ isTruncated: inout Bool
    ) throws(MediaError) -> Int32 {
        guard let bytes else { return avcodec_send_packet(decoder.context, nil) }
        guard let start = bytes.baseAddress, let count = Int32(exactly: bytes.count), count > 0 else {
            throw MediaError(.decoding, step: "decode", reason: "a coded image is empty")
        }
        // Decoders read a little beyond the end.
        guard av_new_packet(packet, count) == 0 else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a packet of \(count) bytes")
        }
        defer { av_packet_unref(packet) }
        let copy = UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: bytes.count)
        copy.copyMemory(from: UnsafeRawBufferPointer(start: start, count: bytes.count))
        if codec == .hevc, shortenLastUnit(copy) { isTruncated = true }
        packet.pointee.pts = Int64(number)
        return avcodec_send_packet(decoder.context, packet)
    }

    /// Makes the last NAL unit end where `bytes` do, where it is cut short: FFmpeg would not decode any of it. Returns whether it
    /// was.
    private func shortenLastUnit(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var offset = 0
        while offset + lengthBytes < bytes.count {
            let body = offset + lengthBytes
            let length = bytes[offset..<body].reduce(0) { $0 << 8 | Int($1) }
            let left = bytes.count - body
            guard length > left else {
                offset = body + length
                continue
            }
            for index in 0..<lengthBytes {
                bytes[offset + index] = UInt8(truncatingIfNeeded: left >> (8 * (lengthBytes - 1 - index)))
            }
            return true
        }
        return false
    }
}

extension UnsafeMutablePointer<AVCodecContext> {
    /// Copies `bytes` to where decoders look for a track's configuration.
    fileprivate func setExtradata(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let count = Int32(exactly: bytes.count), let memory = av_malloc(bytes.count + padding) else {
            throw MediaError(.limit, step: "decode", reason: "no memory for a configuration of \(bytes.count) bytes")
        }
        memory.copyMemory(from: start, byteCount: bytes.count)
        (memory + bytes.count).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
        // Freed with the context.
        pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointee.extradata_size = count
    }
}
