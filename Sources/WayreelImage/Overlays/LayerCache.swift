internal import Glibc
internal import Synchronization
internal import WayreelCore

/// A cache of the most recently used layers, with a limit in bytes. Any thread may use it.
final class LayerCache: Sendable {
    struct Key: Hashable {
        var overlay: Int
        var size: PixelSize
    }

    fileprivate struct State {
        /// The entries, the most recently used last.
        var entries: [(key: Key, layer: OverlayLayer)] = []
        /// Layers that a thread is creating.
        var making: Set<Key> = []
    }

    /// Max total size of all layers in bytes.
    private let limit: Int
    private let state = Mutex(State())

    /// Polling interval in microseconds for a layer that another thread creates.
    private static let interval: UInt32 = 1000

    init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    /// Returns the layer for `key`, created by `make` if it is not cached.
    ///
    /// Threads that need the same layer wait until the first one has created it, within the limits of `task`: only that
    /// thread loads fonts, of which Pango keeps a set per thread. No lock is held meanwhile.
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
        /// The calling thread creates the layer.
        case made
        /// Another thread creates the layer.
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
        // A layer that would evict most others is cheaper to create again.
        guard layer.byteCount <= limit / 2 else { return }
        entries.append((key, layer))
        var bytes = entries.reduce(0) { $0 + $1.layer.byteCount }
        while bytes > limit || entries.count > 64 { bytes -= entries.removeFirst().layer.byteCount }
    }
}
