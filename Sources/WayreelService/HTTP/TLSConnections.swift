internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL

/// Connections with TLS. Each uses the certificate of the time at which it begins, so that a renewed one needs no restart.
struct TLSConnections: ServerChildChannel {
    private let channel: HTTP1Channel
    private let certificate: Reloadable<NIOSSLContext>

    init(_ channel: HTTP1Channel, certificate: Reloadable<NIOSSLContext>) {
        (self.channel, self.certificate) = (channel, certificate)
    }

    func setup(channel connection: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        connection.eventLoop.makeCompletedFuture {
            try connection.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.value))
        }.flatMap { channel.setup(channel: connection, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await channel.handle(value: value, logger: logger) }
}
