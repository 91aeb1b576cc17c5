package import WayreelCore

/// The result or error for each of several files.
package struct FileResults<Value: Encodable> {
    private var entries: [Entry] = []
    private let printsJSON: Bool

    struct Entry: Encodable {
        var file: String
        var value: Value?
        var error: MediaError?
        /// Human-readable text.
        var text: String?

        private enum Key: String, CodingKey {
            case file, error
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(file, forKey: .file)
            try container.encodeIfPresent(error, forKey: .error)
            try value?.encode(to: encoder)
        }
    }

    package init(asJSON: Bool) { printsJSON = asJSON }

    /// Runs `read` for a file and keeps its result or its failure.
    package mutating func add(_ file: String, _ read: () throws(MediaError) -> (value: Value, text: String)) {
        do throws(MediaError) {
            let result = try read()
            entries.append(Entry(file: file, value: result.value, text: result.text))
        } catch {
            add(file, failure: error)
        }
    }

    /// Keeps the failure of a file, and prints it at once unless the output is JSON.
    package mutating func add(_ file: String, failure: MediaError) {
        let named = failure.naming(file == "-" ? "standard input" : file).withFlags
        entries.append(Entry(file: file, error: named))
        if !printsJSON { Console.error("error: \(named)") }
    }

    /// Prints all results. Throws `ExitReason.failed` if any file failed.
    package func print() throws {
        if printsJSON {
            try Console.output(JSON.text(entries))
        } else {
            let texts = entries.compactMap { entry in
                entry.text.map { entries.count == 1 ? $0 : "\(entry.file.onOneLine)\n\($0)" }
            }
            if !texts.isEmpty { try Console.output(texts.joined(separator: "\n\n")) }
        }
        if entries.contains(where: { $0.error?.kind == .cancelled }) { throw ExitReason.interrupted }
        if entries.contains(where: { $0.error != nil }) { throw ExitReason.failed }
    }
}
