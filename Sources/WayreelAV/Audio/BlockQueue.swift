internal import WayreelCore

/// A queue of samples and silence that are returned as blocks.
struct BlockQueue {
    private enum Piece {
        case samples(SampleRun, start: Int, isPadding: Bool)
        case silence(count: Int, start: Int)
    }

    private let type: AudioBlock.SampleType
    private let channelCount: Int
    private let silence: Silence
    private let task: TaskContext
    private var pieces: [Piece] = []
    /// The index of the next piece.
    private var first = 0
    /// The samples of the last block, kept to keep its memory valid.
    private var current: SampleRun?

    /// Samples per channel of a block of silence.
    private static let silenceLength = 4096

    init(_ format: SampleBuffer.Format, task: TaskContext) {
        self.task = task
        type = format.type
        channelCount = format.channelCount
        silence = Silence(byteCount: Self.silenceLength * channelCount * type.byteCount)
    }

    /// Appends samples; `start` is the position of the first one on the timeline.
    mutating func append(_ run: SampleRun, start: Int, isPadding: Bool = false) {
        pieces.append(.samples(run, start: start, isPadding: isPadding))
    }

    mutating func appendSilence(_ count: Int, start: Int) { pieces.append(.silence(count: count, start: start)) }

    /// Returns the next block; nil if the queue is empty. Valid until the next call.
    mutating func next() throws(MediaError) -> AudioBlock? {
        current = nil
        guard first < pieces.count else {
            pieces.removeAll(keepingCapacity: true)
            first = 0
            return nil
        }
        switch pieces[first] {
        case .samples(let run, let start, let isPadding):
            current = run
            first += 1
            return run.block(start: start, isPadding: isPadding)
        case .silence(let count, let start):
            // A gap may produce many blocks.
            try task.check()
            let blockCount = min(count, Self.silenceLength)
            if blockCount < count {
                pieces[first] = .silence(count: count - blockCount, start: start + blockCount)
            } else {
                first += 1
            }
            return AudioBlock(
                type, count: blockCount, channelCount: channelCount,
                planes: [UnsafeRawPointer(silence.memory.baseAddress!)], start: start)
        }
    }

    /// A buffer of zeros.
    private final class Silence {
        let memory: UnsafeMutableRawBufferPointer

        init(byteCount: Int) {
            memory = .allocate(byteCount: byteCount, alignment: 64)
            memory.initializeMemory(as: UInt8.self, repeating: 0)
        }

        deinit { memory.deallocate() }
    }
}
