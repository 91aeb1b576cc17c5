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
            try Console.output(json ? Self.json([filter]) : Self.page(filter))
        } else if json {
            try Console.output(Self.json(FilterCatalog.all))
        } else {
            try Console.output(FilterCatalog.all.map(Self.summary).joined(separator: "\n"))
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

    private static func json(_ filters: [FilterDescriptor]) throws -> String {
        try JSON.text(filters.map(Entry.init))
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
