package import WayreelCore

/// One key that a recipe, or a `key=value` of the command line, may set on a `Target`.
///
/// What can be set on an overlay or an output is one table of these, for both.
package struct Setting<Target>: Sendable {
    package let key: String
    /// What it takes, in words: `a number from 0 to 1`.
    package let expectation: String
    /// The words it takes, where there are such, to suggest the nearest from.
    fileprivate let words: @Sendable () -> [String]
    /// Sets the value and returns true, or returns false where it is not what is expected.
    fileprivate let set: @Sendable (YAMLNode, inout Target) throws(MediaError) -> Bool

    package init(
        _ key: String, _ expectation: String, words: @escaping @Sendable () -> [String] = { [] },
        set: @escaping @Sendable (YAMLNode, inout Target) throws(MediaError) -> Bool
    ) {
        self.key = key
        self.expectation = expectation
        self.words = words
        self.set = set
    }
}

/// The path of a property that may be used on any thread.
package typealias SettingPath<Target, Value> = WritableKeyPath<Target, Value> & Sendable

extension Setting {
    /// A setting whose value is a single text that `read` understands.
    package static func value<Value>(
        _ key: String, _ expectation: String, _ path: any SettingPath<Target, Value>,
        words: @escaping @Sendable () -> [String] = { [] }, read: @escaping @Sendable (String) -> Value?
    ) -> Setting {
        Setting(key, expectation, words: words) { node, target in
            guard !node.isNothing, let text = node.text, let value = read(text) else { return false }
            target[keyPath: path] = value
            return true
        }
    }

    package static func text(_ key: String, _ expectation: String, _ path: any SettingPath<Target, String>) -> Setting {
        .value(key, expectation, path) { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
    }

    package static func number(
        _ key: String, _ range: ClosedRange<Double>, unit: String = "", _ path: any SettingPath<Target, Double>
    ) -> Setting {
        let bounds = "\(range.lowerBound.shortDescription) to \(range.upperBound.shortDescription)"
        return .value(key, "a number from \(bounds)\(unit)", path) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package static func length(_ key: String, isSigned: Bool = false, _ path: any SettingPath<Target, Length>)
        -> Setting
    {
        .value(key, lengthExpectation(isSigned), path) { Length($0).flatMap { $0.isUsable(isSigned) ? $0 : nil } }
    }

    package static func length(_ key: String, isSigned: Bool = false, _ path: any SettingPath<Target, Length?>)
        -> Setting
    {
        .value(key, lengthExpectation(isSigned), path) { Length($0).flatMap { $0.isUsable(isSigned) ? $0 : nil } }
    }

    private static func lengthExpectation(_ isSigned: Bool) -> String {
        "a length\(isSigned ? "" : " from 0 up"): pixels such as 12, or a share of the shorter side such as 4%"
    }

    package static func color(_ key: String, _ path: any SettingPath<Target, RGBColor>) -> Setting {
        Setting(
            key, "a colour: #rgb, #rrggbb, #rrggbbaa, or a name such as white", words: { RGBColor.names.keys.sorted() }
        ) { node, target in
            let text = node.items?.map { $0.text ?? "" }.joined(separator: ",") ?? node.text ?? ""
            guard let color = RGBColor(text) else { return false }
            target[keyPath: path] = color
            return true
        }
    }

    /// True or false; on the command line the bare key is true.
    package static func flag(_ key: String, _ path: any SettingPath<Target, Bool>) -> Setting {
        .value(key, "true or false", path) { truth[$0.lowercased()] }
    }

    package static func flag(_ key: String, _ path: any SettingPath<Target, Bool?>) -> Setting {
        .value(key, "true or false", path) { truth[$0.lowercased()] }
    }

    private static var truth: [String: Bool] { ["true": true, "yes": true, "false": false, "no": false] }

    package static func choice<Value: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ key: String, _ path: any SettingPath<Target, Value>
    ) -> Setting {
        let words = Value.allCases.map(\.rawValue)
        return .value(key, words.alternatives, path, words: { words }) { Value(rawValue: $0) }
    }

    package static func choice<Value: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ key: String, _ path: any SettingPath<Target, Value?>
    ) -> Setting {
        let words = Value.allCases.map(\.rawValue)
        return .value(key, words.alternatives, path, words: { words }) { Value(rawValue: $0) }
    }

    /// Settings of a part that may be absent: a mapping, or its values in the table's order between slashes (`#000/2`).
    package static func group<Part>(
        _ key: String, _ path: any SettingPath<Target, Part?>,
        default part: @escaping @Sendable @autoclosure () -> Part,
        _ settings: [Setting<Part>]
    ) -> Setting {
        let keys = settings.map(\.key)
        let expectation = "\(keys.joined(separator: "/")), or a mapping of those"
        return Setting(key, expectation) { (node, target) throws(MediaError) in
            var value = target[keyPath: path] ?? part()
            if let fields = node.fields {
                try settings.apply(fields, to: &value, called: key)
            } else {
                guard let text = node.text, !node.isNothing else { return false }
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                guard parts.count <= settings.count else { return false }
                for (setting, text) in zip(settings, parts) {
                    let node = YAMLNode(.scalar(String(text), isPlain: true), at: node.place)
                    try setting.apply(node, to: &value, calledIn: key)
                }
            }
            target[keyPath: path] = value
            return true
        }
    }

    /// Sets the value; throws a `parameter` error that says what is expected where it is something else.
    package func apply(_ node: YAMLNode, to target: inout Target, calledIn owner: String? = nil) throws(MediaError) {
        guard try !set(node, &target) else { return }
        let near = node.text.flatMap { nearestName(to: $0, in: words()) }
        let name = owner.map { "\($0): " } ?? ""
        throw node.place.fault(
            "\(name)'\(key)' takes \(expectation), not \(node.shown)", near.map { "did you mean '\($0)'?" })
    }
}

extension Array {
    /// Applies each field by the setting of its name; throws a `parameter` error with the nearest name for an unknown key.
    package func apply<Target>(
        _ fields: [YAMLNode.Field], to target: inout Target, called name: String
    ) throws(MediaError) where Element == Setting<Target> {
        for field in fields {
            guard let setting = first(where: { $0.key == field.key }) else {
                throw field.keyPlace.unknownKey(field.key, of: map(\.key), in: name)
            }
            try setting.apply(field.value, to: &target)
        }
    }
}

extension SourcePlace {
    package func unknownKey(_ key: String, of keys: [String], in name: String) -> MediaError {
        fault(
            "unknown key '\(key)'",
            nearestName(to: key, in: keys).map { "did you mean '\($0)'?" }
                ?? "\(name) takes \(keys.joined(separator: ", "))")
    }
}

extension [String] {
    /// `a, b or c`.
    package var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}

extension Length {
    /// Whether it can be drawn with: not beyond any picture, and not negative unless it may be.
    fileprivate func isUsable(_ mayBeNegative: Bool) -> Bool {
        let (value, most) =
            switch self {
            case .pixels(let pixels): (pixels, 1_000_000.0)
            case .percent(let percent): (percent, 10_000.0)
            }
        return value.magnitude <= most && (mayBeNegative || value >= 0)
    }
}
