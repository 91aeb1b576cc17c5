internal import HTTPTypes
internal import Hummingbird

/// What the request log and the metrics say about a WebSocket of live levels.
final class LiveRecord {
    /// As in `X-Request-ID`.
    let id = "\(RequestID())"
    /// Bytes of the messages that were sent and that arrived.
    var (sentBytes, receivedBytes) = (0, 0)
    private let path: String
    private let metrics: Metrics
    private let log: ServiceLog?
    private let start = ContinuousClock.now

    init(_ request: HTTPRequest, _ metrics: Metrics, _ log: ServiceLog?) {
        path = String(request.path?.split(separator: "?", maxSplits: 1).first ?? "")
        self.metrics = metrics
        self.log = log
    }

    private var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Counts the answer to the handshake, as every answer is counted when its head is sent.
    func begin() { metrics.count(route: LiveLevels.path, status: 101, seconds: seconds) }

    /// Writes the line, when the connection is closed.
    func end() {
        log?.write(
            method: "GET", path: path, status: 101, bytes: sentBytes, id: id, seconds: seconds,
            receivedBytes: receivedBytes)
    }
}
