internal import NIOCore
internal import Synchronization

/// Whether the client of a connection is still there, so that work for one that has gone is stopped.
///
/// A client has gone when it has closed the connection, or the direction in which it sends: the two cannot be told
/// apart before something is sent to it.
final class ClientPresence: Sendable {
    private struct State {
        var isGone = false
        /// Cancels what the connection is waiting for.
        var cancel: (@Sendable () -> Void)?
    }

    /// Those of all open connections.
    private static let all = Mutex<[ObjectIdentifier: ClientPresence]>([:])
    private let state = Mutex(State())

    /// Runs `body` in a task that is cancelled when the client of `channel` has gone.
    static func required<Value: Sendable>(
        on channel: any Channel, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let presence = all.withLock({ $0[ObjectIdentifier(channel)] }) else { throw CancellationError() }
        let task = Task { try await body() }
        presence.set { task.cancel() }
        defer { presence.set(nil) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Whether the client of `channel` has gone.
    static func hasLeft(_ channel: any Channel) -> Bool {
        all.withLock { $0[ObjectIdentifier(channel)] }?.state.withLock { $0.isGone } ?? true
    }

    private func set(_ cancel: (@Sendable () -> Void)?) {
        let isGone = state.withLock { state in
            state.cancel = cancel
            return state.isGone
        }
        if isGone { cancel?() }
    }

    fileprivate static func begin(_ channel: any Channel) {
        all.withLock { $0[ObjectIdentifier(channel)] = ClientPresence() }
    }

    fileprivate static func leave(_ channel: any Channel) {
        let cancel = all.withLock { $0[ObjectIdentifier(channel)] }?.state.withLock { state in
            state.isGone = true
            return state.cancel
        }
        cancel?()
    }

    fileprivate static func end(_ channel: any Channel) {
        leave(channel)
        all.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
}

/// Notes when the client of a connection comes and goes.
final class ClientPresenceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) { ClientPresence.begin(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { ClientPresence.end(context.channel) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { ClientPresence.leave(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ClientPresence.leave(context.channel)
        context.fireChannelInactive()
    }
}
