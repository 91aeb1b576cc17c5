internal import WayreelAV

/// The GOPs of one of several encoders that take them in turn.
///
/// To the encoder, its GOPs follow each other without gaps: the times of the other encoders' GOPs would fill its rate
/// buffer.
struct GOPLane {
    private struct GOP {
        let number: Int
        /// The PTS of its first frame for the encoder.
        let start: Int64
        /// The PTS of its first frame in the video, minus ``start``.
        let offset: Int64
    }

    /// The frames that wait for the encoder.
    private var frames: [Frame] = []
    /// The GOPs whose packets are not complete, in order.
    private var gops: [GOP] = []
    /// The encoded packets with the numbers of their GOPs.
    private var packets: [(gop: Int, packet: Packet)] = []
    /// The end of the last frame for the encoder.
    private var end: Int64?
    /// Whether the encoder has produced its last packet.
    var hasEnded = false

    var frameCount: Int { frames.count }

    /// Adds a frame of the GOP with this number.
    mutating func add(_ frame: Frame, ofGOP number: Int) {
        let time = frame.time ?? 0
        if gops.last?.number != number {
            let start = end ?? time
            gops.append(GOP(number: number, start: start, offset: time &- start))
        }
        let own = time &- (gops.last?.offset ?? 0)
        frame.time = own
        end = own &+ max(1, frame.duration)
        frames.append(frame)
    }

    /// Returns the next frame for the encoder.
    mutating func takeFrame() -> Frame? { frames.isEmpty ? nil : frames.removeFirst() }

    /// Adds the next packet of the encoder.
    mutating func add(_ packet: Packet) {
        // No frame is shown before the keyframe of its GOP or after that of the next one.
        if let time = packet.presentationTime {
            while gops.count > 1, time >= gops[1].start { gops.removeFirst() }
        }
        guard let gop = gops.first else { return }
        packet.delay(by: gop.offset)
        packets.append((gop.number, packet))
    }

    /// Whether the next packet belongs to the GOP with this number.
    func hasPacket(ofGOP number: Int) -> Bool { packets.first?.gop == number }

    /// Whether all packets of the GOP were taken.
    func isDone(withGOP number: Int) -> Bool { packets.first.map { $0.gop > number } ?? hasEnded }

    mutating func takePacket() -> Packet { packets.removeFirst().packet }
}
