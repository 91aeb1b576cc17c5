internal import HTTPTypes
internal import WayreelCore
internal import WayreelImage

extension Array {
    /// Applies the settings of a query to `base`. The last value of a repeated setting counts, unless the setting is a
    /// list.
    ///
    /// Throws a ``Problem`` for a malformed query, and a `parameter` error for an unknown name or a wrong value.
    func read<Target>(_ query: some StringProtocol, into base: Target) throws -> Target
    where Element == Setting<Target> {
        guard let fields = QueryFields(query) else {
            throw Problem.badRequest("the query is not percent-encoded UTF-8")
        }
        let location = DocumentLocation(step: "options")
        var target = base
        for field in fields {
            guard let setting = first(where: { $0.key == field.name }) else {
                throw location.unknownKey(field.name, of: map(\.key), in: "this request")
            }
            try setting.apply(YAMLNode(.scalar(field.value, isPlain: true), at: location), to: &target)
        }
        return target
    }
}
