public import WayreelCore

/// Every filter there is.
public enum FilterCatalog {
    /// In the order of the documentation: colour first, then light, print, blur, detail, style and geometry.
    public static let all: [FilterDescriptor] =
        colorAdjustments + colorEffects + photoEffects + lightEffects + printScreens + blurs + details + styles
        + geometry

    /// The filter of that name (`sepia-tone`, an alias such as `noir`, or `CISepiaTone`), regardless of case.
    public static func descriptor(named name: String) -> FilterDescriptor? {
        byName[plainName(name)]
    }

    /// The same; throws a `parameter` error that suggests the nearest name where there is no such filter.
    public static func requireDescriptor(named name: String) throws(MediaError) -> FilterDescriptor {
        if let found = descriptor(named: name) { return found }
        let names = all.flatMap { [$0.name] + $0.aliases + [$0.coreImageName].compactMap(\.self) }
        throw MediaError(
            .parameter, step: "filter", reason: "there is no filter '\(name)'",
            advice: nearestName(to: name, in: names).map { "did you mean '\($0)'?" } ?? "see 'wayreel filters'")
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

    /// `sepia-tone`, `SepiaTone` and `CISepiaTone` are one name.
    private static func plainName(_ name: String) -> String {
        let letters = name.hasPrefix("CI") ? name.dropFirst(2) : name[...]
        return letters.lowercased().filter { $0 != "-" && $0 != "_" }
    }

    /// `noise-level`, `noiseLevel` and `inputNoiseLevel` are one key.
    static func plainKey(_ key: String) -> String {
        let letters = key.hasPrefix("input") ? key.dropFirst(5) : key[...]
        return letters.lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
