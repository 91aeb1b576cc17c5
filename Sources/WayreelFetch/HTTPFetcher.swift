internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import WayreelCore

/// Fetches files from other servers, at URLs that the caller has checked.
package enum HTTPFetcher {
    /// The answer of a server.
    package enum Answer: Sendable {
        case content([UInt8])
        /// The value of `Location`; nil if it is missing.
        case redirect(String?)
        /// A status other than 200.
        case status(Int)
    }

    package enum Fault: Error {
        case tooLarge
        case tooSlow
        case unreachable
    }

    /// Sends one request, without following redirects.
    ///
    /// - Parameters:
    ///   - url: The URL, whose host is `host`.
    ///   - address: The IP address to connect to. TLS still verifies the certificate of `host`.
    ///   - maxBytes: Max size of the content in bytes.
    ///
    /// Throws a ``Fault``, or a `CancellationError`.
    package static func get(
        _ url: String, host: String, at address: String, maxBytes: Int, until deadline: ContinuousClock.Instant
    ) async throws -> Answer {
        try await withClient(addresses: [host: address]) { client in
            try await answer(of: client, to: url, maxBytes: maxBytes, until: deadline)
        }
    }

    /// Sends a request to a server that the operator has chosen, without following redirects, and returns the status and
    /// the content of the answer. With a `form`, it is a `POST`.
    ///
    /// - Parameters:
    ///   - form: The content, as `application/x-www-form-urlencoded`.
    ///   - authorization: The value of `Authorization`.
    ///   - maxBytes: Max size of the answer's content in bytes.
    ///
    /// Throws a ``Fault``, or a `CancellationError`.
    package static func exchange(
        _ url: String, form: String? = nil, authorization: String? = nil, maxBytes: Int,
        until deadline: ContinuousClock.Instant
    ) async throws -> (status: Int, content: [UInt8]) {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/json")
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        if let form {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
        }
        return try await withClient(addresses: [:]) { [request] client in
            let response = try await response(of: client, to: request, until: deadline)
            return (Int(response.status.code), try await content(of: response, maxBytes: maxBytes, until: deadline))
        }
    }

    /// Runs `body` with a separate client, since the addresses of host names are settings of a client. Throws likewise.
    private static func withClient<Value: Sendable>(
        addresses: [String: String], _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: .seconds(10)))
        configuration.dnsOverride = addresses
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        try? await client.shutdown()
        switch result {
        case .success(let value): return value
        case .failure(let fault as Fault): throw fault
        case .failure(is CancellationError): throw CancellationError()
        case .failure(let error as HTTPClientError) where error == .deadlineExceeded || error == .readTimeout:
            throw Fault.tooSlow
        case .failure: throw Fault.unreachable
        }
    }

    private static func answer(
        of client: HTTPClient, to url: String, maxBytes: Int, until deadline: ContinuousClock.Instant
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "image/*")
        let response = try await response(of: client, to: request, until: deadline)
        switch response.status.code {
        case 200: break
        case 301, 302, 303, 307, 308: return .redirect(response.headers.first(name: "Location"))
        case let status: return .status(Int(status))
        }
        return .content(try await content(of: response, maxBytes: maxBytes, until: deadline))
    }

    private static func response(
        of client: HTTPClient, to request: HTTPClientRequest, until deadline: ContinuousClock.Instant
    ) async throws -> HTTPClientResponse {
        var request = request
        request.headers.add(name: "User-Agent", value: "Wayreel/\(WayreelVersion.text)")
        let left = max(0, (deadline - ContinuousClock.now) / .seconds(1))
        return try await client.execute(request, timeout: .nanoseconds(Int64(left * 1e9)))
    }

    private static func content(
        of response: HTTPClientResponse, maxBytes: Int, until deadline: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        let declared = response.headers.first(name: "Content-Length").flatMap(Int.init)
        guard declared.map({ $0 <= maxBytes }) ?? true else { throw Fault.tooLarge }
        var bytes: [UInt8] = []
        for try await chunk in response.body {
            guard ContinuousClock.now < deadline else { throw Fault.tooSlow }
            guard bytes.count + chunk.readableBytes <= maxBytes else { throw Fault.tooLarge }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
