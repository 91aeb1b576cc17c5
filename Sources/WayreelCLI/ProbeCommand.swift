internal import ArgumentParser
internal import Wayreel

struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Tells what Wayreel sees in pictures: format, size, orientation, colour, metadata.",
        discussion: """
            wayreel probe photo.heic
            wayreel probe --json *.jpg
            """)

    @Argument(help: "The pictures; - for standard input.")
    var files: [String]

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let limits = limits.limits()
        var results: [Entry] = []
        for file in files {
            do {
                results.append(Entry(file: file, picture: try PictureProbe.probe(path: file, limits: limits)))
            } catch {
                let named = error.naming(file)
                results.append(Entry(file: file, error: named))
                if !json { Console.error("error: \(named)") }
            }
        }
        if json {
            try Console.output(String(decoding: JSON.encode(results).dropLast(), as: UTF8.self))
        } else {
            let pages = results.compactMap { result in
                result.picture.map { files.count == 1 ? $0.description : "\(result.file)\n\($0.description)" }
            }
            if !pages.isEmpty { try Console.output(pages.joined(separator: "\n\n")) }
        }
        if results.contains(where: { $0.error != nil }) { throw Outcome.failed }
    }

    private struct Entry: Encodable {
        var file: String
        var picture: PictureProbe?
        var error: MediaError?
    }
}
