internal import NIOCore
internal import NIOHTTP1

/// Refuses ambiguous heads that the parser accepts: a proxy in front of the service may find another end of the request,
/// or another host (RFC 9112, sections 3.2 and 6.1).
final class RequestHeads: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The limits of a head. The parser checks them.
    static let maxBytes = 32 << 10
    static let maxFields = 100

    private let overhead: RequestOverhead

    /// `overhead` is the handler before the parser.
    init(_ overhead: RequestOverhead) { self.overhead = overhead }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        overhead.count(part)
        if case .head(let head) = part, !Self.isClear(head) {
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        } else {
            context.fireChannelRead(data)
        }
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
