internal import NIOCore
internal import NIOHTTP1

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
