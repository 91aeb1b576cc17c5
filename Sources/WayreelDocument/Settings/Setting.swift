public import WayreelCore

/// A key that a recipe, or a `key=value` on the command line, may set on a `Target`.
///
/// Keys of overlays and outputs are tables of these.
package struct Setting<Target>: Sendable {
    package let key: String
    /// Description of the value: `a number from 0 to 1`.
    package let expectation: String
    /// The accepted values, as far as they can be described to a program.
    package let values: SettingValues
    /// Accepted keywords, for suggestions.
    package let keywords: @Sendable () -> [String]
    /// Sets the value and returns true, or returns false for an invalid value.
    fileprivate let set: @Sendable (YAMLNode, inout Target) throws(MediaError) -> Bool

    package init(
        _ key: String, _ expectation: String, values: SettingValues = .text,
        keywords: @escaping @Sendable () -> [String] = { [] },
        set: @escaping @Sendable (YAMLNode, inout Target) throws(MediaError) -> Bool
    ) {
        self.key = key
        self.expectation = expectation
        self.values = values
        self.keywords = keywords
        self.set = set
    }

    /// Stores a parsed value in the target.
    package typealias Store<Value> = @Sendable (inout Target, Value) -> Void

    /// Returns a setting with a single text value parsed by `read`.
    package static func value<Value>(
        _ key: String, _ expectation: String, values: SettingValues = .text,
        keywords: @escaping @Sendable () -> [String] = { [] }, read: @escaping @Sendable (String) -> Value?,
        store: @escaping Store<Value>
    ) -> Setting {
        Setting(key, expectation, values: values, keywords: keywords) { node, target in
            guard !node.isNull, let text = node.text, let value = read(text) else { return false }
            store(&target, value)
            return true
        }
    }

    package static func text(_ key: String, _ expectation: String, store: @escaping Store<String>) -> Setting {
        .value(key, expectation, read: { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }, store: store)
    }

    package static func number(
        _ key: String, _ range: ClosedRange<Double>, unit: String = "", store: @escaping Store<Double>
    ) -> Setting {
        let bounds = "\(range.lowerBound.shortDescription) to \(range.upperBound.shortDescription)"
        return .value(
            key, "a number from \(bounds)\(unit)", values: .number(range),
            read: { Double($0).flatMap { range.contains($0) ? $0 : nil } }, store: store)
    }

    /// Returns a setting for a length, which may be negative if `isSigned` is true.
    package static func length(_ key: String, isSigned: Bool = false, store: @escaping Store<Length>) -> Setting {
        .value(
            key,
            "a length\(isSigned ? "" : " of at least 0"): pixels such as 12, or a percentage of the shorter side such as 4%",
            read: { Length($0).flatMap { $0.isDrawable(isSigned) ? $0 : nil } }, store: store)
    }

    package static func color(_ key: String, store: @escaping Store<RGBColor>) -> Setting {
        Setting(
            key, "a colour: #rgb, #rrggbb, #rrggbbaa, or a name such as white",
            keywords: { RGBColor.names.keys.sorted() }
        ) { node, target in
            let text = node.items?.map { $0.text ?? "" }.joined(separator: ",") ?? node.text ?? ""
            guard let color = RGBColor(text) else { return false }
            store(&target, color)
            return true
        }
    }

    package static func flag(_ key: String, store: @escaping Store<Bool>) -> Setting {
        let truth = ["true": true, "yes": true, "false": false, "no": false]
        return .value(key, "true or false", values: .boolean, read: { truth[$0.lowercased()] }, store: store)
    }

    package static func choice<Value: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ key: String, _ type: Value.Type, store: @escaping Store<Value>
    ) -> Setting {
        let keywords = Value.allCases.map(\.rawValue)
        return .value(
            key, keywords.alternatives, values: .choice(keywords), keywords: { keywords },
            read: { Value(rawValue: $0) }, store: store)
    }

    /// Settings of an optional part, initially `part`: a mapping of them, or their values separated by slashes in table
    /// order (`#000/2`).
    package static func group<Part: Sendable>(
        _ key: String, _ part: Part, _ settings: [Setting<Part>], store: @escaping Store<Part>
    ) -> Setting {
        let keys = settings.map(\.key).joined(separator: "/")
        return Setting(key, "\(keys), or a mapping of those") { (node, target) throws(MediaError) in
            var value = part
            if let fields = node.fields {
                try settings.apply(fields, to: &value, called: key, in: key)
            } else {
                guard let text = node.text, !node.isNull else { return false }
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                guard parts.count <= settings.count else { return false }
                for (setting, text) in zip(settings, parts) {
                    try setting.apply(
                        YAMLNode(.scalar(String(text), isPlain: true), at: node.location), to: &value, in: key)
                }
            }
            store(&target, value)
            return true
        }
    }

    /// Sets the value; throws a `parameter` error with the expected value otherwise. `owner` is the group that contains
    /// the setting.
    package func apply(_ node: YAMLNode, to target: inout Target, in owner: String? = nil) throws(MediaError) {
        guard try !set(node, &target) else { return }
        let near: MediaError.Advice? = node.text.flatMap { nearestName(to: $0, in: keywords()) }.map {
            "did you mean '\($0)'?"
        }
        let name = owner.map { "\($0): " } ?? ""
        throw node.location.fault(
            "\(name)'\(key)' takes \(expectation), not \(node.shown)", near ?? node.quotingAdvice)
    }
}

/// The values that a setting accepts.
package enum SettingValues: Hashable, Sendable {
    /// Any text; ``Setting/expectation`` says more.
    case text
    /// `true` or `false`.
    case boolean
    case choice([String])
    case number(ClosedRange<Double>)
    case integer(ClosedRange<Int>)
}

extension Array {
    /// Applies each field in table order, so that `margin-x` overrides `margin` regardless of their order in the file.
    /// Throws a `parameter` error with the nearest name for an unknown key.
    package func apply<Target>(
        _ fields: [YAMLNode.Field], to target: inout Target, called name: String, in owner: String? = nil
    ) throws(MediaError) where Element == Setting<Target> {
        for field in fields where !contains(where: { $0.key == field.key }) {
            throw field.keyLocation.unknownKey(field.key, of: map(\.key), in: name)
        }
        for setting in self {
            guard let field = fields.first(where: { $0.key == setting.key }) else { continue }
            try setting.apply(field.value, to: &target, in: owner)
        }
    }
}

extension DocumentLocation {
    package func unknownKey(_ key: String, of keys: [String], in name: String) -> MediaError {
        fault(
            "unknown key '\(key)'",
            nearestName(to: key, in: keys).map { "did you mean '\($0)'?" }
                ?? "\(name) takes \(keys.joined(separator: ", "))")
    }
}

extension Length {
    /// Returns whether the length is drawable: within range, and not negative unless allowed.
    fileprivate func isDrawable(_ isSigned: Bool) -> Bool {
        let (value, limit) =
            switch self {
            case .pixels(let pixels): (pixels, 1_000_000.0)
            case .percent(let percent): (percent, 10_000.0)
            }
        return value.magnitude <= limit && (isSigned || value >= 0)
    }
}

/// The source location of a value, for errors.
package struct DocumentLocation: Hashable, Sendable {
    /// What is being read: a kind of document, or of argument.
    package enum Kind: String, CaseIterable, Sendable {
        case recipe, story, answers, settings
        case filter, overlay, text, options

        /// The step of errors, which has the same name.
        package var step: MediaError.Step { MediaError.Step(rawValue: rawValue) }
    }

    package var kind: Kind
    /// The file; nil for a value from a command line or program.
    package var file: String?
    /// Line number from 1; 0 without a file.
    package var line = 0
    package var column = 0
    /// Whether errors may quote the source.
    package var isQuotable = true

    package init(_ kind: Kind, file: String? = nil, line: Int = 0, column: Int = 0, isQuotable: Bool = true) {
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.isQuotable = isQuotable
    }

    /// `old-postcard.yml:7`.
    package var subject: String? { file.map { line > 0 ? "\($0):\(line)" : $0 } }

    /// Returns an error at this location. Quotes may be as long as the file: a very long reason is shortened in the
    /// middle. `quotes` is true if the reason quotes the file, apart from paths.
    package func fault(
        _ reason: String, _ advice: MediaError.Advice? = nil, kind errorKind: MediaError.Kind = .parameter,
        quotes: Bool = true
    ) -> MediaError {
        let step = kind.step
        guard isQuotable || !quotes || errorKind != .parameter else {
            return MediaError(
                errorKind, step: step, subject: subject, reason: "invalid \(step) content",
                advice: kind.adviceOnHiddenContent)
        }
        let short = reason.utf8.count > 800 ? "\(reason.prefix(300)) … \(reason.suffix(100))" : reason
        return MediaError(errorKind, step: step, subject: subject, reason: short, advice: advice)
    }

    /// Moves an error to this location.
    package func fault(from error: MediaError) -> MediaError {
        let reason = [error.subject, error.reason].compactMap(\.self).joined(separator: ": ")
        return fault(reason, error.advice, kind: error.kind)
    }
}

extension DocumentLocation.Kind {
    /// The kind as a part of a sentence: `a recipe`.
    package var noun: String {
        switch self {
        case .answers, .settings, .options: rawValue
        case .overlay: "an overlay"
        case .recipe, .story, .filter, .text: "a \(rawValue)"
        }
    }

    /// How to see an error in a document that errors may not quote.
    fileprivate var adviceOnHiddenContent: MediaError.Advice? {
        guard self == .recipe else { return nil }
        return "for details, pass the file itself to \(.recipe)"
    }
}

/// The syntax of nested options: `intensity=0.8,radius=4%`.
///
/// Commas separate items and the first `=` ends a key; a backslash escapes a comma or backslash. A bare key means
/// `true` if the caller allows it.
package enum KeyValueList {
    /// Throws a `parameter` error for a missing key, a missing value, or a repeated key.
    package static func parse(
        _ text: some StringProtocol, allowsBareKeys: Bool, at location: DocumentLocation
    ) throws(MediaError) -> [YAMLNode.Field] {
        guard !text.utf8.contains(0) else { throw location.fault("an argument may not hold a NUL character") }
        var fields: [YAMLNode.Field] = []
        var keys: Set<String> = []
        for item in split(text) {
            let equals = item.firstIndex(of: "=")
            let key = item[..<(equals ?? item.endIndex)].trimmed { $0 == " " }
            guard !key.isEmpty, equals != nil || allowsBareKeys else {
                throw location.fault("'\(item)' is not key=value", item.isEmpty ? "an item is missing at a comma" : nil)
            }
            guard keys.insert(key).inserted else { throw location.fault("'\(key)' is given twice") }
            let value = equals.map { item[item.index(after: $0)...].trimmed { $0 == " " } } ?? "true"
            guard !value.isEmpty else { throw location.fault("'\(key)' has no value", "write \(key)=value") }
            fields.append(
                YAMLNode.Field(
                    key: key, keyLocation: location, value: YAMLNode(.scalar(value, isPlain: true), at: location)))
        }
        return fields
    }

    /// Escapes `text` for use as a value.
    package static func escape(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "," || $1 == "\\" ? "\\\($1)" : String($1) }
    }

    private static func split(_ text: some StringProtocol) -> [String] {
        var items = [""]
        var isEscaped = false
        for character in text {
            if isEscaped {
                items[items.count - 1] += character == "," || character == "\\" ? String(character) : "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," {
                items.append("")
            } else {
                items[items.count - 1].append(character)
            }
        }
        if isEscaped { items[items.count - 1].append("\\") }
        return items
    }
}

extension MediaError.Step {
    public static let recipe = MediaError.Step(rawValue: "recipe")
    public static let answers = MediaError.Step(rawValue: "answers")
    public static let settings = MediaError.Step(rawValue: "settings")
    public static let options = MediaError.Step(rawValue: "options")
}

extension OptionName {
    public static let recipe = OptionName(rawValue: "a Recipe")

    /// All of this module.
    package static let ofDocument: [OptionName] = [.recipe]
}
