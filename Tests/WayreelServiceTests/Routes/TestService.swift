import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import TestSupport
import WayreelCore
import WayreelService
import WayreelStorage

/// A service with a folder of its own, whose routes answer in this process: over no network, and without children.
struct TestService: Sendable {
    let folder = TemporaryFolder()
    let service: WayreelService.Service

    /// `flags`: as those of `wayreel serve`, in which `FOLDER` is the folder. `files`: their contents by their names in it.
    init(
        _ flags: [(name: String, value: String)] = [], files: [String: [UInt8]] = [:],
        stores: ServiceStores = ServiceStores()
    ) throws {
        for (name, bytes) in files { try OutputFile.write(bytes, to: "\(folder.path)/\(name)") }
        let path = folder.path
        let all = [("log", "false")] + flags.map { ($0.name, $0.value.replacing("FOLDER", with: path)) }
        service = try WayreelService.Service(
            try ServiceSettings.load(file: nil, environment: [:], flags: all), stores: stores)
    }

    /// Runs `body` with a client of the service.
    func test<Value>(_ body: @Sendable @escaping (ServiceClient) async throws -> Value) async throws -> Value {
        try await service.begin()
        let application = Application(responder: Connected(routes: service.buildRouter().buildResponder()))
        return try await application.test(.router) { try await body(ServiceClient(client: $0)) }
    }

    fileprivate static let peer = HTTPField.Name("Test-Peer")!

    /// Answers each request as one of the connected client that `Test-Peer` names.
    private struct Connected<Routes: HTTPResponder>: HTTPResponder where Routes.Context == ServiceContext {
        let routes: Routes

        func respond(to request: Request, context: ServiceContext) async throws -> Response {
            let peer = try SocketAddress(ipAddress: request.headers[TestService.peer] ?? "127.0.0.1", port: 1)
            let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: context.logger)
            return try await routes.respond(to: request, context: ServiceContext(inProcess: source, peer: peer))
        }
    }
}

/// Sends requests to a ``TestService``.
struct ServiceClient: Sendable {
    let client: any TestClientProtocol

    /// `peer`: the address of the client.
    func send(
        _ method: HTTPRequest.Method = .get, _ uri: String, _ headers: HTTPFields = [:], body: [UInt8]? = nil,
        peer: String = "127.0.0.1"
    ) async throws -> Answer {
        var headers = headers
        headers[TestService.peer] = peer
        let answer = try await client.execute(
            uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) })
        return Answer(status: answer.status.code, headers: answer.headers, bytes: Array(answer.body.readableBytesView))
    }

    /// Sends JSON.
    func post(_ uri: String, _ json: String, token: String? = nil, peer: String = "127.0.0.1") async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await send(.post, uri, headers, body: Array(json.utf8), peer: peer)
    }

    func get(_ uri: String, token: String) async throws -> Answer {
        try await send(.get, uri, [.authorization: "Bearer \(token)"])
    }
}

/// What a service answers.
struct Answer: Sendable {
    var status: Int
    var headers: HTTPFields
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    /// The value of a member of a JSON object whose value is a text.
    func member(_ name: String) -> String? {
        let parts = text.split(separator: "\"\(name)\":\"", maxSplits: 1)
        return parts.count == 2 || text.hasPrefix("\"\(name)\"")
            ? parts.last.map { String($0.prefix { $0 != "\"" }) } : nil
    }
}
