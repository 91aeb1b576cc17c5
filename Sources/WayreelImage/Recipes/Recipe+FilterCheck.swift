package import WayreelCore

extension Recipe {
    /// Checks a filter's name and arguments, and reads the files that they name. Relative paths start at `folder`.
    package static func checkFilter(
        _ filter: Filter, _ folder: String?, _ task: TaskContext
    ) throws(MediaError) -> Filter {
        let found = try located(filter, folder)
        _ = try FilterChain([found], task: task)
        return found
    }

    /// Returns a filter with the paths of its files joined to `folder`; opens no file.
    package static func located(_ filter: Filter, _ folder: String?) throws(MediaError) -> Filter {
        let descriptor = try FilterCatalog.requireDescriptor(named: filter.name)
        var found = filter
        for parameter in descriptor.parameters where parameter.kind == .file {
            for (key, value) in filter.arguments
            where FilterCatalog.plainKey(key) == FilterCatalog.plainKey(parameter.key) {
                if case .text(let path) = value { found.arguments[key] = .text(path.relative(to: folder)) }
            }
        }
        return found
    }
}
