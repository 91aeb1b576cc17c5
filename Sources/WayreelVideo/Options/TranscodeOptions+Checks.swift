internal import WayreelCore
internal import WayreelImage

extension TranscodeOptions {
    /// Throws a `parameter` error for options that are invalid for any source.
    func check() throws(MediaError) {
        try framing.check()
        try require(!framing.enlarges, "videos are never enlarged", "leave the enlarging to the player")
        try require(!framing.inLinearLight, "videos are not resampled in linear light", "leave it out")
        try require(!framing.decodesFully, "videos are always decoded at full size", "leave it out")
        try require(
            framing.fit != .pad, "videos are not padded", "use fit contain; players fill the rest of the screen")
        try require(!framing.cropsToAttention, "the centre of attention moves in a video", "use another gravity")
        try require(
            framing.crop == nil && framing.turning == .upright, "videos are not cropped freely, flipped or rotated",
            "leave crop, flip and rotation out")
        try require(framing.trim == nil, "borders of a video are not trimmed", "leave the trim out")
        if let screen = framing.screen {
            try require(
                [screen.width, screen.height].allSatisfy { $0 != 1 }, "a screen of \(screen) is too small for a video",
                "use 2x2 or more")
        }
        try video.check()
        if let rate = video.maxFrameRate {
            let max = delivery.hls == nil ? FrameTiming.maxRequestedRate : FrameTiming.maxRate
            let isRational = Swift.max(rate.numerator, rate.denominator) <= Int(Int32.max)
            try require(
                isRational && (FrameTiming.minRequestedRate...max.value).contains(rate.value),
                "a maximum of \(rate.value.shortDescription) frames a second is out of range"
                    + (delivery.hls == nil ? "" : " for HLS"),
                "use \(.maxFrameRate) \(FrameTiming.minRequestedRate.shortDescription) to \(max)")
        }
        try audio.check()
        try range?.check()
        try subtitles?.check()
        if case .hls(let hls) = delivery { try hls.check(video) }
        if case .maxBytes = video.rate {
            try require(
                isResumable != true, "a maximum size takes two passes, which cannot be resumed",
                "leave one of them out")
        }
    }
}

/// Throws a `parameter` error unless `holds`.
func require(
    _ holds: Bool, _ reason: String, _ advice: MediaError.Advice, step: MediaError.Step = .plan
) throws(MediaError) {
    guard holds else { throw MediaError(.parameter, step: step, reason: reason, advice: advice) }
}

extension VideoSettings {
    fileprivate func check() throws(MediaError) {
        let encoder = VideoEncoderInfo.of(codec)
        _ = try encoder.preset(preset)
        switch rate {
        case .crf(let crf):
            let (low, high) = (encoder.crfRange.lowerBound, encoder.crfRange.upperBound)
            try require(
                encoder.crfRange.contains(crf),
                "a CRF of \(crf.shortDescription) is out of range for \(codec.rawValue)",
                "use \(low.shortDescription) to \(high.shortDescription)")
        case .quality(.ssim(let value)):
            try require(
                (90...99.9).contains(value), "a quality of \(value.shortDescription) is out of range",
                "use low, medium, high, or 90 to 99.9")
        case .maxBytes(let bytes):
            try require(isDropped || bytes >= 10_000, "no video fits into \(bytes) bytes", "use 10 kB or more")
        case .standard, .quality: break
        }
    }
}

extension AudioSettings {
    fileprivate func check() throws(MediaError) {
        try require(
            (32_000...512_000).contains(bitRate), "an audio bit rate of \(bitRate) bits per second is out of range",
            "use 32 to 512 kb/s")
        if let loudness {
            try require(
                (-70.0...0).contains(loudness), "a loudness of \(loudness.shortDescription) LUFS is out of range",
                "use -70 to 0")
        }
        if let track {
            try require(track >= 1, "there is no audio track \(track)", "count them from 1")
            try require(
                languages.isEmpty && !keepsAll, "one audio track is asked for, and several as well",
                "leave \(.track) out, or \(.languages) and \(.keepsAll)")
        }
        for language in languages {
            try require(
                LanguageCode(language) != nil, "'\(language)' is not a language code",
                "write it as in ISO 639: eng, de, pt-BR")
        }
    }
}

extension HLSOptions {
    fileprivate func check(_ video: VideoSettings) throws(MediaError) {
        try require(
            (0.5...10).contains(keyFrameInterval),
            "a keyframe every \(keyFrameInterval.shortDescription) s is out of range", "use 0.5 to 10")
        let multiple = segmentSeconds / keyFrameInterval
        try require(
            (1...60).contains(segmentSeconds) && abs(multiple - multiple.rounded()) < 1e-6 && multiple >= 1,
            "segments of \(segmentSeconds.shortDescription) s are not a multiple of "
                + "\(keyFrameInterval.shortDescription) s between keyframes", "use 1 to 60 s, as 6 for 2")
        if let parallelGOPs {
            try require(
                Self.parallelGOPCounts.contains(parallelGOPs),
                "\(parallelGOPs) GOPs at the same time are out of range", "use 1 to 4")
            try require(
                parallelGOPs == 1 || VideoEncoderInfo.of(video.codec).takesKeyFrames,
                "\(video.codec.rawValue) is not encoded in several GOPs at the same time",
                "leave \(.parallelGOPs) out, or choose h264 or hevc")
        }
        if let previewInterval {
            try require(
                (0.1...3600).contains(previewInterval),
                "a thumbnail every \(previewInterval.shortDescription) s is out of range", "use 0.1 to 3600")
        }
        try require(
            video.rate == .standard, "the ladder of HLS has bit rates of its own",
            "leave \(.crf), \(.quality) and \(.maxBytes) out, or give \(.ladder)")
        guard let ladder else { return }
        try require((1...20).contains(ladder.count), "a ladder of \(ladder.count) rungs is out of range", "use 1 to 20")
        for rung in ladder {
            try require(
                (2...16_384).contains(rung.box.shorterSide) && rung.box.longerSide <= 16_384
                    && (20_000...200_000_000).contains(rung.bitRate),
                "a rung of \(rung.box) at \(rung.bitRate) bits per second is out of range",
                "use sides of 2 to 16384 and 20 kb/s to 200 Mb/s")
        }
    }
}
