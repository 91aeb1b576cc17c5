package import WayreelCore

/// A rendered layer that a cache can hold.
package protocol CacheableLayer: Sendable {
    /// The layer's size in memory.
    var byteCount: Int { get }
}

/// Identifies the layer of one overlay on images of one size.
package struct LayerKey: Hashable, Sendable {
    var overlay: Int
    var size: PixelSize

    package init(overlay: Int, size: PixelSize) {
        self.overlay = overlay
        self.size = size
    }
}

/// A cache of the most recently used layers, with a limit in bytes. Any thread may use it.
package final class LayerCache<Layer: CacheableLayer>: Sendable {
    /// Max total size of all layers in bytes.
    private let limit: Int
    private let state = Monitor(CachedLayers<Layer>())

    /// The interval in seconds at which a thread that waits for a layer checks its task.
    private var checkInterval: Double { 0.05 }

    package init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    /// Returns the layer for `key`, created by `make` if it is not cached.
    ///
    /// Threads that need the same layer wait until the first one has created it, within the limits of `task`: only that
    /// thread loads fonts, of which Pango keeps a set per thread. No lock is held meanwhile.
    package func layer(
        _ key: LayerKey, task: TaskContext, _ make: () throws(MediaError) -> Layer
    ) throws(MediaError) -> Layer {
        var finding = CachedLayers<Layer>.Finding.awaited
        while case .awaited = finding {
            try task.check()
            finding = state.withLock(
                when: { !$0.making.contains(key) }, until: Clock.wall + checkInterval
            ) { $0.lookUp(key) }
        }
        if case .kept(let layer) = finding { return layer }
        defer { state.update { _ = $0.making.remove(key) } }
        let layer = try make()
        state.withLock { $0.keep(layer, for: key, limit: limit) }
        return layer
    }
}

private struct CachedLayers<Layer: CacheableLayer> {
    enum Finding {
        case kept(Layer)
        /// The calling thread creates the layer.
        case made
        /// Another thread creates the layer.
        case awaited
    }

    /// The entries, the most recently used last.
    var entries: [(key: LayerKey, layer: Layer)] = []
    /// Layers that a thread is creating.
    var making: Set<LayerKey> = []

    mutating func lookUp(_ key: LayerKey) -> Finding {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            let entry = entries.remove(at: index)
            entries.append(entry)
            return .kept(entry.layer)
        }
        return making.insert(key).inserted ? .made : .awaited
    }

    mutating func keep(_ layer: Layer, for key: LayerKey, limit: Int) {
        // A layer that would evict most others is cheaper to create again.
        guard layer.byteCount <= limit / 2 else { return }
        entries.append((key, layer))
        var bytes = entries.reduce(0) { $0 + $1.layer.byteCount }
        while bytes > limit || entries.count > 64 { bytes -= entries.removeFirst().layer.byteCount }
    }
}
