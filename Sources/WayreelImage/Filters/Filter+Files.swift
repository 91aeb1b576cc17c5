extension Filter {
    /// Paths of the files that its arguments name.
    package var files: [String] {
        let parameters = FilterCatalog.descriptor(named: name)?.parameters.filter { $0.kind == .file } ?? []
        let keys = Set(parameters.map { FilterCatalog.plainKey($0.key) })
        return arguments.sorted { $0.key < $1.key }.compactMap { key, value in
            guard keys.contains(FilterCatalog.plainKey(key)), case .text(let path) = value else { return nil }
            return path
        }
    }
}
