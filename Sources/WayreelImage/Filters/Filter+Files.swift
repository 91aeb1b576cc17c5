extension Filter {
    /// Paths of the files that its arguments name.
    package var files: [String] {
        fileArguments.compactMap { _, value in if case .text(let path) = value { path } else { nil } }
    }

    /// Returns the filter with each path of a file replaced.
    package func renamingFiles(_ rename: (String) -> String) -> Filter {
        var filter = self
        for (key, value) in fileArguments {
            if case .text(let path) = value { filter.arguments[key] = .text(rename(path)) }
        }
        return filter
    }

    /// The arguments that name files, in the order of their keys.
    private var fileArguments: [(key: String, value: FilterArgument)] {
        let parameters = FilterCatalog.descriptor(named: name)?.parameters.filter { $0.kind == .file } ?? []
        let keys = Set(parameters.map { FilterCatalog.plainKey($0.key) })
        return arguments.sorted { $0.key < $1.key }.filter { keys.contains(FilterCatalog.plainKey($0.key)) }
    }
}

extension Overlay {
    /// Returns the overlay with the path of its image replaced.
    package func renamingFile(_ rename: (String) -> String) -> Overlay {
        guard case .image(var image) = self else { return self }
        image.path = rename(image.path)
        return .image(image)
    }
}

extension [Overlay] {
    /// The paths of its images.
    package var imagePaths: [String] {
        compactMap { if case .image(let image) = $0 { image.path } else { nil } }
    }
}
