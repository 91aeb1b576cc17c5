internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Closes a connection after a request that is malformed, or that is answered before its body has arrived: the start of
/// the next request is unknown. Likewise after one that wanted another protocol, as the parser reads nothing after it, and
/// after an answer that says it.
///
/// Before that, further bytes of the client are read and dropped for a while: closing a socket with unread bytes resets
/// the connection, and the client would lose the answer (RFC 9112, section 9.6).
final class ConnectionCloser: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let gracePeriod = TimeAmount.seconds(2)
    private let metrics: Metrics
    private let log: ServiceLog?
    private let clients: ClientFinder

    /// The number of requests whose head has arrived and whose answer is not complete.
    private(set) var unanswered = 0
    /// Whether the body of the last of them is still arriving.
    private var isBeingRead = false
    /// Whether no request is read after the last of them.
    private var isLast = false
    /// The error of a malformed request. Earlier requests have to be answered first.
    private var fault: HTTPParserError?
    /// Whether the answer that is being written is the last one.
    private var isEnding = false
    /// Whether the last answer was written. Further ones are dropped.
    private var isOver = false

    init(_ metrics: Metrics, _ log: ServiceLog?, _ clients: ClientFinder) {
        (self.metrics, self.log, self.clients) = (metrics, log, clients)
    }

    /// Adds the handlers that check the bytes before the parser, and the heads after it.
    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let overhead = RequestOverhead()
            try pipeline.addHandler(overhead, position: .before(parser))
            try pipeline.addHandler(RequestHeads(overhead), position: .before(codec))
        } catch { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding, fault == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            (isBeingRead, isLast) = (true, head.wantsAnotherProtocol)
        case .body: break
        case .end: isBeingRead = false
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isEnding, fault == nil else { return }
        fault = error
        // The task that reads the body gets the error and answers.
        if isBeingRead { context.fireErrorCaught(error) } else { refuseIfNext(context) }
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
            let endsHere = unanswered == 1 && (isBeingRead || isLast) || head.headerFields.has(.connection, "close")
            if head.status.kind != .informational, endsHere {
                isEnding = true
                let namesUpgrade = head.headerFields.has(.connection, "upgrade")
                head.headerFields[.connection] = namesUpgrade ? "close, upgrade" : "close"
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

    /// Answers a malformed request if all requests before it are answered.
    private func refuseIfNext(_ context: ChannelHandlerContext) {
        guard let fault, unanswered == 0 else { return }
        isEnding = true
        let problem = Problem(malformed: fault)
        let id = "\(RequestID())"
        let body = ByteBuffer(string: problem.json(request: id) + "\n")
        var head = HTTPResponse(
            status: problem.status,
            headerFields: [
                .contentType: "application/problem+json", .cacheControl: "no-store", .connection: "close",
                .contentLength: "\(body.readableBytes)",
            ])
        AnswerHeaders.add(to: &head.headerFields, requestID: id)
        metrics.count(route: "malformed", status: problem.status.code, seconds: 0)
        metrics.traffic(route: "malformed", status: problem.status.code).count(sent: body.readableBytes)
        log?.write(
            method: "", path: "", status: problem.status.code, bytes: body.readableBytes, id: id,
            client: clients.client(ofConnection: context.channel.remoteAddress), seconds: 0)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        end(context, wrapOutboundOut(.end(nil)), context.eventLoop.makePromise())
        // The task that waits for the next request has to end.
        context.fireErrorCaught(fault)
    }

    /// Writes the end of the last answer, and closes the connection after the grace period.
    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ isWritten: EventLoopPromise<Void>) {
        isOver = true
        isWritten.futureResult.assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.gracePeriod) { context.close(promise: nil) }
        }
        context.writeAndFlush(data, promise: isWritten)
    }
}

extension HTTPRequest {
    /// Whether the parser takes what follows for another protocol (RFC 9110, section 7.8).
    fileprivate var wantsAnotherProtocol: Bool {
        headerFields[.upgrade] != nil && headerFields.has(.connection, "upgrade")
    }
}

extension Problem {
    /// The answer to a request that is not HTTP, or is incomplete.
    init(malformed error: HTTPParserError) {
        switch error {
        case .headerOverflow:
            self.init(
                .requestHeaderFieldsTooLarge, code: "headers", "The head of the request is too large",
                detail: "send at most \(RequestHeads.maxBytes >> 10) KiB in at most \(RequestHeads.maxFields) fields")
        case .invalidEOFState: self = .clientClosedRequest
        default: self.init(.badRequest, code: "malformed", "The request is malformed")
        }
    }
}
