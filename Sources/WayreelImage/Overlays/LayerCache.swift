internal import WayreelCore

/// The layers used last, up to a number of bytes.
struct LayerCache {
    struct Key: Hashable {
        var overlay: Int
        var size: PixelSize
    }

    /// What all layers together may hold.
    private let limit: Int
    /// The one used last is at the end.
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
            // A layer that would push out most others is cheaper to make again.
            guard let newValue, newValue.byteCount <= limit / 2 else { return }
            entries.append((key, newValue))
            var bytes = entries.reduce(0) { $0 + $1.layer.byteCount }
            while bytes > limit || entries.count > 64 {
                bytes -= entries.removeFirst().layer.byteCount
            }
        }
    }
}
