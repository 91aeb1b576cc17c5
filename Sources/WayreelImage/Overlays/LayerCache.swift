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
    private let state = Monitor(State())

    /// The interval in seconds at which a thread that waits for a layer checks its task.
    private static let checkInterval = 0.05

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
        var finding = LayerCache.State.Finding.awaited
        while case .awaited = finding {
            try task.check()
            finding = state.withLock(
                when: { !$0.making.contains(key) }, until: Clock.wall + Self.checkInterval
            ) { $0.lookUp(key) }
        }
        if case .kept(let layer) = finding { return layer }
        defer { state.update { _ = $0.making.remove(key) } }
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

    fileprivate mutating func lookUp(_ key: LayerCache.Key) -> Finding {
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
