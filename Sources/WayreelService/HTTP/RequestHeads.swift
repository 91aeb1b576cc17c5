internal import NIOCore
internal import NIOHTTP1

/// Refuses ambiguous heads that the parser accepts: a proxy in front of the service may find another end of the request,
/// or another host (RFC 9112, sections 3.2 and 6.1).
///
/// A client of HTTP/1.0 gets an answer without chunks, on a connection that is closed after it unless
/// both sides keep it alive (RFC 9112, section 9.3).
final class RequestHeads: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The limits of a head. The parser checks them.
    static let maxBytes = 32 << 10
    static let maxFields = 100

    private let overhead: RequestOverhead
    /// Of each request that is not answered yet: whether it is one of HTTP/1.0, and whether its connection is kept.
    private var unanswered: [(isOld: Bool, isKept: Bool)] = []
    /// Whether the connection ends after the answer that is being written.
    private var isLast = false

    /// `overhead` is the handler before the parser.
    init(_ overhead: RequestOverhead) { self.overhead = overhead }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        overhead.count(part)
        guard case .head(var head) = part else { return context.fireChannelRead(data) }
        guard Self.isClear(head) else { return context.fireErrorCaught(HTTPParserError.invalidHeaderToken) }
        let isOld = head.version == .http1_0
        let isKept = head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "keep-alive" }
        unanswered.append((isOld, isKept))
        if isOld, !isKept { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard let request = unanswered.first, request.isOld, head.status.code >= 200 else { break }
            // Without a length, the end of the connection is that of the body. The encoder sends chunks of HTTP/1.1.
            isLast = !head.headers.contains(name: "Content-Length") && ![204, 304].contains(head.status.code)
            if isLast { head.version = .http1_0 }
            if !request.isKept || isLast {
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            } else if !head.headers.contains(name: "Connection") {
                head.headers.add(name: "Connection", value: "keep-alive")
            }
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: break
        case .end:
            if !unanswered.isEmpty { unanswered.removeFirst() }
            guard isLast else { break }
            let isWritten = promise ?? context.eventLoop.makePromise()
            isWritten.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
            return context.write(data, promise: isWritten)
        }
        context.write(data, promise: promise)
    }

    private static func isClear(_ head: HTTPRequestHead) -> Bool {
        let (hosts, codings) = (head.headers["Host"], head.headers["Transfer-Encoding"])
        guard hosts.count == 1 || hosts.isEmpty && head.version == .http1_0, hosts.allSatisfy(isHost) else {
            return false
        }
        return codings.isEmpty || head.version != .http1_0 && codings.map { $0.lowercased() } == ["chunked"]
    }

    /// Whether a text has only the characters of a host and a port (RFC 3986, section 3.2.2). It may be empty.
    private static func isHost(_ text: String) -> Bool { text.utf8.allSatisfy(hostBytes.contains) }

    private static let hostBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%!$&'()*+,;=:[]".utf8)
}

/// Limits the bytes of a request that are not content. The parser ignores chunk extensions and empty lines, and does not
/// count them.
final class RequestOverhead: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// More than the bytes of a head and of one read.
    private static let maxBytes = 256 << 10
    /// The overhead that each byte of content may have. A chunk of one byte has at least five further bytes.
    private static let bytesPerByte = 16

    /// The received bytes, without those of content and its allowed overhead.
    private var bytes = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        if bytes > Self.maxBytes { context.fireErrorCaught(HTTPParserError.invalidChunkSize) }
    }

    /// Counts a part of a request that the parser has found in the bytes.
    func count(_ part: HTTPServerRequestPart) {
        switch part {
        case .head, .end: bytes = 0
        case .body(let content): bytes = max(0, bytes - (1 + Self.bytesPerByte) * content.readableBytes)
        }
    }
}
