internal import Hummingbird
internal import Logging
internal import NIOCore

/// The context of a request: its connection and the address of the peer.
struct ServiceContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    let remoteAddress: SocketAddress?
    /// Who sends the request, as limits tell clients apart.
    var client: Client

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = source.channel.remoteAddress
        client = .unknown
    }
}

/// Finds the client of each request, before all that limits it, and takes over the id that a trusted proxy gives it.
struct ClientMiddleware: RouterMiddleware {
    let finder: ClientFinder

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = finder.client(context.remoteAddress, request.headers)
        if finder.trusts(context.remoteAddress), let id = AnswerHeaders.requestID(of: request.headers) {
            context.logger[metadataKey: "hb.request.id"] = .string(id)
        }
        return try await next(request, context)
    }
}
