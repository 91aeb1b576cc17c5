package import WayreelCore

extension Recipe {
    /// Checks a filter's name and arguments, and reads the files that they name, which are looked for from `folder`.
    package static func checkFilter(
        _ filter: Filter, _ folder: String?, _ task: TaskContext
    ) throws(MediaError) -> Filter {
        let descriptor = try FilterCatalog.requireDescriptor(named: filter.name)
        var found = filter
        for parameter in descriptor.parameters where parameter.kind == .file {
            for (key, value) in filter.arguments
            where FilterCatalog.plainKey(key) == FilterCatalog.plainKey(parameter.key) {
                if case .text(let path) = value { found.arguments[key] = .text(path.relative(to: folder)) }
            }
        }
        _ = try FilterChain([found], task: task)
        return found
    }
}
