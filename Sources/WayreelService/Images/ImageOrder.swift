internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import WayreelCore
internal import WayreelImage

/// What the answer to a request for an image depends on.
struct ImageQuestion: Hashable, Sendable {
    var path: String
    var accept: String?
    var hints: ClientHints?

    init(_ request: Request, hasHints: Bool) {
        path = request.uri.path
        accept = request.headers[.accept]
        hints = hasHints ? ClientHints(request.headers) : nil
    }
}

/// A question that was understood.
struct ImageOrder: Sendable {
    var source: ImageSource
    var options: CaptureOptions
    /// The SHA-256 of everything that the result depends on.
    var key: String
    /// The value of `Content-Disposition`.
    var download: String?
    /// The last second since 1970 at which the address is valid.
    var expiry: Int64?
    /// The request headers that the answer depends on.
    var vary: String
}

/// Where an image comes from.
enum ImageSource: Sendable {
    case file(ImageFolder.File)
    case remote(RemoteURL)

    /// What changes when the image may have. One of another server counts as the same for `max-age` seconds.
    func identity(_ settings: ServiceSettings) -> [String] {
        switch self {
        case .file(let file): [file.stamp.text, file.path]
        case .remote(let url): [url.text, "\(time(nil) / max(1, settings.maxAge))"]
        }
    }
}

/// The orders of the last second, so that what is asked for all the time is not looked up all the time. A file that changes is seen a
/// second later.
final class RecentOrders: Sendable {
    private struct Known {
        var order: ImageOrder
        var time: ContinuousClock.Instant
    }

    private let known = Mutex(RecentValues<ImageQuestion, Known>(maxCost: 4096))

    subscript(question: ImageQuestion) -> ImageOrder? {
        get {
            let now = ContinuousClock.now
            return known.withLock { $0[question] }.flatMap { now - $0.time < .seconds(1) ? $0.order : nil }
        }
        set {
            guard let newValue else { return }
            known.withLock { $0.keep(Known(order: newValue, time: .now), for: question) }
        }
    }
}
