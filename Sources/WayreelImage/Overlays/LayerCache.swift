internal import Glibc
internal import Synchronization
internal import WayreelCore

/// The layers used last, up to a number of bytes. Any thread may use it.
final class LayerCache: Sendable {
    struct Key: Hashable {
        var overlay: Int
        var size: PixelSize
    }

    fileprivate struct State {
        /// The one used last is at the end.
        var entries: [(key: Key, layer: OverlayLayer)] = []
        /// What a thread is making now.
        var making: Set<Key> = []
    }

    /// What all layers together may hold.
    private let limit: Int
    private let state = Mutex(State())

    /// Microseconds between two looks at a layer that another thread makes.
    private static let interval: UInt32 = 1000

    init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    /// The layer for `key`, which `make` makes where it is not kept.
    ///
    /// Threads that need the same layer wait for the first to make it, and no longer than `task` lets them: only one of them
    /// then loads fonts, of which Pango keeps a set for each thread. No lock is held meanwhile.
    func layer(
        _ key: Key, task: TaskContext, _ make: () throws(MediaError) -> OverlayLayer
    ) throws(MediaError) -> OverlayLayer {
        var isMine = false
        while !isMine {
            try task.check()
            switch state.withLock({ $0.look(for: key) }) {
            case .kept(let layer): return layer
            case .made: isMine = true
            case .awaited: usleep(Self.interval)
            }
        }
        defer { state.withLock { _ = $0.making.remove(key) } }
        let layer = try make()
        state.withLock { $0.keep(layer, for: key, limit: limit) }
        return layer
    }
}

extension LayerCache.State {
    fileprivate enum Finding {
        case kept(OverlayLayer)
        /// The thread that asked makes it.
        case made
        /// Another thread makes it.
        case awaited
    }

    fileprivate mutating func look(for key: LayerCache.Key) -> Finding {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            let entry = entries.remove(at: index)
            entries.append(entry)
            return .kept(entry.layer)
        }
        return making.insert(key).inserted ? .made : .awaited
    }

    fileprivate mutating func keep(_ layer: OverlayLayer, for key: LayerCache.Key, limit: Int) {
        // A layer that would push out most others is cheaper to make again.
        guard layer.byteCount <= limit / 2 else { return }
        entries.append((key, layer))
        var bytes = entries.reduce(0) { $0 + $1.layer.byteCount }
        while bytes > limit || entries.count > 64 { bytes -= entries.removeFirst().layer.byteCount }
    }
}
