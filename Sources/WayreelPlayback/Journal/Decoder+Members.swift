extension Decoder {
    /// Throws if the JSON object has a member with another name. What is ignored would be lost.
    func refuseMembers(except names: [String]) throws {
        let container = try container(keyedBy: AnyName.self)
        guard let other = container.allKeys.map(\.stringValue).sorted().first(where: { !names.contains($0) }) else {
            return
        }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "has the unknown key '\(other.prefix(100))'; known are \(names.joined(separator: ", "))"))
    }
}

private struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
