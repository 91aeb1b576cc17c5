internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose client has stopped reading: each 64 KiB of a response body must be written to the socket
/// within a time limit.
final class WriteTimeoutHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let pieceBytes = 64 << 10
    private let timeout: TimeAmount
    /// The number of writes that have not reached the socket yet.
    private var pending = 0
    private var lastWrite = NIODeadline.now()
    private var isWatching = false

    init(seconds: Double) { timeout = .milliseconds(Int64(seconds * 1000)) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var rest) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        if pending == 0 { lastWrite = .now() }
        while rest.readableBytes > Self.pieceBytes, let piece = rest.readSlice(length: Self.pieceBytes) {
            write(piece, context, context.eventLoop.makePromise())
        }
        write(rest, context, promise ?? context.eventLoop.makePromise())
        if !isWatching { watch(context) }
    }

    private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext, _ isWritten: EventLoopPromise<Void>) {
        pending += 1
        isWritten.futureResult.assumeIsolated().whenComplete { [self] _ in
            pending -= 1
            lastWrite = .now()
        }
        context.write(wrapOutboundOut(.body(piece)), promise: isWritten)
    }

    /// Schedules the next check for the time at which the last write is too long ago.
    private func watch(_ context: ChannelHandlerContext) {
        isWatching = true
        context.eventLoop.assumeIsolated().scheduleTask(deadline: lastWrite + timeout) { [self] in
            isWatching = false
            guard pending > 0 else { return }
            if lastWrite + timeout <= .now() { context.close(promise: nil) } else { watch(context) }
        }
    }
}
