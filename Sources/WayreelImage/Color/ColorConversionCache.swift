internal import Synchronization
internal import WayreelCore

/// Recently used conversions: images of a batch share profiles, and a conversion takes milliseconds to build.
final class ColorConversionCache: Sendable {
    static let shared = ColorConversionCache()

    /// Max number of entries.
    private static let capacity = 8
    /// Max total profile size in bytes; a larger profile is not cached.
    private static let byteCapacity = 32 << 20

    /// Most recent first.
    private let entries = Mutex<[(source: ColorConversion.Source, conversion: ColorConversion)]>([])

    /// Throws an `io` error if Little CMS is needed but not installed.
    func conversion(for header: ImageHeader) throws(MediaError) -> ColorConversion {
        let source = ColorConversion.Source(header)
        if let known = find(source) { return known }
        // Built outside the lock: two threads may build the same conversion, but none waits.
        let conversion = try ColorConversion(source)
        entries.withLock { entries in
            guard !entries.contains(where: { $0.source == source }) else { return }
            entries.insert((source, conversion), at: 0)
            var bytes = 0
            entries = entries.prefix(Self.capacity).filter { entry in
                bytes += entry.source.color.byteCount
                return bytes <= Self.byteCapacity
            }
        }
        return conversion
    }

    private func find(_ source: ColorConversion.Source) -> ColorConversion? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.source == source }) else { return nil }
            let entry = entries.remove(at: index)
            entries.insert(entry, at: 0)
            return entry.conversion
        }
    }
}

extension SourceColor {
    fileprivate var byteCount: Int {
        if case .profile(let bytes) = self { bytes.count } else { 0 }
    }
}
