internal import ArgumentParser
internal import WayreelMedia

struct ScreensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screens", abstract: "Lists the screen names for --screen and their sizes in pixels.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if json {
            try Console.output(JSON.text(Screen.all.map(Entry.init)))
        } else {
            let rows = Screen.all.map { [$0.name, "\($0.size.width)x\($0.size.height)", $0.label] }
            try Console.output(TextColumns.aligned(rows))
        }
    }

    private struct Entry: Encodable {
        var name: String
        var label: String
        var width: Int
        var height: Int

        init(_ screen: Screen) {
            name = screen.name
            label = screen.label
            width = screen.size.width
            height = screen.size.height
        }
    }
}
