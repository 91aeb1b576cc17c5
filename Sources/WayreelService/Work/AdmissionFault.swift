/// The reason for which a request gets nothing of what all requests share. It may succeed later.
package enum AdmissionFault: Error, Hashable {
    /// What is shared, with the part that one client may have.
    package enum Part: Hashable, Sendable {
        case requests(Int)
        /// Of uploads, and of answers that are not read.
        case memory(bytes: Int)
        /// Requests that wait for files.
        case files(Int)
        /// Images of other servers that are being fetched.
        case fetches(Int)
        case jobs(Int, bytes: Int)
        /// Jobs whose events are followed.
        case followedJobs(Int)
        case liveStreams(Int)
        /// Senders of live streams of sensors.
        case senders(Int)
        /// Viewers of live streams of sensors.
        case viewers(Int)
        /// Recordings that are sent, converted or drawn.
        case recordings(Int)
    }

    /// All clients together hold what there is. There may be room after so many seconds.
    case full(Part, seconds: Int)
    /// The client holds its part.
    case share(Part)
    /// Too many requests of the same player wait for each other.
    case turns
    /// Too many challenges or codes are kept, which end after so many seconds.
    case oneTimeValues(seconds: Int)

    /// Whether it is the part of one client: another one may be served.
    package var isShare: Bool {
        if case .share = self { true } else { false }
    }
}

extension Allowance {
    /// Reserves one of what it holds, which `part` names. There may be room after `seconds`.
    func admit(
        _ client: Client, seconds: Int, _ part: (Int) -> AdmissionFault.Part
    ) throws(AdmissionFault) -> Reservation {
        do throws(Refusal) { return try reserve(1, for: client) } catch {
            throw error == .client ? .share(part(clientAmount)) : .full(part(amount), seconds: seconds)
        }
    }
}
