import Synchronization

/// What threads note down in the order in which they come.
final class Log<Entry: Sendable>: Sendable {
    private let noted = Mutex<[Entry]>([])

    var entries: [Entry] { noted.withLock { $0 } }

    func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }
}
