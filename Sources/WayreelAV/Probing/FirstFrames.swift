internal import CFFmpeg
package import WayreelCore

/// Decodes the first frames of a stream for properties that its container does not declare.
final class FirstFrames {
    /// Number of frames to decode, which shows whether any is interlaced, and max number of packets to decode for them.
    private static let frameCount = 12
    private static let maxPackets = 300

    private let decoder: VideoDecoder
    private var first: Frame?
    private var isInterlaced = false
    private var count = 0
    private var packets = 0

    init(of stream: Int, in file: Demuxer, limits: VideoLimits) throws(MediaError) {
        decoder = try VideoDecoder(file, stream: stream, threads: 1, limits: limits)
    }

    var isDone: Bool { count >= Self.frameCount || packets >= Self.maxPackets }

    func decode(_ packet: Packet) throws(MediaError) {
        packets += 1
        try send(packet)
        if packets == Self.maxPackets { try finish() }
    }

    /// Decodes the rest at the end of the stream.
    func finish() throws(MediaError) { if count < Self.frameCount { try send(nil) } }

    private func send(_ packet: Packet?) throws(MediaError) {
        try decoder.send(packet)
        while let frame = try decoder.next() {
            if first == nil { first = try frame.copy() }
            isInterlaced = isInterlaced || frame.isInterlaced
            count += 1
        }
    }

    func completing(_ declared: VideoProperties) -> VideoProperties {
        guard let first else { return declared }
        var properties = declared
        properties.complete(with: first)
        if properties.scan == .unknown { properties.scan = isInterlaced ? .interlaced : .progressive }
        return properties
    }
}

extension VideoProperties {
    /// Sets the properties that the container does not declare.
    package mutating func complete(with frame: Frame) {
        if size.pixels == 0 { size = frame.size }
        if pixelFormat == "unknown" {
            pixelFormat = frame.pixelFormatName
            bitDepth = Int(frame.descriptor.comp.0.depth)
            hasAlpha = hasAlpha || frame.has(AV_PIX_FMT_FLAG_ALPHA)
        }
        let decoded = frame.color
        if color.primaries == "unknown" { color.primaries = decoded.primaries }
        if color.matrix == "unknown" { color.matrix = decoded.matrix }
        if color.transfer == "unknown" || decoded.dynamicRange != .sdr { color.transfer = decoded.transfer }
        color.isFullRange = color.isFullRange || decoded.isFullRange
        peakLuminance = peakLuminance ?? frame.peakLuminance
    }
}
