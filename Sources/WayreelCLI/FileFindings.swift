internal import Wayreel

/// What was found out about each of several files, or why it was not.
struct FileFindings<Finding: Encodable> {
    private var entries: [Entry] = []
    private let printsJSON: Bool

    struct Entry: Encodable {
        var file: String
        var finding: Finding?
        var error: MediaError?
        /// For people.
        var page: String?

        private enum Key: String, CodingKey {
            case file, error
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(file, forKey: .file)
            try container.encodeIfPresent(error, forKey: .error)
            try finding?.encode(to: encoder)
        }
    }

    init(asJSON: Bool) { printsJSON = asJSON }

    /// Looks at a file and keeps what `find` finds, and its page. A failure is told at once, unless JSON tells it.
    mutating func add(_ file: String, _ find: () throws(MediaError) -> (finding: Finding, page: String)) {
        do throws(MediaError) {
            let found = try find()
            entries.append(Entry(file: file, finding: found.finding, page: found.page))
        } catch {
            let named = error.naming(file == "-" ? "standard input" : file)
            entries.append(Entry(file: file, error: named))
            if !printsJSON { Console.error("error: \(named)") }
        }
    }

    /// Prints all. Throws `Outcome.failed` where there is none for some file.
    func print() throws {
        if printsJSON {
            try Console.output(String(decoding: JSON.encode(entries).dropLast(), as: UTF8.self))
        } else {
            let pages = entries.compactMap { entry in
                entry.page.map { entries.count == 1 ? $0 : "\(entry.file.onOneLine)\n\($0)" }
            }
            if !pages.isEmpty { try Console.output(pages.joined(separator: "\n\n")) }
        }
        if entries.contains(where: { $0.error?.kind == .cancelled }) { throw Outcome.interrupted }
        if entries.contains(where: { $0.error != nil }) { throw Outcome.failed }
    }
}
