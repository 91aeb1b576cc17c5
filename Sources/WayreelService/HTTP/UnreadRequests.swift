internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Ends a connection on which nobody knows where the next request begins: a request was malformed, or was answered before its body had
/// arrived.
///
/// What the client still sends is dropped for a while: a connection that is closed at once is reset, and the client would never read
/// the answer.
final class UnreadRequests: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let patience = TimeAmount.seconds(2)
    private static let host = HTTPField.Name("Host")!

    /// Requests whose head has arrived and whose answer has not ended.
    private(set) var unanswered = 0
    /// Whether the body of the last of them is still arriving.
    private var isBeingRead = false
    /// What is malformed after requests that have to be answered first.
    private var fault: HTTPParserError?
    /// Whether the answer that is being written is the last one.
    private var isEnding = false
    /// Whether the last answer was ours, so that others come too late.
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding, fault == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            isBeingRead = true
            // The first one is the authority. Which of two is meant is a matter of opinion (RFC 9112, section 3.2).
            if head.headerFields[Self.host] != nil {
                unanswered -= 1
                isBeingRead = false
                return errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
            }
        case .body: break
        case .end: isBeingRead = false
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isEnding, fault == nil else { return }
        fault = error
        refuseIfNext(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let fault, !isOver { context.fireErrorCaught(fault) }
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isOver {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if head.status.kind != .informational, unanswered == 1, isBeingRead {
                isEnding = true
                head.headerFields[.connection] = "close"
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            unanswered -= 1
            guard isEnding else {
                context.write(data, promise: promise)
                if fault != nil { refuseIfNext(context) }
                return
            }
            end(context, data, promise ?? context.eventLoop.makePromise())
        }
    }

    /// Refuses what is malformed where everything before it is answered.
    private func refuseIfNext(_ context: ChannelHandlerContext) {
        guard let fault, unanswered == (isBeingRead ? 1 : 0) else { return }
        (isEnding, isOver) = (true, true)
        let problem = Problem(malformed: fault)
        let body = ByteBuffer(string: problem.json() + "\n")
        let head = HTTPResponse(
            status: problem.status,
            headerFields: [
                .contentType: "application/problem+json", .cacheControl: "no-store", .connection: "close",
                .contentLength: "\(body.readableBytes)", .xContentTypeOptions: "nosniff",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        end(context, wrapOutboundOut(.end(nil)), context.eventLoop.makePromise())
        // Whoever reads the body learns that it is not whole.
        context.fireErrorCaught(fault)
    }

    /// Writes the end of the last answer, and closes the connection when the client has, or after a while.
    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ isWritten: EventLoopPromise<Void>) {
        isWritten.futureResult.assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { context.close(promise: nil) }
        }
        context.writeAndFlush(data, promise: isWritten)
    }
}

extension Problem {
    /// The answer to a request that is no HTTP.
    init(malformed error: HTTPParserError) {
        self =
            error == .headerOverflow
            ? Problem(
                .requestHeaderFieldsTooLarge, code: "headers", "The head of the request is too large",
                detail: "send at most 32 KiB")
            : Problem(.badRequest, code: "malformed", "The request is malformed")
    }
}
