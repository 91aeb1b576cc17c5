internal import Foundation
internal import Synchronization
internal import WayreelStorage

/// Values that are kept in memory for a short time, each under a secret that is taken once: challenges, codes. Their number
/// is limited, and that of one client, so that nobody fills the memory, nor displaces the values of others.
package final class OneTimeValues<Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var client: [UInt8]
        var ends: ContinuousClock.Instant
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let seconds: Double
    private let maxCount: Int
    private let maxCountOfClient: Int

    package init(seconds: Double, maxCount: Int = 20_000, maxCountOfClient: Int = 500) {
        (self.seconds, self.maxCount, self.maxCountOfClient) = (seconds, maxCount, maxCountOfClient)
    }

    /// Keeps a value, and returns its secret.
    ///
    /// Throws if too many are kept, of this client or of all.
    package func keep(_ value: Value, for client: [UInt8]) throws(AdmissionFault) -> String {
        let now = ContinuousClock.now
        return try entries.withLock { (entries) throws(AdmissionFault) in
            var ofClient = entries.values.count { $0.client == client && $0.ends > now }
            if entries.count >= maxCount || ofClient >= maxCountOfClient {
                entries = entries.filter { $0.value.ends > now }
                ofClient = entries.values.count { $0.client == client }
            }
            guard entries.count < maxCount, ofClient < maxCountOfClient else {
                throw .oneTimeValues(seconds: Int(seconds.rounded(.up)))
            }
            let secret = Secret.make()
            entries[secret] = Entry(value: value, client: client, ends: now + .seconds(seconds))
            return secret
        }
    }

    /// Returns the value of a secret, and forgets it.
    package func take(_ secret: String) -> Value? {
        entries.withLock { entries in
            entries.removeValue(forKey: secret).flatMap { $0.ends > .now ? $0.value : nil }
        }
    }
}
