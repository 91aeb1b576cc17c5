internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import WayreelCore
internal import WayreelImage

/// The parts of a request for an image that its answer depends on.
struct ImageRequestKey: Hashable, Sendable {
    var path: String
    var accept: String?
    var hints: ClientHints?
    /// The version of the keys, because an address that a removed key signed is not valid any more.
    var keys: Int

    init(_ request: Request, hasHints: Bool, keys: Int) {
        self.keys = keys
        path = request.uri.path
        accept = request.headers[.accept]
        hints = hasHints ? ClientHints(request.headers) : nil
    }
}

/// A validated request for an image.
struct ImageRequest: Sendable {
    var source: ImageSource
    var options: CaptureOptions
    /// The SHA-256 of everything that the result depends on.
    var key: String
    /// The value of `Content-Disposition`.
    var download: String?
    /// Seconds since 1970 of the last change of a file that the result depends on; nil for a remote image.
    var lastModified: Int?
    /// The URL where everybody finds the source.
    var canonical: String?
    /// The last second since 1970 at which the address is valid.
    var expiry: Int64?
    /// The request headers that the answer depends on.
    var vary: String
}

/// The source of an image.
enum ImageSource: Sendable {
    case file(ImageFolder.File)
    case remote(RemoteURL)

    /// Changes when the image may have changed. A remote image counts as unchanged for `max-age` seconds.
    func identity(_ settings: ServiceSettings) -> [String] {
        switch self {
        case .file(let file): [file.stamp.text, file.path]
        case .remote(let url): [url.text, "\(time(nil) / max(1, settings.maxAge))"]
        }
    }
}

/// A cache of the validated requests of the last second, so that the files of a popular image are not looked up for each
/// request. A changed file is noticed within a second.
final class RecentImageRequests: Sendable {
    private struct Known {
        var request: ImageRequest
        var time: ContinuousClock.Instant
    }

    /// Limited by the estimated bytes of its entries: the path of a request may have 16 KiB.
    private let known = Mutex(RecentValues<ImageRequestKey, Known>(maxCost: 4 << 20))
    private static let entryBytes = 2048

    subscript(key: ImageRequestKey) -> ImageRequest? {
        get {
            let now = ContinuousClock.now
            return known.withLock { $0[key] }.flatMap { now - $0.time < .seconds(1) ? $0.request : nil }
        }
        set {
            guard let newValue else { return }
            let cost = Self.entryBytes + 2 * key.path.utf8.count
            known.withLock { $0.keep(Known(request: newValue, time: .now), cost: cost, for: key) }
        }
    }
}
