package import WayreelCore
package import WayreelDocument
package import WayreelImage
internal import WayreelTasks

/// The settings of the service: from flags, environment variables (`WAYREEL_MAX_PIXELS`) and a YAML file
/// (`max-pixels:`), in this order of precedence, over defaults.
package struct ServiceSettings: Sendable {
    package struct Address: Hashable, Sendable {
        package var host: String
        package var port: Int

        /// Only programs of the same machine reach it.
        package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" || host == "localhost" }
    }

    package var listen = Address(host: "127.0.0.1", port: 8080)
    /// PEM files.
    package var certificate: String?
    package var privateKey: String?
    package var keys: String?
    package var images: String?
    /// URLs of folders at other servers whose images addresses may name.
    package var sources: [String] = []
    package var recipes: String?
    package var recipesOnly = false
    package var stories: String?
    /// The folder of what is kept: players' journals, captures, notes and recordings.
    package var data: String?
    /// The file of the keys of players' tokens.
    package var playerKeys: String?
    /// What the `aud` of players' tokens has to contain; nil for anything.
    package var audience: String?
    /// The address at which browsers reach the player, which passkeys belong to.
    package var publicURL: String?
    /// A provider of OpenID Connect at which players sign in.
    package var oidcIssuer: String?
    package var oidcClientID: String?
    /// A file whose first line is the secret of the client.
    package var oidcClientSecretFile: String?
    /// Whether everybody may make an account.
    package var signUp = false
    /// Of the images that are kept for a player.
    package var playerBytes = 1 << 30
    /// Of the samples of the recordings of a player, and of all players, as NDJSON.
    package var playerRecordingBytes = 1 << 30
    package var recordingBytes = 10 << 30
    /// Of a recording that is sent.
    package var maxRecordingBytes = 256 << 20
    package var formats: [WayreelImage.Encoding.Format] = [.webp]
    package var cache: String?
    package var cacheBytes = 1 << 30
    /// Bytes of the cache's results that are also kept in memory.
    package var cacheMemory = 32 << 20
    package var maxAge = 3600
    /// Whether the headers `Sec-CH-DPR` and `Sec-CH-Width` size images that have no size in their address.
    package var clientHints = false
    /// Requests a second that one client may make on average; nil for any number.
    package var clientRate: Double?
    /// The addresses of proxies whose `X-Forwarded-For` names the client.
    package var proxies: [String] = []
    package var maxConnections = 12_000
    /// Of the disks of ``data`` and ``cache``; with less, the service is not ready.
    package var minFreeBytes = 256 << 20
    package var jobs: Int?
    package var queue = 64
    /// Of uploads, sources and answers; nil for what ``MemoryPlan`` makes of ``memory``.
    package var queueBytes: Int?
    package var maxBytes = 64 << 20
    package var maxPixels = 100_000_000
    package var maxSeconds = 20.0
    /// What the service and its child processes may take, in bytes; nil for what the machine or the control group has.
    package var memory: Int?
    /// Of each child process, which runs a job or prepares an image, in bytes; nil for what ``MemoryPlan`` makes of
    /// ``memory``.
    package var maxMemory: Int?
    /// The part of memory, queues, connections, streams and jobs that one client may have.
    package var clientShare = 0.25
    package var idleSeconds = 60.0
    package var uploadSeconds = 120.0
    package var log = true
    /// A file that spans are appended to.
    package var traces: String?
    /// The address of an OpenTelemetry collector.
    package var otlp: String?
    /// The origins of pages that may use the service; `*` for any.
    package var allowOrigin: [String] = []
    /// The sources of `frame-ancestors` in the pages' Content-Security-Policy.
    package var frameAncestors = ["'none'"]
    /// The file of an image that answers for one that is missing or damaged.
    package var fallbackImage: String?
    /// The status of that answer; nil for that of the problem.
    package var fallbackStatus: Int?
    /// The URL of a folder where everybody finds the images of ``images``.
    package var canonical: String?
    /// The file of the keys of encrypted sources.
    package var sourceKeys: String?
    package var transcodes = 1
    package var queuedJobs = 100
    package var jobBytes = 10 << 30
    package var jobSeconds = 86_400
    package var maxVideoBytes = 2 << 30
    package var maxTranscodeSeconds = 7200.0
    package var liveStreams = 100
    package var sensorStreams = 8
    package var viewers = 50

    package init() {}

    /// Whether players send and view live streams of sensors: those with tokens, or everybody on this machine alone.
    var hasSensorStreams: Bool { needsTokens || listen.isLoopback && keys == nil && proxies.isEmpty }

    /// Whether requests of players need a token, of the operator or of a session.
    var needsTokens: Bool { playerKeys != nil || publicURL != nil }

    /// The limits of each image.
    var limits: Limits {
        // The default limit lets streamed images be larger; another one holds for all.
        let pixels = maxPixels == Limits.standard.pixels ? nil : maxPixels
        return Limits(pixels: pixels, inputBytes: maxBytes, seconds: maxSeconds)
    }
}

extension ServiceSettings {
    /// The table of all settings.
    package static let table: [Setting<ServiceSettings>] = [
        .value("listen", "an address such as 127.0.0.1:8080 or [::]:8443", read: Address.init) { $0.listen = $1 },
        .text("certificate", "a PEM file with the certificate chain") { $0.certificate = $1 },
        .text("private-key", "a PEM file") { $0.privateKey = $1 },
        .text("keys", "a file of signing keys, id:hexadecimal on each line") { $0.keys = $1 },
        .text("images", "a folder") { $0.images = $1 },
        .value(
            "sources", "URLs of folders such as https://photos.example.org/, with commas between them",
            read: { text in
                let urls = text.split(separator: ",").map(String.init)
                return urls.allSatisfy { RemotePrefix($0) != nil } ? urls : nil
            }
        ) { $0.sources = $1 },
        .text("recipes", "a folder of recipes, NAME.yml") { $0.recipes = $1 },
        .flag("recipes-only") { $0.recipesOnly = $1 },
        .text("stories", "a folder of bundles") { $0.stories = $1 },
        .text("data", "a folder") { $0.data = $1 },
        .text("player-keys", "a file of id:hexadecimal on each line, or a PEM with an ES256 key") {
            $0.playerKeys = $1
        },
        .value(
            "public-url", "https:// and a host name, without a path, such as https://stories.example.org",
            read: { PasskeySite($0) == nil ? nil : $0 }
        ) { $0.publicURL = $1 },
        .flag("sign-up") { $0.signUp = $1 },
        .value(
            "oidc-issuer", "an https URL such as https://login.example.org",
            read: { OpenIDProvider.isURL($0) ? $0 : nil }
        ) { $0.oidcIssuer = $1 },
        .text("oidc-client-id", "the id of this service at the issuer") { $0.oidcClientID = $1 },
        .text("oidc-client-secret-file", "a file with the secret of this service at the issuer") {
            $0.oidcClientSecretFile = $1
        },
        .text("audience", "a name such as https://images.example.org") { $0.audience = $1 },
        .value("player-bytes", "a size such as 1GB", read: { Quantity.bytes.parse($0) }) { $0.playerBytes = $1 },
        .value("player-recording-bytes", "a size such as 1GB", read: { Quantity.bytes.parse($0) }) {
            $0.playerRecordingBytes = $1
        },
        .value("recording-bytes", "a size such as 10GB", read: { Quantity.bytes.parse($0) }) { $0.recordingBytes = $1 },
        .value("max-recording-bytes", "a size such as 256MB", read: { Quantity.bytes.parse($0) }) {
            $0.maxRecordingBytes = $1
        },
        .value(
            "formats", "avif and webp, in any combination, or none",
            read: { text in
                let names = text == "none" ? [] : text.split(separator: ",").map(String.init)
                let formats = names.compactMap { ["avif": WayreelImage.Encoding.Format.avif, "webp": .webp][$0] }
                return formats.count == names.count ? formats : nil
            }
        ) { $0.formats = $1 },
        .text("cache", "a folder") { $0.cache = $1 },
        .value("cache-bytes", "a size such as 2GB", read: { Quantity.bytes.parse($0) }) { $0.cacheBytes = $1 },
        .value("cache-memory", "a size such as 32MB", read: { Quantity.bytes.parse($0) }) { $0.cacheMemory = $1 },
        .whole("max-age", 0...31_536_000, "seconds") { $0.maxAge = $1 },
        .flag("client-hints") { $0.clientHints = $1 },
        .number("client-rate", 0.01...1_000_000, unit: " requests a second") { $0.clientRate = $1 },
        .value(
            "proxies", "IP addresses with commas between them",
            read: { text in
                let addresses = text.split(separator: ",").map(String.init)
                return addresses.allSatisfy { HostAddress($0) != nil } ? addresses : nil
            }
        ) { $0.proxies = $1 },
        .whole("max-connections", 1...1_000_000, "connections") { $0.maxConnections = $1 },
        .value("min-free-bytes", "a size such as 256MB", read: { Quantity.bytes.parse($0) }) { $0.minFreeBytes = $1 },
        .whole("jobs", 1...1024, "images at once") { $0.jobs = $1 },
        .whole("queue", 1...1_000_000, "requests") { $0.queue = $1 },
        .value("queue-bytes", "a size such as 512MB", read: { Quantity.bytes.parse($0) }) { $0.queueBytes = $1 },
        .value("max-bytes", "a size such as 64MB", read: { Quantity.bytes.parse($0) }) { $0.maxBytes = $1 },
        .whole("max-pixels", 1...1_000_000_000, "pixels") { $0.maxPixels = $1 },
        .number("max-seconds", 0.01...3600, unit: " seconds") { $0.maxSeconds = $1 },
        .value(
            "memory", "a size of at least 300MB, such as 2GB",
            read: { text in Quantity.bytes.parse(text).flatMap { $0 >= 300_000_000 ? $0 : nil } }
        ) { $0.memory = $1 },
        .number("client-share", 0.01...1) { $0.clientShare = $1 },
        .value(
            "max-memory", "a size of at least \(Isolation.minMemoryBytes / 1_000_000)MB, such as 4GB",
            read: { text in Quantity.bytes.parse(text).flatMap { $0 >= Isolation.minMemoryBytes ? $0 : nil } }
        ) { $0.maxMemory = $1 },
        .number("idle-seconds", 0.1...3600, unit: " seconds") { $0.idleSeconds = $1 },
        .number("upload-seconds", 0.1...86_400, unit: " seconds") { $0.uploadSeconds = $1 },
        .flag("log") { $0.log = $1 },
        .text("traces", "a file") { $0.traces = $1 },
        .value(
            "otlp", "the address of a collector such as http://127.0.0.1:4318",
            read: { RemoteURL($0) == nil ? nil : $0 }
        ) { $0.otlp = $1 },
        .value(
            "allow-origin", "origins such as https://school.example.org with commas between them, or *",
            read: { text in
                let origins = text.split(separator: ",").map(String.init)
                return !origins.isEmpty && origins.allSatisfy(AllowedOrigins.isOrigin) ? origins : nil
            }
        ) { $0.allowOrigin = $1 },
        .value(
            "frame-ancestors", "none, self, or origins such as https://school.example.org with commas between them",
            read: { FrameAncestors.sources($0) }
        ) { $0.frameAncestors = $1 },
        .text("fallback-image", "a file") { $0.fallbackImage = $1 },
        .value(
            "fallback-status", "an HTTP status from 200 to 599 with content", values: .integer(200...599),
            read: { Int($0).flatMap { (200...599).contains($0) && ![204, 205, 304].contains($0) ? $0 : nil } }
        ) { $0.fallbackStatus = $1 },
        .value(
            "canonical", "the URL of a folder such as https://photos.example.org/",
            read: { text in RemoteURL(text) != nil && text.hasSuffix("/") ? text : nil }
        ) { $0.canonical = $1 },
        .text("source-keys", "a file of keys, id:hexadecimal on each line") { $0.sourceKeys = $1 },
        .whole("transcodes", 1...1024, "videos at once") { $0.transcodes = $1 },
        .whole("queued-jobs", 1...1_000_000, "jobs") { $0.queuedJobs = $1 },
        .value("job-bytes", "a size such as 10GB", read: { Quantity.bytes.parse($0) }) { $0.jobBytes = $1 },
        .whole("job-seconds", 1...31_536_000, "seconds") { $0.jobSeconds = $1 },
        .value("max-video-bytes", "a size such as 2GB", read: { Quantity.bytes.parse($0) }) { $0.maxVideoBytes = $1 },
        .number("max-transcode-seconds", 1...604_800, unit: " seconds") { $0.maxTranscodeSeconds = $1 },
        .whole("live-streams", 1...1_000_000, "streams") { $0.liveStreams = $1 },
        .whole("sensor-streams", 1...10_000, "streams") { $0.sensorStreams = $1 },
        .whole("viewers", 1...1_000_000, "viewers") { $0.viewers = $1 },
    ]

    /// Defaults, then the file, then `environment`, then `flags`, by the names of the table.
    ///
    /// Throws a `parameter` error that names the file and line, the variable or the flag, and the errors of a file that
    /// cannot be read.
    package static func load(
        file: String?, environment: [String: String], flags: [(name: String, value: String)]
    ) throws(MediaError) -> ServiceSettings {
        var settings = ServiceSettings()
        if let file {
            let bytes = try MediaBytes.read(path: file, limit: YAMLDocument.sizeLimit)
            let start = DocumentLocation(.settings, file: file)
            let node = try YAMLDocument.parse(bytes.array, at: start)
            if let node, !node.isNull, node.fields == nil {
                throw node.location.fault(
                    "settings are a mapping, not \(node.shown)", "write lines such as 'listen: 127.0.0.1:8080'")
            }
            try table.apply(node?.fields ?? [], to: &settings, called: "the settings file")
        }
        for setting in table {
            let variable = "WAYREEL_" + setting.key.uppercased().replacing("-", with: "_")
            let flag = flags.last { $0.name == setting.key }
            for (source, value) in [(variable, environment[variable]), ("--\(setting.key)", flag?.value)] {
                guard let value else { continue }
                let location = DocumentLocation(.settings, file: source)
                try setting.apply(YAMLNode(.scalar(value, isPlain: true), at: location), to: &settings)
            }
        }
        try settings.check()
        return settings
    }

    private func check() throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .settings)
        guard (certificate == nil) == (privateKey == nil) else {
            throw fault("a certificate and a private key belong together")
        }
        guard playerKeys == nil || data != nil else {
            throw fault("player keys need a folder of data", "name one with --data")
        }
        // Who signs in by a passkey needs no keys.
        guard keys == nil && proxies.isEmpty || data == nil || needsTokens else {
            throw fault(
                "\(keys == nil ? "proxies" : "keys") are set, so others reach the service, "
                    + "and everybody could read and change the journals in the folder of data",
                "name a file of the keys of players' tokens with --player-keys")
        }
        guard publicURL == nil || data != nil else {
            throw fault("passkeys need a folder of data", "name one with --data")
        }
        guard !signUp || publicURL != nil else {
            throw fault("new accounts have passkeys", "name the address that they belong to with --public-url")
        }
        guard oidcIssuer == nil || (publicURL != nil && oidcClientID != nil) else {
            throw fault(
                "a sign-in at an issuer needs the id of this service there, and the address to come back to",
                "give --oidc-client-id and --public-url")
        }
        guard oidcIssuer != nil || (oidcClientID == nil && oidcClientSecretFile == nil) else {
            throw fault("the client's id and secret are those at an issuer", "name it with --oidc-issuer")
        }
        guard fallbackStatus == nil || fallbackImage != nil else {
            throw fault("a fallback status is that of a fallback image", "name one with --fallback-image")
        }
        let hasImages = images != nil || !sources.isEmpty
        guard hasImages || fallbackImage == nil && sourceKeys == nil && canonical == nil else {
            throw fault(
                "a fallback image, canonical addresses and keys of sources are for images by address",
                "name their folder with --images, or servers with --sources")
        }
        guard audience == nil || playerKeys != nil else {
            throw fault("an audience is that of players' tokens", "name a file of their keys with --player-keys")
        }
        guard keys != nil || listen.isLoopback else {
            throw fault(
                "\(listen.host) is reached from other machines, and no keys are set",
                "name a file of keys, or listen on 127.0.0.1")
        }
    }
}

extension ServiceSettings.Address {
    /// `host:port`; an IPv6 address in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        (self.host, self.port) = (String(host), port)
    }
}

extension Setting {
    /// The same setting of a part of `Whole`. `given`: what says that it is given.
    func of<Whole>(
        _ part: any WritableKeyPath<Whole, Target> & Sendable,
        marking given: (any WritableKeyPath<Whole, Bool> & Sendable)? = nil
    ) -> Setting<Whole> {
        Setting<Whole>(key, expectation) { (node, whole) throws(MediaError) in
            try apply(node, to: &whole[keyPath: part])
            if let given { whole[keyPath: given] = true }
            return true
        }
    }

    static func whole(
        _ key: String, _ range: ClosedRange<Int>, _ unit: String, store: @escaping Store<Int>
    ) -> Setting {
        .value(
            key, "a whole number of \(unit), \(range.lowerBound) to \(range.upperBound)", values: .integer(range),
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, store: store)
    }
}
