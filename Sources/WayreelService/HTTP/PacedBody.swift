internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Writes a body no faster than its client reads it.
///
/// A writer learns that a connection takes no more only when its event loop has written what came before. Until then, it
/// would go on, and a client that does not read would have the whole body in memory. So it waits for the event loop after
/// each piece.
struct PacedWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private let loop: any EventLoop
    /// The bytes written since the event loop was waited for.
    private var bytes = 0

    private static let pieceBytes = 128 << 10
    /// What the kernel takes of a connection beyond what is on its way to the client.
    static let unsentBytes = 64 << 10
    /// What one answer holds in memory at most that its client has not read: a piece, what waits in the connection before that
    /// counts as full (64 KiB), and what the kernel has.
    static let aheadBytes = pieceBytes + (64 << 10) + 2 * unsentBytes

    init(_ base: any ResponseBodyWriter, on loop: any EventLoop) { (self.base, self.loop) = (base, loop) }

    mutating func write(_ buffer: ByteBuffer) async throws {
        bytes += buffer.readableBytes
        try await base.write(buffer)
        guard bytes >= Self.pieceBytes else { return }
        bytes = 0
        try await loop.submit {}.get()
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await base.finish(trailingHeaders) }
}

extension Response {
    /// An answer of so many bytes is part of the memory of its connection.
    private static let freeBytes = 16 << 10

    /// Lets the body wait for its client, and reserves what it holds meanwhile.
    ///
    /// Throws a ``Problem`` if there is no memory for it.
    mutating func pace(on loop: any EventLoop, in queue: RequestQueue, for client: Client) throws {
        let length = body.contentLength
        guard length.map({ $0 > Self.freeBytes }) ?? true else { return }
        let memory = try queue.reserve(min(length ?? Self.freeBytes, PacedWriter.aheadBytes), for: client)
        let whole = body
        body = ResponseBody(contentLength: length) { writer in
            defer { withExtendedLifetime(memory) {} }
            try await whole.write(PacedWriter(writer, on: loop))
        }
    }
}
