import Synchronization

/// Entries that threads record, in the order of their arrival.
final class Log<Entry: Sendable>: Sendable {
    private let noted = Mutex<[Entry]>([])

    var entries: [Entry] { noted.withLock { $0 } }

    func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }
}
