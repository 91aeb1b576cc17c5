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
        // A separate client, since the addresses of host names are settings of a client.
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: .seconds(10)))
        configuration.dnsOverride = [host: address]
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let result: Result<Answer, any Error>
        do { result = .success(try await answer(of: client, to: url, maxBytes: maxBytes, until: deadline)) } catch {
            result = .failure(error)
        }
        try? await client.shutdown()
        switch result {
        case .success(let answer): return answer
        case .failure(let fault as Fault): throw fault
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

    private static func answer(
        of client: HTTPClient, to url: String, maxBytes: Int, until deadline: ContinuousClock.Instant
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "Wayreel/\(WayreelVersion.text)")
        request.headers.add(name: "Accept", value: "image/*")
        let left = max(0, (deadline - ContinuousClock.now) / .seconds(1))
        let response = try await client.execute(request, timeout: .nanoseconds(Int64(left * 1e9)))
        switch response.status.code {
        case 200: break
        case 301, 302, 303, 307, 308: return .redirect(response.headers.first(name: "Location"))
        case let status: return .status(Int(status))
        }
        let declared = response.headers.first(name: "Content-Length").flatMap(Int.init)
        guard declared.map({ $0 <= maxBytes }) ?? true else { throw Fault.tooLarge }
        var bytes: [UInt8] = []
        for try await chunk in response.body {
            guard ContinuousClock.now < deadline else { throw Fault.tooSlow }
            guard bytes.count + chunk.readableBytes <= maxBytes else { throw Fault.tooLarge }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return .content(bytes)
    }
}
