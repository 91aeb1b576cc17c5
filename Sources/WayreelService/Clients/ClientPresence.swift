internal import NIOCore
internal import Synchronization

/// Whether the client of a connection is still connected, so that work for a disconnected client is cancelled.
///
/// A client counts as disconnected when it has closed the connection or its sending side: the server cannot tell these
/// apart before it sends something.
final class ClientPresence: Sendable {
    private struct State {
        var isDisconnected = false
        /// Cancels the work for the current request.
        var cancel: (@Sendable () -> Void)?
    }

    /// The clients of all open connections.
    private static let all = Mutex<[ObjectIdentifier: ClientPresence]>([:])
    private let state = Mutex(State())

    /// Runs `body` in a task that is cancelled when the client of `channel` disconnects.
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

    /// Whether the client of `channel` has disconnected.
    static func isDisconnected(_ channel: any Channel) -> Bool {
        all.withLock { $0[ObjectIdentifier(channel)] }?.state.withLock { $0.isDisconnected } ?? true
    }

    private func set(_ cancel: (@Sendable () -> Void)?) {
        let isDisconnected = state.withLock { state in
            state.cancel = cancel
            return state.isDisconnected
        }
        if isDisconnected { cancel?() }
    }

    static func begin(_ channel: any Channel) {
        all.withLock { $0[ObjectIdentifier(channel)] = ClientPresence() }
    }

    fileprivate static func disconnect(_ channel: any Channel) {
        let cancel = all.withLock { $0[ObjectIdentifier(channel)] }?.state.withLock { state in
            state.isDisconnected = true
            return state.cancel
        }
        cancel?()
    }

    fileprivate static func end(_ channel: any Channel) {
        disconnect(channel)
        all.withLock { $0[ObjectIdentifier(channel)] = nil }
    }
}

/// Records when the client of a connection connects and disconnects.
final class ClientPresenceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) { ClientPresence.begin(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { ClientPresence.end(context.channel) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { ClientPresence.disconnect(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ClientPresence.disconnect(context.channel)
        context.fireChannelInactive()
    }
}
