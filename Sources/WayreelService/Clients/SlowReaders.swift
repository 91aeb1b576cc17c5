internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose client does not take what is sent to it: every piece must be taken within a time, plus a second for each
/// 16 KiB of it.
final class SlowReaders: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let bytesPerSecond = 16.0 * 1024
    private let seconds: Double

    init(seconds: Double) { self.seconds = seconds }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(let piece) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        let isTaken = promise ?? context.eventLoop.makePromise()
        let allowed = seconds + Double(piece.readableBytes) / Self.bytesPerSecond
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(allowed * 1000))) {
            context.close(promise: nil)
        }
        isTaken.futureResult.assumeIsolated().whenComplete { _ in deadline.cancel() }
        context.write(data, promise: isTaken)
    }
}
