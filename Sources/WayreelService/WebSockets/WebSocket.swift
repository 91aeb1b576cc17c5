internal import NIOCore
internal import NIOWebSocket
internal import WayreelCore

/// A WebSocket (RFC 6455): frames, their order and size, closing, pings, and the pace of reading and writing. A guest takes
/// part in it.
///
/// The socket is not read while the guest works on another thread, nor while the client does not read.
final class WebSocket: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let record: WebSocketRecord
    private let entry: WebSocketEntry
    private let guest: any WebSocketGuest
    private let idleTime: TimeAmount
    private var context: ChannelHandlerContext?
    private(set) var isOpen = true
    /// The message so far whose last frame has not arrived, as far as it is kept; nil between messages.
    private var message: (isText: Bool, bytes: Int, data: ByteBuffer)?
    /// Frames that wait until the guest has worked on the frame before them.
    private var waiting: CircularBuffer<WebSocketFrame> = []
    private var isWorking = false
    /// The time of the last received frame, or at which the last work was done.
    private var lastActivity = NIODeadline.now()
    /// Whether a read was requested while none was allowed.
    private var wantsRead = false
    private var timer: Scheduled<Void>?

    /// The time within which the client has to answer a close frame.
    private static let closeTime = TimeAmount.seconds(5)

    /// The longest time for which a client goes on that is no longer let in.
    private static let checkTime = TimeAmount.seconds(20)

    /// Another WebSocket has taken the place of this one.
    static let replaced = WebSocketErrorCode(codeNumber: 4001)

    init(_ handshake: WebSocketHandshake, _ record: WebSocketRecord) {
        (entry, self.record) = (handshake.entry, record)
        guest = handshake.entry.guest()
        idleTime = .nanoseconds(Int64(handshake.idleSeconds * 1e9))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guest.begin(self)
        context.flush()
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        guest.end()
        self.context = nil
        record.end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        isOpen = false
        waiting = []
        context.fireChannelInactive()
    }

    // MARK: The guest

    /// Whether the client reads what is sent.
    var isWritable: Bool { isOpen && context?.channel.isWritable ?? false }

    var eventLoop: (any EventLoop)? { context?.eventLoop }

    func send(_ text: some StringProtocol) {
        guard isOpen, let context else { return }
        send(context, .text, ByteBuffer(string: String(text)))
    }

    func send(_ bytes: [UInt8]) {
        guard isOpen, let context else { return }
        send(context, .binary, ByteBuffer(bytes: bytes))
    }

    /// Sends what was written, unless that happens by itself after a message was received.
    func flush() { context?.flush() }

    /// Closes the socket after what was sent.
    func close(_ code: WebSocketErrorCode) {
        if let context { close(context, code) }
    }

    /// Runs `body` on another thread, and then `done` here, if the socket is open by then. Later messages come after that.
    func work<Value: Sendable>(
        on threads: WorkPool, _ body: @escaping @Sendable () -> Value, done: @escaping (Value) -> Void
    ) {
        isWorking = true
        run(on: threads, body) { [self] context, value in resume(context) { done(value) } }
    }

    /// Waits for `body`, and then runs `done` here likewise, or `late` if the socket is closed by then.
    func wait<Value: Sendable>(
        for body: @escaping @Sendable () async -> Value, done: @escaping (Value) -> Void,
        late: @escaping (Value) -> Void
    ) {
        guard let context else { return }
        isWorking = true
        let loop = context.eventLoop
        let here = NIOLoopBound((self, context, done, late), eventLoop: loop)
        Task {
            let value = await body()
            loop.execute {
                let (socket, context, done, late) = here.value
                guard socket.isOpen, context.channel.isActive else {
                    late(value)
                    return socket.resume(context) {}
                }
                socket.resume(context) { done(value) }
            }
        }
    }

    /// Goes on with what has arrived meanwhile.
    private func resume(_ context: ChannelHandlerContext, _ done: () -> Void) {
        isWorking = false
        guard context.channel.isActive else { return }
        lastActivity = .now()
        if isOpen { done() }
        handleFrames(context)
        context.flush()
        if wantsRead { read(context: context) }
    }

    /// Runs `body` when it is the client's turn, and then `done` here, while messages come.
    func compute<Value: Sendable>(
        in lane: WorkLane, for client: Client, _ body: @escaping @Sendable () -> Value, done: @escaping (Value) -> Void
    ) {
        guard let context else { return }
        let loop = context.eventLoop
        let here = NIOLoopBound((context, done), eventLoop: loop)
        let turn: @Sendable () async -> Value? = {
            try? await lane.run(for: client, until: .now + Self.longestWait) { _ in body() }
        }
        Task {
            let value = await turn()
            loop.execute {
                let (context, done) = here.value
                guard context.channel.isActive else { return }
                // There is no thread.
                guard let value else { return context.close(promise: nil) }
                done(value)
                context.flush()
            }
        }
    }

    /// For a turn, which comes after a few others.
    private static let longestWait = Duration.seconds(3600)

    private func run<Value: Sendable>(
        on threads: WorkPool, _ body: @escaping @Sendable () -> Value,
        done: @escaping (ChannelHandlerContext, Value) -> Void
    ) {
        guard let context else { return }
        let loop = context.eventLoop
        let here = NIOLoopBound((context, done), eventLoop: loop)
        threads.add {
            let value = body()
            loop.execute { here.value.1(here.value.0, value) }
        }
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
        while !isWorking, let frame = waiting.popFirst() { handle(context, frame) }
    }

    private func handle(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        guard isOpen else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        guard frame.maskKey != nil, frame.reservedBits.isEmpty else { return close(context, .protocolError) }
        switch frame.opcode {
        case .binary, .text, .continuation:
            guard (frame.opcode == .continuation) == (message != nil) else {
                return close(context, .protocolError)
            }
            receive(context, frame)
        case .ping: send(context, .pong, frame.unmaskedData)
        case .pong: break
        case .connectionClose: answerClose(context, frame.unmaskedData)
        default: close(context, .protocolError)
        }
    }

    private func receive(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        let (isText, bytes) = (message?.isText ?? (frame.opcode == .text), message?.bytes ?? 0)
        guard bytes + frame.data.readableBytes <= WebSocketHandshake.maxMessageBytes else {
            return close(context, .messageTooLarge)
        }
        var data = message?.data ?? ByteBuffer()
        message = nil
        var piece = frame.unmaskedData
        if guest.takesPieces {
            data = piece
        } else if data.readableBytes > 0 {
            data.writeBuffer(&piece)
        } else {
            data = piece
        }
        if !frame.fin {
            message = (isText, bytes + frame.data.readableBytes, guest.takesPieces ? ByteBuffer() : data)
        }
        if frame.fin || guest.takesPieces { guest.receive(data, isText: isText, isLast: frame.fin, self) }
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

    /// Sends a ping after a third of the idle time without a frame, and closes the socket after all of it, or when its client
    /// is no longer let in.
    private func watch(_ context: ChannelHandlerContext) {
        let third = TimeAmount.nanoseconds(idleTime.nanoseconds / 3)
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: min(third, Self.checkTime)) { [self] in
            let idle = NIODeadline.now() - lastActivity
            guard isOpen, idle < idleTime else { return close(context, .goingAway) }
            if idle >= third {
                send(context, .ping, ByteBuffer())
                context.flush()
            }
            check(context)
            watch(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard let isStillLetIn = entry.isStillLetIn else { return }
        let loop = context.eventLoop
        let here = NIOLoopBound((self, context), eventLoop: loop)
        Task {
            guard await !isStillLetIn() else { return }
            loop.execute { here.value.0.close(here.value.1, .policyViolation) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func read(context: ChannelHandlerContext) {
        wantsRead = isOpen && (isWorking || !context.channel.isWritable)
        if !wantsRead { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if wantsRead { read(context: context) }
        if isWritable {
            guest.canWrite(self)
            context.flush()
        }
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
