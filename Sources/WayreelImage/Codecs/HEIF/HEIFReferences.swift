internal import WayreelCore

/// References from items to others, by type: `dimg`, `thmb`, `auxl`, `cdsc`, … (the `iref` box: ISO/IEC 14496-12, section
/// 8.11.12).
struct HEIFReferences {
    /// By type, and by the item that refers to the others.
    private var targets: [String: [Int: [Int]]] = [:]
    /// By type, and by the item that is referred to.
    private var sources: [String: [Int: [Int]]] = [:]

    /// Max number of targets of all references. Real ones are items, and few items are referred to twice.
    private static let maxTargets = 4 * HEIFItem.maxCount

    init(_ box: UnsafeRawBufferPointer) {
        guard box.count >= 4 else { return }
        var remaining = Self.maxTargets
        let idBytes = box[0] == 0 ? 2 : 4
        let boxes = ISOBoxes(UnsafeRawBufferPointer(rebasing: box.dropFirst(4)))
        for box in boxes.prefix(HEIFItem.maxCount) {
            var cursor = ByteCursor(box.body)
            let from = cursor.read(idBytes)
            let count = min(cursor.read(2), box.body.count / idBytes)
            remaining -= count
            guard remaining >= 0 else { break }
            let to = (0..<count).map { _ in cursor.read(idBytes) }
            guard !cursor.isPastEnd else { continue }
            targets[box.type, default: [:]][from, default: []] += to
            for item in Set(to) { sources[box.type, default: [:]][item, default: []].append(from) }
        }
    }

    /// The targets of all references of `type`, by the item that refers to them.
    func targets(_ type: String) -> [Int: [Int]] { targets[type] ?? [:] }

    /// Returns the items that `item` refers to.
    func targets(_ type: String, of item: Int) -> [Int] { targets[type]?[item] ?? [] }

    /// Returns the items that refer to `item`.
    func sources(_ type: String, of item: Int) -> [Int] { sources[type]?[item] ?? [] }

    /// Whether a reference of `type` is to `item`.
    func hasSources(_ type: String, of item: Int) -> Bool { sources[type]?[item] != nil }

    /// Whether a reference of `type` is from `item`.
    func hasTargets(_ type: String, of item: Int) -> Bool { targets[type]?[item] != nil }
}
