internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose client has stopped taking what is sent to it: one of 64 KiB must be taken within a time.
final class SlowReaders: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let pieceBytes = 64 << 10
    private let patience: TimeAmount
    /// Pieces that are written and not taken.
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

    /// Looks again when the client would have been silent for too long.
    private func watch(_ context: ChannelHandlerContext) {
        isWatching = true
        context.eventLoop.assumeIsolated().scheduleTask(deadline: lastTaken + patience) { [self] in
            isWatching = false
            guard pending > 0 else { return }
            if lastTaken + patience <= .now() { context.close(promise: nil) } else { watch(context) }
        }
    }
}
