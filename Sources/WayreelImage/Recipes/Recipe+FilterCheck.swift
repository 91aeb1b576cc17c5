internal import WayreelCore

extension Recipe {
    /// Checks a filter's name and arguments, and reads the files they name relative to `folder`.
    static func checkFilter(_ filter: Filter, _ folder: String?, _ watch: TaskWatch) throws(MediaError) -> Filter {
        let descriptor = try FilterCatalog.requireDescriptor(named: filter.name)
        var found = filter
        for parameter in descriptor.parameters where parameter.kind == .file {
            for (key, value) in filter.arguments
            where FilterCatalog.plainKey(key) == FilterCatalog.plainKey(parameter.key) {
                if case .text(let path) = value { found.arguments[key] = .text(path.relative(to: folder)) }
            }
        }
        _ = try FilterChain([found], watch: watch)
        return found
    }
}
