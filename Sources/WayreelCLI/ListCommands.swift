internal import ArgumentParser
internal import WayreelMedia

struct FiltersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filters",
        abstract: "Lists the filters, or describes one.",
        discussion: """
            wayreel filters
            wayreel filters noir
            wayreel filters CISepiaTone --json
            """)

    @Argument(help: "A filter name: sepia-tone, or its Core Image name CISepiaTone.")
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if let name {
            let filter = try FilterCatalog.requireDescriptor(named: name)
            try Console.output(json ? JSON.text([Entry(filter)]) : Self.page(filter))
        } else {
            let all = FilterCatalog.all
            try Console.output(
                json ? JSON.text(all.map(Entry.init)) : all.map(Self.summary).joined(separator: "\n"))
        }
    }

    /// Returns the name with its summary, and one line per parameter.
    private static func summary(_ filter: FilterDescriptor) -> String {
        let name = ([filter.name] + filter.aliases).joined(separator: ", ")
        let lines = ["\(name): \(filter.summary)"] + filter.parameters.map { "    " + line($0) }
        return lines.joined(separator: "\n")
    }

    /// `intensity  number 0 to 1, default 1: how far towards brown`.
    private static func line(_ parameter: FilterParameter) -> String {
        var facts = [parameter.kind.rawValue + (parameter.count > 1 ? " of \(parameter.count)" : "")]
        if let range = parameter.range {
            facts[0] += " \(range.lowerBound.shortDescription) to \(range.upperBound.shortDescription)"
        }
        if !parameter.unit.isEmpty { facts.append("in \(parameter.unit)") }
        facts.append(parameter.defaultValue.map { "default \($0)" } ?? "required")
        return "\(parameter.key)  \(facts.joined(separator: ", ")): \(parameter.summary)"
    }

    private static func page(_ filter: FilterDescriptor) -> String {
        var lines = [summary(filter), "    works on: \(filter.space == .encoded ? "sRGB as encoded" : "linear light")"]
        if let name = filter.coreImageName { lines.append("    Core Image: \(name)") }
        lines.append("    source: \(filter.source)")
        return lines.joined(separator: "\n")
    }

    /// A filter in JSON output.
    private struct Entry: Encodable {
        struct Parameter: Encodable {
            var key: String
            var kind: FilterParameter.Kind
            var unit: String?
            var minimum: Double?
            var maximum: Double?
            var count: Int
            var `default`: FilterArgument?
            var summary: String
        }

        var name: String
        var aliases: [String]
        var coreImageName: String?
        var summary: String
        var space: FilterDescriptor.Space
        var source: String
        var parameters: [Parameter]

        init(_ filter: FilterDescriptor) {
            name = filter.name
            aliases = filter.aliases
            coreImageName = filter.coreImageName
            summary = filter.summary
            space = filter.space
            source = filter.source
            parameters = filter.parameters.map {
                Parameter(
                    key: $0.key, kind: $0.kind, unit: $0.unit.isEmpty ? nil : $0.unit, minimum: $0.range?.lowerBound,
                    maximum: $0.range?.upperBound, count: $0.count, default: $0.defaultValue, summary: $0.summary)
            }
        }
    }
}

struct RecipesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipes",
        abstract: "Lists the recipes for --recipe, or shows the text of one.",
        discussion: """
            wayreel recipes
            wayreel recipes old-postcard > mine.yml
            wayreel recipes --json
            """)

    @Argument(help: "A recipe's name.", completion: .custom { _, _, _ in Recipe.presetNames })
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let names = try name.map { [try Recipe.requirePreset($0)] } ?? Recipe.presetNames
        if json {
            try Console.output(
                JSON.text(names.map { Entry(try Recipe.load($0), text: name == nil ? nil : Recipe.text(ofPreset: $0)) })
            )
        } else if let name {
            try Console.output(Recipe.text(ofPreset: name) ?? "")
        } else {
            try Console.output(TextColumns.aligned(names.map { [$0, try Recipe.load($0).summary] }))
        }
    }

    /// A recipe in JSON output.
    private struct Entry: Encodable {
        var name: String
        var summary: String
        /// The text in YAML; only of a recipe that was named.
        var text: String?

        init(_ recipe: Recipe, text: String?) {
            (name, summary, self.text) = (recipe.name, recipe.summary, text)
        }
    }
}

struct ScreensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screens", abstract: "Lists the screen names for --screen and their sizes in pixels.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let rows = Screen.all.map { [$0.name, "\($0.size.width)x\($0.size.height)", $0.label] }
        try Console.output(json ? JSON.text(Screen.all.map(Entry.init)) : TextColumns.aligned(rows))
    }

    private struct Entry: Encodable {
        var name: String
        var label: String
        var width: Int
        var height: Int

        init(_ screen: Screen) {
            (name, label, width, height) = (screen.name, screen.label, screen.size.width, screen.size.height)
        }
    }
}

struct MetersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meters",
        abstract: "Lists the meters of 'wayreel levels --meter': their ballistics.",
        discussion: """
            wayreel meters
            wayreel meters --json
            """)

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let all = MeterDefinition.all
        try Console.output(json ? JSON.text(all.map(Entry.init)) : all.map(Self.page).joined(separator: "\n"))
    }

    private static func page(_ meter: MeterDefinition) -> String {
        let hold = meter.holdSeconds.shortDescription
        return """
            \(meter.ballistics.rawValue): \(meter.summary)
                rises: \(meter.rise); falls: \(meter.fall?.description ?? "as it rises")
                holds a peak for \(hold) s, which then falls \(meter.holdFall)
                source: \(meter.source)
            """
    }

    /// A meter in JSON output.
    private struct Entry: Encodable {
        struct Fall: Encodable {
            var decibels: Double
            var seconds: Double

            init(_ fall: MeterDefinition.Fall) { (decibels, seconds) = (fall.decibels, fall.seconds) }
        }

        var name: String
        var summary: String
        var rise: String
        var fall: Fall?
        var holdSeconds: Double
        var holdFall: Fall
        var source: String

        init(_ meter: MeterDefinition) {
            name = meter.ballistics.rawValue
            summary = meter.summary
            rise = meter.rise
            fall = meter.fall.map(Fall.init)
            holdSeconds = meter.holdSeconds
            holdFall = Fall(meter.holdFall)
            source = meter.source
        }
    }
}
