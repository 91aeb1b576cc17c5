public import WayreelCore

/// All filters.
public enum FilterCatalog {
    /// In the order of the documentation: colour, light, print, blur, detail, style, geometry.
    public static let all: [FilterDescriptor] =
        colorAdjustments + colorEffects + photoEffects + lightEffects + printScreens + blurs + details + styles
        + geometry

    /// Looks up a filter by name, ignoring case: `sepia-tone`, an alias such as `noir`, or `CISepiaTone`.
    public static func descriptor(named name: String) -> FilterDescriptor? {
        byName[plainName(name)]
    }

    /// Looks up a filter by name; throws a `parameter` error with the nearest name for an unknown filter.
    public static func requireDescriptor(named name: String) throws(MediaError) -> FilterDescriptor {
        if let found = descriptor(named: name) { return found }
        let names = all.flatMap { [$0.name] + $0.aliases + [$0.coreImageName].compactMap(\.self) }
        throw MediaError(
            .parameter, step: "filter", reason: "unknown filter '\(name)'",
            advice: nearestName(to: name, in: names).map { "did you mean '\($0)'?" } ?? "see \(.filterCatalog)")
    }

    private static let byName: [String: FilterDescriptor] = {
        var table: [String: FilterDescriptor] = [:]
        for filter in all {
            for name in [filter.name] + filter.aliases { table[plainName(name)] = filter }
            if let name = filter.coreImageName {
                table[plainName(name)] = filter
                table[name.lowercased()] = filter
            }
        }
        return table
    }()

    /// Returns the canonical form of a name: `sepia-tone`, `SepiaTone` and `CISepiaTone` are equal.
    private static func plainName(_ name: String) -> String {
        let letters = name.hasPrefix("CI") ? name.dropFirst(2) : name[...]
        return letters.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// Returns the canonical form of a key: `noise-level`, `noiseLevel` and `inputNoiseLevel` are equal.
    static func plainKey(_ key: String) -> String {
        let letters = key.hasPrefix("input") ? key.dropFirst(5) : key[...]
        return letters.lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
