internal import Synchronization

/// An amount of something that requests share: bytes of memory, connections, places in a queue. It is reserved before it
/// is taken, in total and for each client.
///
/// One client has at most its part, and one reservation more than that only if it holds nothing else.
package final class Allowance: Sendable {
    /// The reason for which a reservation is refused.
    package enum Refusal: Error {
        /// All clients together hold too much.
        case total
        /// This client holds its part.
        case client
    }

    private struct State {
        var held = 0
        var holders: [Client.Network: Int] = [:]
        var refused = 0
    }

    package let amount: Int
    /// The largest amount of one client.
    package let clientAmount: Int
    private let state = Mutex(State())

    /// `clientShare` is the part of one client, from 0 to 1.
    package init(_ amount: Int, clientShare: Double) {
        self.amount = amount
        clientAmount = max(1, Int((Double(amount) * clientShare).rounded(.up)))
    }

    /// What is reserved now, and the number of refusals so far.
    package var load: (held: Int, refused: Int) { state.withLock { ($0.held, $0.refused) } }

    /// Whether a client that holds nothing would be refused its part.
    package var isFull: Bool { state.withLock { $0.held + max(1, min(clientAmount, amount / 8)) > amount } }

    /// Reserves `count` for `client` until the reservation is released.
    package func reserve(_ count: Int, for client: Client) throws(Refusal) -> Reservation {
        try take(count, for: client)
        return Reservation(self, client, count)
    }

    /// `own`: what the same reservation holds already.
    fileprivate func take(_ count: Int, for client: Client, beside own: Int = 0) throws(Refusal) {
        try state.withLock { (state) throws(Refusal) in
            do throws(Refusal) {
                guard count <= amount - state.held else { throw .total }
                for network in client.networks {
                    let held = state.holders[network] ?? 0
                    let most = min(amount, clientAmount * network.clients)
                    guard held == own || held + count <= most else { throw .client }
                }
            } catch {
                state.refused += 1
                throw error
            }
            state.held += count
            for network in client.networks { state.holders[network, default: 0] += count }
        }
    }

    fileprivate func giveBack(_ count: Int, of client: Client) {
        guard count > 0 else { return }
        state.withLock { state in
            state.held -= count
            for network in client.networks {
                let held = (state.holders[network] ?? 0) - count
                state.holders[network] = held > 0 ? held : nil
            }
        }
    }
}

/// A part of an ``Allowance``. It is given back when its last owner releases this object.
package final class Reservation: Sendable {
    private let allowance: Allowance
    private let client: Client
    private let count: Mutex<Int>

    fileprivate init(_ allowance: Allowance, _ client: Client, _ count: Int) {
        (self.allowance, self.client) = (allowance, client)
        self.count = Mutex(count)
    }

    deinit { allowance.giveBack(count.withLock(\.self), of: client) }

    /// Reserves more where `total` exceeds what is reserved: `step` at once where there is room for it, so that growing
    /// content is not counted byte by byte. Returns what is reserved then.
    @discardableResult
    package func grow(to total: Int, step: Int = 0) throws(Allowance.Refusal) -> Int {
        try count.withLock { (count) throws(Allowance.Refusal) in
            guard total > count else { return count }
            if total - count < step, (try? allowance.take(step, for: client, beside: count)) != nil {
                count += step
            } else {
                try allowance.take(total - count, for: client, beside: count)
                count = total
            }
            return count
        }
    }

    /// Gives back what exceeds `total`.
    package func shrink(to total: Int) {
        let excess = count.withLock { count in
            defer { count = min(count, total) }
            return max(0, count - total)
        }
        allowance.giveBack(excess, of: client)
    }
}
