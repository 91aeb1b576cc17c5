internal import NIOCore
internal import NIOHTTP1

/// Bounds what a client sends beside content: the parser drops extensions of chunks and empty lines, and counts
/// neither.
final class RequestOverhead: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// More than a head, and what is read at once.
    private static let maxBytes = 256 << 10
    /// The overhead that each byte of content may have: a chunk of one byte has five bytes around it, or a few more.
    private static let bytesPerByte = 16

    /// The bytes that have arrived, without those of content and their overhead.
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
