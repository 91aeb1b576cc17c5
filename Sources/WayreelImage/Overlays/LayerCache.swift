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
    private let state: Monitor<CachedLayers<Layer>>

    /// The interval in seconds at which a thread that waits for a layer checks its task.
    private var checkInterval: Double { 0.05 }

    /// `limit`: the max total size of all layers in bytes.
    package init(limit: Int = 16 << 20) {
        // A layer that would evict most others is cheaper to create again.
        state = Monitor(
            CachedLayers(
                layers: RecentValues(maxCost: limit, maxCount: 64, maxValueCost: limit / 2, evicting: .excess)))
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
        state.withLock { $0.layers.keep(layer, cost: layer.byteCount, for: key) }
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

    var layers: RecentValues<LayerKey, Layer>
    /// Layers that a thread is creating.
    var making: Set<LayerKey> = []

    mutating func lookUp(_ key: LayerKey) -> Finding {
        if let layer = layers[key] { return .kept(layer) }
        return making.insert(key).inserted ? .made : .awaited
    }
}
