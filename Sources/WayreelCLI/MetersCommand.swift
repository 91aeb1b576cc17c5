internal import ArgumentParser
internal import WayreelMedia

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
        if json {
            let entries = MeterDefinition.all.map(Entry.init)
            try Console.output(JSON.text(entries))
        } else {
            try Console.output(MeterDefinition.all.map(Self.page).joined(separator: "\n"))
        }
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
            fall = meter.fall.map { Fall(decibels: $0.decibels, seconds: $0.seconds) }
            holdSeconds = meter.holdSeconds
            holdFall = Fall(decibels: meter.holdFall.decibels, seconds: meter.holdFall.seconds)
            source = meter.source
        }
    }
}
