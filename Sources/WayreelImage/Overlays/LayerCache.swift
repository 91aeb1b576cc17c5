internal import WayreelCore

/// Recently used layers, bounded by size.
struct LayerCache {
    struct Key: Hashable {
        var overlay: Int
        var size: PixelSize
    }

    /// Max total size in bytes.
    private let limit: Int
    /// Most recently used last.
    private var entries: [(key: Key, layer: OverlayLayer)] = []

    init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    subscript(key: Key) -> OverlayLayer? {
        mutating get {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.layer
        }
        set {
            entries.removeAll { $0.key == key }
            // A layer that would evict most others is cheaper to recreate.
            guard let newValue, newValue.byteCount <= limit / 2 else { return }
            entries.append((key, newValue))
            var bytes = entries.reduce(0) { $0 + $1.layer.byteCount }
            while bytes > limit || entries.count > 64 {
                bytes -= entries.removeFirst().layer.byteCount
            }
        }
    }
}
