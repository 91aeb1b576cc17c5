package import WayreelCore
internal import WayreelDatabase

/// The reason why something is not stored, found or removed. What is stored is then as it was.
package enum StorageFault: Error, Hashable, CustomStringConvertible {
    /// There is no room for more within the limits of a player or of the service.
    case full(Quota)
    /// It was deleted before, and what was deleted does not come back.
    case removed(Removed)
    /// Something else is stored under the same name.
    case conflict(Conflict)
    /// The stored journal of a story cannot be read.
    case damaged(journal: String, MediaError)
    /// There is nothing of this name.
    case notFound
    /// The disk, or whatever else keeps the data, has failed.
    case failed(MediaError)

    package enum Quota: Hashable, Sendable {
        /// The bytes of a player's journals, at most so many.
        case journals(bytes: Int)
        /// The number of a player's journals.
        case stories(Int)
        /// The bytes of one journal.
        case journal(story: String, bytes: Int)
        /// The bytes of the images of a player's captures and notes.
        case images(bytes: Int)
        /// The number of a player's notes.
        case notes(Int)
        /// The number of a player's recordings.
        case recordings(Int)
        /// The bytes of the samples of a player's recordings.
        case samples(bytes: Int)
        /// The bytes of the samples of all players' recordings.
        case allSamples(bytes: Int)
        /// The number of marks of a recording.
        case marks(Int)
        /// The bytes of the texts of the marks of a recording.
        case markTexts(bytes: Int)
        /// The captures, notes and recordings of a player whose deletion is remembered.
        case removals
        /// The number of accounts that players have made.
        case accounts
        /// The number of a player's passkeys.
        case passkeys(Int)
        /// The codes of devices that wait for each other.
        case pairings
        /// The wrong codes that were sent for a time.
        case wrongCodes
    }

    package enum Removed: String, Sendable { case capture, note, recording, player }

    package enum Conflict: Hashable, Sendable {
        /// The id belongs to the content of another request.
        case request
        /// The passkey is known already.
        case passkey
    }

    /// The cause in one line, for a log.
    package var description: String {
        switch self {
        case .damaged(_, let error), .failed(let error): "\(error)"
        case .full(let quota): "full: \(quota)"
        case .removed(let subject): "removed: \(subject)"
        case .conflict(let subject): "conflict: \(subject)"
        case .notFound: "not found"
        }
    }
}

/// Threads on which an implementation waits for a disk, so that those of Swift's tasks and of the network do not.
package protocol StorageThreads: Sendable {
    /// Runs `body` to its end, also if the task is cancelled.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value
}

/// The thread of the caller, for a program that does nothing else meanwhile.
package struct CallingThread: StorageThreads {
    package init() {}

    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value { body() }
}

extension StorageThreads {
    /// Runs `body`, which blocks. Throws its ``StorageFault``s as they are, and all other errors as
    /// ``StorageFault/failed(_:)``.
    package func attempt<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(StorageFault) -> Value {
        try await run { () -> Result<Value, StorageFault> in
            do { return .success(try body()) } catch { return .failure(StorageFault(error)) }
        }.get()
    }
}

extension StorageFault {
    /// The error of the disk, or of what else keeps the data; nil if that has not failed.
    package var cause: MediaError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// An error of an implementation.
    package init(_ error: any Error) {
        switch error {
        case let fault as StorageFault: self = fault
        case let error as MediaError: self = .failed(error)
        default: self = .failed(MediaError(.io, step: .data, reason: "\(error)".onOneLine))
        }
    }
}
