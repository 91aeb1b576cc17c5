internal import NIOCore

/// Closes the connections of a client that has its part of all connections. Those of proxies are not counted: their
/// requests come from many clients.
final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// What is read from a socket at once, in bytes. A connection whose request has to wait holds ten of these reads.
    private static let readBytes = 16 << 10

    /// TCP_NOTSENT_LOWAT of <netinet/tcp.h>. Without it, the kernel takes up to four megabytes for a client that does not read.
    private static let unsentBytes = NIOBSDSocket.Option(rawValue: 25)

    private let connections: Allowance
    private let clients: ClientFinder
    private var place: Reservation?

    init(_ connections: Allowance, _ clients: ClientFinder) {
        (self.connections, self.clients) = (connections, clients)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readBytes))
        try? context.channel.syncOptions?.setOption(
            .tcpOption(Self.unsentBytes), value: SocketOptionValue(PacedWriter.unsentBytes))
        guard let client = clients.client(ofConnection: context.channel.remoteAddress) else { return }
        do throws(Allowance.Refusal) { place = try connections.reserve(1, for: client) } catch {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { place = nil }

    func channelInactive(context: ChannelHandlerContext) {
        place = nil
        context.fireChannelInactive()
    }
}
