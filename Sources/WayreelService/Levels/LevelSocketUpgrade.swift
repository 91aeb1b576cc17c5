internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOWebSocket

/// Upgrades a connection to a WebSocket (RFC 6455) if a request asks for levels of live audio. Forwards all other
/// requests, also those with an incorrect handshake, which the router answers with an error.
final class LevelSocketUpgrade: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let live: LiveLevels
    private let requests: ConnectionCloser
    /// The handshake of the request that is being read.
    private var handshake: LiveLevels.Handshake?

    /// `requests` counts the unanswered requests of the connection, and precedes this handler in its pipeline.
    init(_ live: LiveLevels, after requests: ConnectionCloser) { (self.live, self.requests) = (live, requests) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Earlier requests of the connection have to be answered first.
            if requests.unanswered == 1, LiveLevels.isUpgrade(head),
                let found = try? live.handshake(head, from: context.channel.remoteAddress), live.enter()
            {
                handshake = found
                return
            }
        case .body: if handshake != nil { return }
        case .end:
            if let handshake { return upgrade(context, handshake) }
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if handshake != nil { live.leave() }
        handshake = nil
        context.fireChannelInactive()
    }

    private func upgrade(_ context: ChannelHandlerContext, _ handshake: LiveLevels.Handshake) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            // It closes connections on which no request arrives.
            let idle = try pipeline.context(handlerType: HTTPConnectionStateHandler.self)
            pipeline.removeHandler(context: idle, promise: nil)
            let overhead = try pipeline.context(handlerType: RequestOverhead.self)
            pipeline.removeHandler(context: overhead, promise: nil)
            pipeline.removeHandler(context: decoder).assumeIsolated().whenComplete { _ in
                do { try self.begin(context, handshake) } catch { context.close(promise: nil) }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    /// Answers the handshake, and inserts the handlers of the WebSocket before those of HTTP, which receive no more
    /// data.
    private func begin(_ context: ChannelHandlerContext, _ handshake: LiveLevels.Handshake) throws {
        guard context.channel.isActive, self.handshake != nil else { return }
        let pipeline = context.pipeline.syncOperations
        let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
        let response = HTTPResponse(
            status: .switchingProtocols,
            headerFields: [
                .upgrade: "websocket", .connection: "upgrade", .secWebSocketAccept: handshake.accept,
                AnswerHeaders.requestID: handshake.record.id,
            ])
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        handshake.record.begin()
        let frames = WebSocketFrameEncoder()
        try pipeline.addHandler(frames, position: .after(encoder))
        pipeline.removeHandler(encoder, promise: nil)
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: LiveLevels.maxMessageBytes))
        self.handshake = nil
        try pipeline.addHandlers(
            [decoder, LevelSocket(handshake, live)] as [any ChannelHandler], position: .after(frames))
    }
}
