internal import NIOCore
internal import NIOWebSocket

/// A WebSocket (RFC 6455) on which a client sends PCM in binary messages and gets a text message for each reading.
///
/// The samples of all messages form one stream. After the text message `end` the client gets the last, partial reading,
/// and the socket is closed. Samples are metered on other threads, one frame at a time, while later frames wait. The
/// socket is not read while a frame is metered, nor while the client does not read.
final class LevelSocket: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let stream: LevelStream
    private let record: LiveRecord
    /// Its place among all streams.
    private let place: Reservation
    private let live: LiveLevels
    private var isOpen = true
    /// The bytes so far of a message whose last frame has not arrived; nil between messages.
    private var messageBytes: Int?
    /// Frames that wait until the frame before them is metered.
    private var waiting: CircularBuffer<WebSocketFrame> = []
    private var isMetering = false
    /// The time of the last received frame, or at which the last samples were metered.
    private var lastActivity = NIODeadline.now()
    /// Whether a read was requested while none was allowed.
    private var wantsRead = false
    private var timer: Scheduled<Void>?

    /// The time within which the client has to answer a close frame.
    private static let closeTime = TimeAmount.seconds(5)

    init(_ handshake: LiveLevels.Handshake, _ live: LiveLevels) {
        stream = handshake.stream
        record = handshake.record
        place = handshake.place
        self.live = live
    }

    private var idleTime: TimeAmount { .nanoseconds(Int64(live.idleSeconds * 1e9)) }

    func handlerAdded(context: ChannelHandlerContext) {
        send(context, stream.header)
        context.flush()
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        record.end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        isOpen = false
        waiting = []
        context.fireChannelInactive()
    }

    // MARK: Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        record.count(received: frame.data.readableBytes)
        lastActivity = .now()
        waiting.append(frame)
        handleFrames(context)
    }

    private func handleFrames(_ context: ChannelHandlerContext) {
        while !isMetering, let frame = waiting.popFirst() { handle(context, frame) }
    }

    private func handle(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        guard isOpen else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        guard frame.maskKey != nil, frame.reservedBits.isEmpty else { return close(context, .protocolError) }
        switch frame.opcode {
        case .binary, .text, .continuation:
            guard (frame.opcode == .continuation) == (messageBytes != nil) else {
                return close(context, .protocolError)
            }
            frame.opcode == .text ? readText(context, frame) : readSamples(context, frame)
        case .ping: send(context, .pong, frame.unmaskedData)
        case .pong: break
        case .connectionClose: answerClose(context, frame.unmaskedData)
        default: close(context, .protocolError)
        }
    }

    private func readSamples(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        let bytes = (messageBytes ?? 0) + frame.data.readableBytes
        messageBytes = frame.fin ? nil : bytes
        guard bytes <= LiveLevels.maxMessageBytes else { return close(context, .messageTooLarge) }
        meter(context) { try $0.add(frame.unmaskedData) }
    }

    private func readText(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        guard frame.fin, String(buffer: frame.unmaskedData) == "end" else { return close(context, .unacceptableData) }
        meter(context, isLast: true) { try $0.finish() }
    }

    /// Runs `body` on another thread and sends the lines that it returns. Later frames are handled after that.
    private func meter(
        _ context: ChannelHandlerContext, isLast: Bool = false,
        _ body: @escaping @Sendable (LevelStream) throws -> [Substring]
    ) {
        isMetering = true
        let (stream, loop) = (stream, context.eventLoop)
        let socket = NIOLoopBound((self, context), eventLoop: loop)
        live.threads.add {
            let lines = Result { try body(stream) }
            loop.execute { socket.value.0.sendNext(socket.value.1, lines, isLast: isLast) }
        }
    }

    /// Sends the lines of metered samples, and handles the frames that have arrived meanwhile.
    private func sendNext(_ context: ChannelHandlerContext, _ lines: Result<[Substring], any Error>, isLast: Bool) {
        isMetering = false
        guard context.channel.isActive else { return }
        lastActivity = .now()
        if isOpen {
            switch lines {
            case .success(let lines):
                send(context, lines)
                if isLast { close(context, .normalClosure) }
            case .failure: close(context, .unexpectedServerError)
            }
        }
        handleFrames(context)
        context.flush()
        if wantsRead { read(context: context) }
    }

    /// Answers a close frame with the same code, and closes the connection.
    private func answerClose(_ context: ChannelHandlerContext, _ payload: ByteBuffer) {
        var payload = payload
        let code: UInt16? = payload.readInteger()
        let isRight = code.map { Self.isCode($0) } ?? (payload.readableBytes == 0)
        let isText = payload.readableBytes == 0 || String(validating: payload.readableBytesView, as: UTF8.self) != nil
        let answer = !isRight ? 1002 : isText ? code : 1007
        isOpen = false
        send(context, .connectionClose, answer.map { ByteBuffer(integer: $0) } ?? ByteBuffer())
        context.flush()
        context.close(promise: nil)
    }

    /// Whether a close frame may contain this code (RFC 6455, section 7.4).
    private static func isCode(_ code: UInt16) -> Bool {
        [1000...1003, 1007...1014, 3000...4999].contains { $0.contains(code) }
    }

    private func send(_ context: ChannelHandlerContext, _ lines: [Substring]) {
        for line in lines { send(context, .text, ByteBuffer(substring: line)) }
    }

    private func send(_ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        record.count(sent: data.readableBytes)
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }

    /// Sends a close frame and waits for the client's, so that earlier frames arrive.
    private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
        guard isOpen else { return }
        isOpen = false
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        send(context, .connectionClose, data)
        context.flush()
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeTime) { context.close(promise: nil) }
        // The client's close frame has to be read.
        if wantsRead { context.read() }
    }

    // MARK: Time and flow

    /// Sends a ping after a third of the idle time without a frame, and closes the socket after all of it.
    private func watch(_ context: ChannelHandlerContext) {
        let third = TimeAmount.nanoseconds(idleTime.nanoseconds / 3)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: third) { [self] in
            let idle = NIODeadline.now() - lastActivity
            guard isOpen, idle < idleTime else { return close(context, .goingAway) }
            if idle >= third {
                send(context, .ping, ByteBuffer())
                context.flush()
            }
            watch(context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func read(context: ChannelHandlerContext) {
        wantsRead = isOpen && (isMetering || !context.channel.isWritable)
        if !wantsRead { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if wantsRead { read(context: context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: close(context, .goingAway)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: close(context, .messageTooLarge)
        case is NIOWebSocketError: close(context, .protocolError)
        // Bytes after a damaged frame, while the client's close frame is awaited.
        case is ByteToMessageDecoderError: break
        default: context.close(promise: nil)
        }
    }
}
