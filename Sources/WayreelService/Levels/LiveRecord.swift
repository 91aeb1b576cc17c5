internal import HTTPTypes
internal import Hummingbird

/// The entries of a WebSocket of live levels in the request log and the metrics.
final class LiveRecord {
    /// The value of `X-Request-ID`.
    let id = "\(RequestID())"
    /// The bytes of sent and received messages.
    var (sentBytes, receivedBytes) = (0, 0)
    private let path: String
    private let metrics: Metrics
    private let log: ServiceLog?
    private let start = ContinuousClock.now

    private let client: Client

    init(_ request: HTTPRequest, from client: Client, _ metrics: Metrics, _ log: ServiceLog?) {
        self.client = client
        path = String(request.path?.split(separator: "?", maxSplits: 1).first ?? "")
        self.metrics = metrics
        self.log = log
    }

    private var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Counts the answer to the handshake.
    func begin() { metrics.count(route: LiveLevels.path, status: 101, seconds: seconds) }

    /// Writes the line in the log when the connection is closed.
    func end() {
        log?.write(
            method: "GET", path: path, status: 101, bytes: sentBytes, id: id, client: client, seconds: seconds,
            receivedBytes: receivedBytes)
    }
}
