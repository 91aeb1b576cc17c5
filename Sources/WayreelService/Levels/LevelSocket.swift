internal import NIOCore
internal import NIOWebSocket
internal import WayreelCore

/// Takes part in a WebSocket on which a client sends PCM in binary messages and gets a text message for each reading.
///
/// The samples of all messages form one stream. After the text message `end` the client gets the last, partial reading,
/// and the socket is closed. Samples are metered on other threads, one frame at a time, while later frames wait.
final class LevelSocket: WebSocketGuest {
    let takesPieces = true
    private let stream: LevelStream
    /// Its place among all streams.
    private let place: Reservation
    /// The threads that meter the samples.
    private let threads: WorkPool

    init(_ stream: LevelStream, _ place: Reservation, _ threads: WorkPool) {
        (self.stream, self.place, self.threads) = (stream, place, threads)
    }

    func begin(_ socket: WebSocket) { send(stream.header, socket) }

    func receive(_ data: ByteBuffer, isText: Bool, isLast: Bool, _ socket: WebSocket) {
        guard isText else { return meter(socket) { try $0.add(data) } }
        guard isLast, String(buffer: data) == "end" else { return socket.close(.unacceptableData) }
        meter(socket, isLast: true) { try $0.finish() }
    }

    func canWrite(_ socket: WebSocket) {}

    func end() {}

    /// Runs `body` on another thread and sends the lines that it returns.
    private func meter(
        _ socket: WebSocket, isLast: Bool = false, _ body: @escaping @Sendable (LevelStream) throws -> [Substring]
    ) {
        let stream = stream
        socket.work(on: threads) {
            Result { try body(stream) }
        } done: { [self] lines in
            switch lines {
            case .success(let lines):
                send(lines, socket)
                if isLast { socket.close(.normalClosure) }
            case .failure: socket.close(.unexpectedServerError)
            }
        }
    }

    private func send(_ lines: [Substring], _ socket: WebSocket) {
        for line in lines { socket.send(line) }
    }
}
