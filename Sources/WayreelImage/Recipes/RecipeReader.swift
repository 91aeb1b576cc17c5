package import WayreelCore
internal import WayreelDocument

/// Parses a recipe from YAML.
enum RecipeReader {
    /// Max length of a chain of `use`.
    private static let chainLimit = 8
    private static let keys = ["name", "description", "use", "filters", "overlays", "output"]

    /// Source of a recipe.
    enum Origin: Equatable {
        case preset(String)
        case file(String)
        case text(name: String, folder: String?)

        /// Creates a preset if the name matches one, otherwise a file.
        ///
        /// Throws a `parameter` error for a name that is neither a preset nor looks like a path.
        init(_ nameOrPath: String, in folder: String? = nil, at location: DocumentLocation) throws(MediaError) {
            let isPath = nameOrPath == "-" || nameOrPath.contains("/") || nameOrPath.contains(".")
            if Presets.recipes.contains(where: { $0.key == nameOrPath }) {
                self = .preset(nameOrPath)
            } else if isPath {
                self = .file(nameOrPath.relative(to: folder))
            } else {
                throw location.fault("unknown recipe '\(nameOrPath)'", Recipe.advice(onUnknown: nameOrPath))
            }
        }

        /// Name for errors.
        var title: String {
            switch self {
            case .preset(let name), .text(let name, _): name
            case .file(let path): path == "-" ? "standard input" : path
            }
        }

        var isPreset: Bool { if case .preset = self { true } else { false } }

        /// Base of relative paths; nil for the working directory.
        var folder: String? {
            switch self {
            case .preset: nil
            case .text(_, let folder): folder
            case .file(let path): path.contains("/") ? path.folder : nil
            }
        }

        /// File name without extension.
        var name: String {
            guard case .file = self else { return title }
            return title.stem ?? "recipe"
        }

        /// Returns whether both are the same recipe: two paths may lead to one file.
        func isSame(as other: Self) -> Bool {
            if case .file(let path) = self, case .file(let otherPath) = other, let id = FileIdentity(of: path) {
                return id == FileIdentity(of: otherPath)
            }
            return self == other
        }

        func bytes(task: TaskContext) throws(MediaError) -> [UInt8] {
            switch self {
            case .preset(let name): return Presets.recipes.first { $0.key == name }?.value ?? []
            case .text: return []
            case .file(let path):
                do throws(MediaError) {
                    return try MediaBytes.read(path: path, limit: YAMLDocument.sizeLimit, task: task).array
                } catch {
                    let isEmpty = error.kind == .decoding
                    throw MediaError(
                        isEmpty ? .parameter : error.kind, step: .recipe, subject: error.subject, reason: error.reason,
                        advice: error.code == .tooManyBytes ? nil : error.advice)
                }
            }
        }
    }

    static func load(
        _ origin: Origin, after chain: [Origin] = [], task: TaskContext,
        checkUse: Recipe.UseCheck, check: Recipe.FilterCheck
    ) throws(MediaError) -> Recipe {
        try read(origin.bytes(task: task), origin: origin, after: chain, task: task, checkUse: checkUse, check: check)
    }

    /// `chain` holds the recipes that lead to this one by `use`.
    static func read(
        _ bytes: [UInt8], origin: Origin, after chain: [Origin] = [], task: TaskContext,
        checkUse: Recipe.UseCheck, check: Recipe.FilterCheck
    ) throws(MediaError) -> Recipe {
        // An untrusted recipe may name any file of the machine: errors about used files quote nothing.
        let start = DocumentLocation(.recipe, file: origin.title, isQuotable: chain.isEmpty || origin.isPreset)
        guard let root = try YAMLDocument.parse(bytes, at: start) else {
            throw start.fault("the recipe is empty", "it takes \(keys.joined(separator: ", "))")
        }
        guard let fields = root.fields else {
            // The file may be any other than a recipe: nothing of it is quoted.
            throw root.location.fault("a recipe is a mapping with the keys \(keys.alternatives), not \(root.kind)")
        }
        if let stranger = fields.first(where: { !keys.contains($0.key) }) {
            throw stranger.keyLocation.unknownKey(stranger.key, of: keys, in: "a recipe")
        }
        func node(_ key: String) -> YAMLNode? { fields.first { $0.key == key }?.value }

        var recipe = Recipe()
        if let used = node("use") {
            recipe = try base(used, of: origin, after: chain, task: task, checkUse: checkUse, check: check)
        }
        recipe.name = try text(node("name")) ?? origin.name
        recipe.summary = try text(node("description")) ?? recipe.summary
        for item in try items(node("filters"), of: "filters") {
            recipe.filters.append(try filter(item, folder: origin.folder, check: check))
        }
        for item in try items(node("overlays"), of: "overlays") {
            recipe.overlays.append(try overlay(item, folder: origin.folder))
        }
        if let output = node("output"), !output.isNull {
            guard let fields = output.fields else {
                throw output.location.fault("'output' takes a mapping such as {format: webp}, not \(output.shown)")
            }
            try RecipeOutput.settings.apply(fields, to: &recipe.output, called: "output")
        }
        return recipe
    }

    private static func base(
        _ node: YAMLNode, of origin: Origin, after chain: [Origin], task: TaskContext,
        checkUse: Recipe.UseCheck, check: Recipe.FilterCheck
    ) throws(MediaError) -> Recipe {
        guard let name = node.text, !node.isNull else {
            throw node.location.fault("'use' takes a preset's name or the path of a recipe, not \(node.shown)")
        }
        let used = try Origin(name, in: origin.folder, at: node.location)
        guard used != .file("-") else { throw node.location.fault("'use' cannot read standard input", quotes: false) }
        let chain = chain + [origin]
        if let first = chain.firstIndex(where: { $0.isSame(as: used) }) {
            let names = (chain[first...] + [used]).map(\.title)
            throw node.location.fault(
                "circular use of recipes: \(names.joined(separator: " → "))", quotes: false)
        }
        guard chain.count < chainLimit else {
            throw node.location.fault("a chain of more than \(chainLimit) recipes", quotes: false)
        }
        if case .file(let path) = used {
            do throws(MediaError) { try checkUse(path) } catch { throw node.location.fault(from: error) }
        }
        do throws(MediaError) {
            if case .file(let path) = used { try RegularFile.require(path, step: .recipe) }
            return try load(used, after: chain, task: task, checkUse: checkUse, check: check)
        } catch {
            throw error.kind == .io ? node.location.fault(from: error) : error
        }
    }

    private static func filter(
        _ item: YAMLNode, folder: String?, check: Recipe.FilterCheck
    ) throws(MediaError) -> Filter {
        let filter: Filter
        if let text = item.text, !item.isNull {
            filter = try Filter(parsing: text, at: item.location)
        } else if let field = item.fields?.first, item.fields?.count == 1 {
            filter = try Filter(field)
        } else {
            let advice: MediaError.Advice? =
                (item.fields?.count ?? 0) > 1 ? "start each filter with '- ' and indent its parameters further" : nil
            throw item.location.fault(
                "a filter is a name, or a name and its parameters as in 'sepia-tone: {intensity: 0.6}', not \(item.shown)",
                advice)
        }
        do throws(MediaError) {
            return try check(filter, folder)
        } catch {
            throw item.location.fault(from: error)
        }
    }

    private static func overlay(_ item: YAMLNode, folder: String?) throws(MediaError) -> Overlay {
        let kinds = ["image", "text"]
        let fields = item.fields ?? []
        let heads = fields.filter { kinds.contains($0.key) }
        guard let head = heads.first, heads.count == 1 else {
            if heads.isEmpty, let typo = fields.first(where: { nearestName(to: $0.key, in: kinds) != nil }) {
                throw typo.keyLocation.unknownKey(typo.key, of: kinds, in: "an overlay")
            }
            throw item.location.fault(
                "an overlay has one of 'text: …' and 'image: …'\(item.fields == nil ? ", this is \(item.shown)" : "")")
        }
        guard let value = head.value.text, !head.value.isNull, !value.isEmpty else {
            let what = head.key == "text" ? "the text to draw" : "the path of an image"
            throw head.value.location.fault(
                "'\(head.key)' takes \(what), not \(head.value.shown)", head.value.quotingAdvice)
        }
        let rest = fields.filter { $0.key != head.key }
        if head.key == "text" {
            var overlay = TextOverlay(value)
            try TextOverlay.settings.apply(rest, to: &overlay, called: "a text overlay")
            return .text(overlay)
        }
        var overlay = ImageOverlay(path: value.relative(to: folder))
        try ImageOverlay.settings.apply(rest, to: &overlay, called: "an image overlay")
        return .image(overlay)
    }

    private static func text(_ node: YAMLNode?) throws(MediaError) -> String? {
        guard let node else { return nil }
        guard let text = node.text else { throw node.location.fault("a line of text is expected, not \(node.shown)") }
        return text
    }

    private static func items(_ node: YAMLNode?, of key: String) throws(MediaError) -> [YAMLNode] {
        guard let node, !node.isNull else { return [] }
        guard let items = node.items else {
            throw node.location.fault("'\(key)' takes a list, not \(node.shown)", "start each item with '- '")
        }
        return items
    }
}

extension Filter {
    /// Creates a filter with parameters: `sepia-tone: {intensity: 0.6}`.
    fileprivate init(_ field: YAMLNode.Field) throws(MediaError) {
        self.init(field.key)
        guard !field.value.isNull else { return }
        guard let fields = field.value.fields else {
            throw field.value.location.fault(
                "'\(field.key)' takes its parameters by name, as in {intensity: 0.6}, not \(field.value.shown)")
        }
        for parameter in fields { arguments[parameter.key] = try FilterArgument(parameter) }
    }
}

extension FilterArgument {
    fileprivate init(_ field: YAMLNode.Field) throws(MediaError) {
        switch field.value.content {
        case .scalar(let text, let isPlain) where !field.value.isNull:
            self = isPlain ? FilterArgument(plain: text) : .text(text)
        case .sequence(let items):
            let parts = items.compactMap(\.text)
            guard !parts.isEmpty, parts.count == items.count else { fallthrough }
            self = FilterArgument(parts: parts)
        default:
            throw field.value.location.fault(
                "'\(field.key)' takes a number, a text or a list of numbers, not \(field.value.shown)",
                field.value.quotingAdvice)
        }
    }
}

extension String {
    /// Returns the path relative to `folder` unless it is absolute; `folder` is nil for the working directory.
    func relative(to folder: String?) -> String {
        guard let folder, !folder.isEmpty, !hasPrefix("/"), self != "-" else { return self }
        return folder.hasSuffix("/") ? folder + self : folder + "/" + self
    }
}

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
        _ = try FilterCatalog.requireDescriptor(named: filter.name)
        return filter.renamingFiles { $0.relative(to: folder) }
    }
}
