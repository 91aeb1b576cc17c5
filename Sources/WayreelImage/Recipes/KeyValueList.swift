internal import WayreelCore

/// The grammar of options that hold options: `intensity=0.8,radius=4%`.
///
/// Commas part the items and the first `=` of an item ends its key; a backslash takes away the meaning of the comma or
/// backslash after it. A bare key is `true`, where the caller allows that.
enum KeyValueList {
    /// Throws a `parameter` error for an item without a key, a key without a value, or a key given twice.
    static func parse(
        _ text: some StringProtocol, allowsBareKeys: Bool, at place: SourcePlace
    ) throws(MediaError) -> [YAMLNode.Field] {
        guard !text.utf8.contains(0) else { throw place.fault("an argument may not hold a NUL character") }
        var fields: [YAMLNode.Field] = []
        var keys: Set<String> = []
        for item in split(text) {
            let equals = item.firstIndex(of: "=")
            let key = item[..<(equals ?? item.endIndex)].trimmed
            guard !key.isEmpty, equals != nil || allowsBareKeys else {
                throw place.fault("'\(item)' is not key=value", item.isEmpty ? "an item is missing at a comma" : nil)
            }
            guard keys.insert(key).inserted else { throw place.fault("'\(key)' is given twice") }
            let value = equals.map { item[item.index(after: $0)...].trimmed } ?? "true"
            guard !value.isEmpty else { throw place.fault("'\(key)' has no value", "write \(key)=value") }
            fields.append(
                YAMLNode.Field(
                    key: key, keyPlace: place, value: YAMLNode(.scalar(value, isPlain: true), at: place)))
        }
        return fields
    }

    /// `text` with what has a meaning in a list taken literally.
    static func escape(_ text: String) -> String {
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

extension StringProtocol {
    /// Without the blanks at both ends.
    var trimmed: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
