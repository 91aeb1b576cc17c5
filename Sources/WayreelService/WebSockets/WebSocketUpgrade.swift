internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOWebSocket

extension HTTP1Channel.Configuration {
    /// The handlers and limits of a connection on which requests are answered, and WebSockets are opened.
    init(_ sockets: WebSocketRooms, _ connections: Allowance, idleSeconds: Double) {
        let clients = sockets.clients
        self.init(
            additionalChannelHandlers: {
                let requests = ConnectionCloser(sockets.metrics, sockets.log, clients)
                return [
                    ConnectionLimit(connections, clients), requests, ClientPresenceHandler(),
                    WriteTimeoutHandler(seconds: idleSeconds), WebSocketUpgrade(sockets, after: requests),
                ]
            }(),
            idleTimeout: .milliseconds(Int64(idleSeconds * 1000)),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: RequestHeads.maxBytes, maxHeaderListSize: RequestHeads.maxBytes,
                maxHeaderFieldCount: RequestHeads.maxFields))
    }
}

/// Upgrades a connection to a WebSocket (RFC 6455) if a request asks for one of a room. Forwards all other requests, also
/// those that are refused, which the router answers with an error.
final class WebSocketUpgrade: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let rooms: WebSocketRooms
    private let requests: ConnectionCloser
    /// The request that is being read or checked, and all that follows it.
    private var held: (request: HTTPRequest, room: any WebSocketRoom, parts: [HTTPRequestPart])?

    /// `requests` counts the unanswered requests of the connection, and precedes this handler in its pipeline.
    init(_ rooms: WebSocketRooms, after requests: ConnectionCloser) { (self.rooms, self.requests) = (rooms, requests) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if held != nil {
            let isChecking = held?.parts.contains { if case .end = $0 { true } else { false } } ?? false
            held?.parts.append(part)
            if case .end = part, !isChecking { check(context) }
            return
        }
        // Earlier requests of the connection have to be answered first.
        if case .head(let head) = part, head.method == .get, requests.unanswered == 1, let room = rooms.room(of: head),
            (try? WebSocketHandshake.accept(head)) != nil
        {
            held = (head, room, [part])
            return
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        held = nil
        context.fireChannelInactive()
    }

    /// Asks the room, which may have to look into a database.
    private func check(_ context: ChannelHandlerContext) {
        guard let held else { return }
        let (rooms, peer, loop) = (rooms, context.channel.remoteAddress, context.eventLoop)
        let (request, room) = (held.request, held.room)
        let here = NIOLoopBound((self, context), eventLoop: loop)
        Task {
            let handshake = try? await rooms.handshake(request, in: room, from: peer)
            loop.execute {
                let (upgrade, context) = here.value
                guard upgrade.held != nil else { return }
                if let handshake { upgrade.upgrade(context, request, handshake) } else { upgrade.release(context) }
            }
        }
    }

    /// Forwards what was held.
    private func release(_ context: ChannelHandlerContext) {
        let parts = held?.parts ?? []
        held = nil
        for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
        context.fireChannelReadComplete()
    }

    private func upgrade(_ context: ChannelHandlerContext, _ request: HTTPRequest, _ handshake: WebSocketHandshake) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            // It closes connections on which no request arrives.
            let idle = try pipeline.context(handlerType: HTTPConnectionStateHandler.self)
            pipeline.removeHandler(context: idle, promise: nil)
            let overhead = try pipeline.context(handlerType: RequestOverhead.self)
            pipeline.removeHandler(context: overhead, promise: nil)
            pipeline.removeHandler(context: decoder).assumeIsolated().whenComplete { _ in
                do { try self.begin(context, request, handshake) } catch { context.close(promise: nil) }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    /// Answers the handshake, and inserts the handlers of the WebSocket before those of HTTP, which receive no more
    /// data.
    private func begin(
        _ context: ChannelHandlerContext, _ request: HTTPRequest, _ handshake: WebSocketHandshake
    ) throws {
        guard context.channel.isActive, held != nil else { return }
        let pipeline = context.pipeline.syncOperations
        let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
        let record = WebSocketRecord(request, handshake, rooms)
        var response = HTTPResponse(
            status: .switchingProtocols,
            headerFields: [
                .upgrade: "websocket", .connection: "upgrade", .secWebSocketAccept: handshake.accept,
                AnswerHeaders.requestID: record.id,
            ])
        response.headerFields[.secWebSocketProtocol] = handshake.entry.subprotocol
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        let frames = WebSocketFrameEncoder()
        try pipeline.addHandler(frames, position: .after(encoder))
        pipeline.removeHandler(encoder, promise: nil)
        let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketHandshake.maxMessageBytes))
        held = nil
        try pipeline.addHandlers(
            [decoder, WebSocket(handshake, record)] as [any ChannelHandler], position: .after(frames))
    }
}
