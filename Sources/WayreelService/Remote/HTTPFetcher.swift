internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import WayreelCore

/// Fetches files from other servers, at URLs that the caller has checked.
package enum HTTPFetcher {
    /// The answer of a server.
    package enum Answer: Sendable {
        case content(MediaBytes)
        /// The value of `Location`; nil if it is missing.
        case redirect(String?)
        /// A status other than 200.
        case status(Int)
    }

    /// What content of undeclared size takes at once.
    private static let stepBytes = 1 << 20

    /// An error of `reserve`.
    private struct Refusal: Error {
        var cause: any Error
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
    ///   - reserve: Called with the number of bytes in all before memory is taken for them. An error ends the request.
    ///
    /// Throws a ``Fault``, or a `CancellationError`.
    package static func get(
        _ url: String, host: String, at address: String, maxBytes: Int, until deadline: ContinuousClock.Instant,
        reserve: @Sendable (Int) throws -> Void
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "image/*")
        return try await withClient(addresses: [host: address]) { [request] client in
            let response = try await response(of: client, to: request, until: deadline)
            switch response.status.code {
            case 200:
                return .content(try await content(of: response, maxBytes: maxBytes, until: deadline, reserve: reserve))
            case 301, 302, 303, 307, 308: return .redirect(response.headers.first(name: "Location"))
            case let status: return .status(Int(status))
            }
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
            let content = try await content(of: response, maxBytes: maxBytes, until: deadline)
            return (Int(response.status.code), content.array)
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
        case .failure(let refusal as Refusal): throw refusal.cause
        case .failure(is CancellationError): throw CancellationError()
        case .failure(let error as HTTPClientError) where error == .deadlineExceeded || error == .readTimeout:
            throw Fault.tooSlow
        case .failure: throw Fault.unreachable
        }
    }

    /// The client of ``post(_:type:to:seconds:)``. It makes no spans: what sends spans would make new ones for ever.
    private static let sender: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.tracing.tracer = nil
        return HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }()

    /// Sends `body` to `url`, which an operator has set, and returns the status of the answer, whose body is dropped.
    ///
    /// Throws an error if there is no answer within `seconds`.
    package static func post(_ body: [UInt8], type: String, to url: String, seconds: Double) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: type)
        request.headers.add(name: "User-Agent", value: "Wayreel/\(WayreelVersion.text)")
        request.body = .bytes(ByteBuffer(bytes: body))
        let timeout = TimeAmount.milliseconds(Int64(seconds * 1000))
        let response = try await sender.execute(request, timeout: timeout)
        var count = 0
        for try await part in response.body {
            count += part.readableBytes
            guard count <= 1 << 20 else { throw Fault.tooLarge }
        }
        return Int(response.status.code)
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
        of response: HTTPClientResponse, maxBytes: Int, until deadline: ContinuousClock.Instant,
        reserve: @Sendable (Int) throws -> Void = { _ in }
    ) async throws -> MediaBytes {
        let declared = response.headers.first(name: "Content-Length").flatMap(Int.init)
        guard declared.map({ $0 <= maxBytes }) ?? true else { throw Fault.tooLarge }
        func reserved(_ bytes: Int) throws {
            do { try reserve(bytes) } catch { throw Refusal(cause: error) }
        }
        let first = declared ?? min(stepBytes, maxBytes)
        try reserved(first)
        let content = try MediaBuffer(capacity: first)
        for try await chunk in response.body {
            guard ContinuousClock.now < deadline else { throw Fault.tooSlow }
            let needed = content.count + chunk.readableBytes
            guard needed <= maxBytes else { throw Fault.tooLarge }
            if needed > content.capacity {
                let capacity = max(needed, min(content.capacity + stepBytes, maxBytes))
                try reserved(capacity)
                try content.grow(to: capacity)
            }
            chunk.withUnsafeReadableBytes(content.append)
        }
        return content.finish()
    }
}
