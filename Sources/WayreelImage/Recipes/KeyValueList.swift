internal import WayreelCore

/// The syntax of nested options: `intensity=0.8,radius=4%`.
///
/// Commas separate items and the first `=` ends a key; a backslash escapes a comma or backslash. A bare key means
/// `true` if the caller allows it.
enum KeyValueList {
    /// Throws a `parameter` error for a missing key, a missing value, or a repeated key.
    static func parse(
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
