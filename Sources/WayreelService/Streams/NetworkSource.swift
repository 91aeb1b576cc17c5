internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
package import WayreelCore

/// A recorder at another machine, which sends NDJSON or CSV over TCP (`tcp://host:port`) or as the text messages of a
/// WebSocket (`ws://`, `wss://`), as a file that can be read while it arrives.
package final class NetworkSource: Sendable {
    /// What is read.
    package let path: String
    private let group: MultiThreadedEventLoopGroup
    private let descriptor: Int32

    private static let maxFrameBytes = 1 << 20
    private static let connectTime = TimeAmount.seconds(10)

    /// The parts of an address.
    private struct Address {
        var scheme: String
        var host: String
        var port: Int
        /// With its query.
        var path: String

        init?(_ url: String) {
            guard let colon = url.firstRange(of: "://") else { return nil }
            scheme = url[..<colon.lowerBound].lowercased()
            let rest = url[colon.upperBound...]
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            path = slash == rest.endIndex ? "/" : String(rest[slash...])
            let ports = ["ws": 80, "wss": 443]
            var authority = rest[..<slash]
            var given: Int?
            if let last = authority.lastIndex(of: ":"), !authority[last...].contains("]") {
                guard let number = Int(authority[authority.index(after: last)...]) else { return nil }
                given = number
                authority = authority[..<last]
            }
            if authority.hasPrefix("["), authority.hasSuffix("]") { authority = authority.dropFirst().dropLast() }
            host = String(authority)
            guard let port = given ?? ports[scheme], (1...65535).contains(port), !host.isEmpty,
                scheme == "tcp" ? path == "/" : ports[scheme] != nil,
                url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            self.port = port
        }
    }

    /// Whether a text is the address of such a recorder.
    package static func isAddress(_ text: String) -> Bool { text.contains("://") }

    /// Connects. Blocks.
    ///
    /// Throws a `parameter` error for another address, and an `io` error if nobody answers there.
    package init(_ url: String) throws(MediaError) {
        guard let address = Address(url) else {
            throw MediaError(
                .parameter, step: .open, subject: url, reason: "is no address of a recorder",
                advice: "write tcp://host:port, ws://host:port/path or wss://host/path")
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw MediaError(.io, step: .open, subject: url, reason: systemReason(errno))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        path = "/dev/fd/\(ends[0])"
        // A thread of its own: it waits while what has arrived is not read.
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let relay = PipeRelay(ends[1])
        let opening = Opening()
        let bootstrap = ClientBootstrap(group: group).connectTimeout(Self.connectTime)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.add(relay, address, opening, to: channel)
                }
            }
        bootstrap.connect(host: address.host, port: address.port).whenComplete { result in
            switch result {
            case .success(let channel):
                channel.closeFuture.whenComplete { _ in
                    opening.end(.failure(ChannelError.eof))
                    relay.close()
                }
                channel.eventLoop.scheduleTask(in: Self.connectTime) {
                    opening.end(.failure(ChannelError.connectTimeout(Self.connectTime)))
                }
            case .failure(let error): opening.end(.failure(error))
            }
        }
        do { try opening.wait() } catch {
            relay.close()
            Glibc.close(descriptor)
            try? group.syncShutdownGracefully()
            throw MediaError(.io, step: .open, subject: url, reason: Self.reason(error))
        }
    }

    deinit {
        // Ends a relay that waits to write.
        Glibc.close(descriptor)
        let group = group
        group.shutdownGracefully { _ in }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: systemReason(error.errnoCode)
        case is NIOConnectionError: "nobody answers there"
        case ChannelError.connectTimeout: "nobody answers there in \(connectTime.nanoseconds / 1_000_000_000) s"
        case ChannelError.eof: "the connection was closed, or is no WebSocket"
        default: "\(error)".onOneLine
        }
    }

    private static func add(
        _ relay: PipeRelay, _ address: Address, _ opening: Opening, to channel: any Channel
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if address.scheme == "wss" {
            let tls = try NIOSSLContext(configuration: .makeClientConfiguration())
            // An IP address is no name of a certificate's.
            let name = HostAddress(address.host) == nil ? address.host : nil
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        guard address.scheme != "tcp" else { return try pipeline.addHandlers([OpensWhenActive(opening), relay]) }
        let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: maxFrameBytes) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1024,
                        maxAccumulatedFrameSize: maxFrameBytes
                    ), TextMessages(), relay,
                ])
                opening.end(.success(()))
            }
        }
        let request = UpgradeRequest(host: address.host, port: address.port, path: address.path)
        try pipeline.addHTTPClientHandlers(
            leftOverBytesStrategy: .forwardBytes,
            withClientUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    let pipeline = context.pipeline.syncOperations
                    guard let asked = try? pipeline.context(handlerType: UpgradeRequest.self) else { return }
                    pipeline.removeHandler(context: asked, promise: nil)
                }
            ))
        try pipeline.addHandler(request)
    }
}

/// Whether a connection is open, or why it is not; the first to tell is right.
///
/// The loop of the connection tells it before anything is read: from then on it may wait for the reader of the pipe, who
/// must not wait for the loop.
private final class Opening: Sendable {
    private let result = Monitor<Result<Void, any Error>?>(nil)

    func end(_ result: Result<Void, any Error>) { self.result.update { $0 = $0 ?? result } }

    func wait() throws {
        while true {
            let result = result.withLock(when: { $0 != nil }, until: Clock.wall + 1) { $0 }
            if let result { return try result.get() }
        }
    }
}

/// Tells that a connection is open.
private final class OpensWhenActive: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let opening: Opening

    init(_ opening: Opening) { self.opening = opening }

    func channelActive(context: ChannelHandlerContext) {
        opening.end(.success(()))
        context.fireChannelActive()
    }
}

/// Asks for the upgrade, and closes the connection if the answer is another one.
private final class UpgradeRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead

    init(host: String, port: Int, path: String) {
        let host = host.contains(":") ? "[\(host)]" : host
        head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path,
            headers: ["Host": "\(host):\(port)", "Content-Length": "0"])
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(promise: nil) }
}

/// Forwards the text messages of a WebSocket as lines, and answers pings.
private final class TextMessages: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            var text = frame.unmaskedData
            if text.readableBytesView.last != UInt8(ascii: "\n") { text.writeInteger(UInt8(ascii: "\n")) }
            context.fireChannelRead(wrapInboundOut(text))
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }
}

/// Writes what arrives into a pipe.
private final class PipeRelay: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let file: Monitor<Int32?>

    init(_ descriptor: Int32) { file = Monitor(descriptor) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isWritten = file.withLock { descriptor in
            guard let descriptor else { return false }
            return (try? writeAll([UInt8](unwrapInboundIn(data).readableBytesView), to: descriptor)) != nil
        }
        if !isWritten { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { close() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func close() {
        file.withLock { descriptor in
            if let open = descriptor { Glibc.close(open) }
            descriptor = nil
        }
    }
}
