internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose client has stopped reading: each 64 KiB must be taken within a time.
final class SlowReaders: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let pieceBytes = 64 << 10
    private let patience: TimeAmount
    /// The number of writes that the client has not taken.
    private var pending = 0
    private var lastTaken = NIODeadline.now()
    private var isWatching = false

    init(seconds: Double) { patience = .milliseconds(Int64(seconds * 1000)) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var rest) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        if pending == 0 { lastTaken = .now() }
        while rest.readableBytes > Self.pieceBytes, let piece = rest.readSlice(length: Self.pieceBytes) {
            write(piece, context, context.eventLoop.makePromise())
        }
        write(rest, context, promise ?? context.eventLoop.makePromise())
        if !isWatching { watch(context) }
    }

    private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext, _ isTaken: EventLoopPromise<Void>) {
        pending += 1
        isTaken.futureResult.assumeIsolated().whenComplete { [self] _ in
            pending -= 1
            lastTaken = .now()
        }
        context.write(wrapOutboundOut(.body(piece)), promise: isTaken)
    }

    /// Schedules the next check for when the client would have been idle for too long.
    private func watch(_ context: ChannelHandlerContext) {
        isWatching = true
        context.eventLoop.assumeIsolated().scheduleTask(deadline: lastTaken + patience) { [self] in
            isWatching = false
            guard pending > 0 else { return }
            if lastTaken + patience <= .now() { context.close(promise: nil) } else { watch(context) }
        }
    }
}
