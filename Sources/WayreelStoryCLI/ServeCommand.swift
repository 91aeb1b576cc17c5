internal import ArgumentParser
internal import Foundation
internal import WayreelCLI
internal import WayreelCore
internal import WayreelService

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves captures, images and prepared stories over HTTP.",
        discussion: """
            On this machine alone, without keys; prints what to open:
              wayreel serve --images photos/
              curl --data-binary @photo.heic 'http://127.0.0.1:8080/v1/captures?screen=iphone-15' -o out.jpg
              curl http://127.0.0.1:8080/v1/images/unsafe/screen:512x512/fit:contain/photo.jpg -o small.jpg
            With levels of audio, and with videos as jobs that survive a restart:
              wayreel serve --data state/ --transcodes 2
              curl --data-binary @radio.mp3 'http://127.0.0.1:8080/v1/levels?rate=30' -o levels.json
              curl -i --data-binary @clip.mov 'http://127.0.0.1:8080/v1/transcodes?screen=iphone-15'
              curl -N http://127.0.0.1:8080/v1/jobs/ID/events
            Prepared stories, played in a browser; with ?preview for authors, who walk by clicking on the map:
              wayreel prepare story.xml -o bundles/story --screen iphone-15
              wayreel serve --stories bundles/
            For others, with signed addresses, TLS and a cache of results:
              openssl rand -hex 32 | sed 's/^/k1:/' > keys.txt
              wayreel serve --listen 0.0.0.0:8443 --tls cert.pem key.pem --keys keys.txt \\
                --images photos/ --cache cache/ --cache-bytes 2GB --jobs 2
            With journals, captures and notes of players, who have tokens:
              openssl rand -hex 32 | sed 's/^/p1:/' > player-keys.txt
              wayreel serve --stories bundles/ --data data/ --player-keys player-keys.txt
              wayreel token ines --keys player-keys.txt
            With accounts that players make and use by themselves, by passkeys:
              wayreel serve --stories bundles/ --data data/ --public-url https://stories.example.org --sign-up true
            With settings from a file, checked and not run:
              wayreel serve --config service.yml --check

            Every option is also a key of the file (max-pixels: 50000000) and an environment variable
            (WAYREEL_MAX_PIXELS=50000000). Flags come before variables, variables before the file.

            SIGHUP makes it read --keys, --player-keys, --source-keys and --tls again; what cannot be used stays as it was.
            Exit status: 0 after SIGTERM or Ctrl-C, when what was under way has ended; 1 where it cannot start; 2 wrong usage.
            """)

    @OptionGroup var settings: ServiceOptions

    @Option(help: "A YAML file of settings.", completion: .file())
    var config: String?

    @Flag(help: "Check the settings, open what they name, and exit.")
    var check = false

    func run() async throws {
        // At first, so that a signal that comes early does not end it.
        try ReloadSignal.install()
        let settings = try ServiceSettings.load(
            file: config, environment: ProcessInfo.processInfo.environment, flags: settings.given)
        let service = try Service(settings, worker: FastProgram.checkedWorker())
        if check {
            return try Console.output((["the settings are right"] + service.memory).joined(separator: "\n"))
        }
        let host = settings.listen.host.contains(":") ? "[\(settings.listen.host)]" : settings.listen.host
        let scheme = settings.certificate == nil ? "http" : "https"
        try await service.run { port in
            let address = "\(scheme)://\(host):\(port)/"
            print("wayreel listens on \(address)")
            if settings.stories != nil { print("stories are played at \(address)") }
            print("requests are described, and tried, at \(address)api")
            fflush(nil)
        }
    }
}

/// The settings as flags; ``ServiceSettings/table`` parses their values.
struct ServiceOptions: ParsableArguments {
    @Option(help: "Address and port; port 0 chooses a free one. (default: 127.0.0.1:8080)")
    var listen: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Certificate chain and private key for TLS, PEM.", valueName: "certificate> <key"),
        completion: .file())
    var tls: [String] = []
    @Option(help: "The certificate chain alone.", completion: .file())
    var certificate: String?
    @Option(help: "The private key alone.", completion: .file())
    var privateKey: String?
    @Option(
        help: "File of signing keys, id:hexadecimal on each line; the first one signs. Needed beyond this machine.",
        completion: .file())
    var keys: String?
    @Option(help: "Folder of images that addresses may name.", completion: .directory)
    var images: String?
    @Option(help: "Folders at other servers, https://photos.example.org/,…, whose images addresses may name.")
    var sources: String?
    @Option(help: "Folder of recipes, NAME.yml, beside the built-in ones.", completion: .directory)
    var recipes: String?
    @Flag(help: "Accept recipes and no other option.")
    var recipesOnly = false
    @Option(help: "Folder whose folders are bundles of stories (wayreel prepare).", completion: .directory)
    var stories: String?
    @Option(help: "Folder in which players' journals, captures and notes are kept.", completion: .directory)
    var data: String?
    @Option(
        help: ArgumentHelp(
            """
            File of the keys of players' tokens: id:hexadecimal on each line, or a PEM with an ES256 key. Without it, what players keep is \
            served on this machine alone, to everybody. Needed if --data is given with --keys or --proxies.
            """),
        completion: .file())
    var playerKeys: String?
    @Option(
        help: "What the aud of players' tokens has to contain, such as the address of the service. (default: anything)")
    var audience: String?
    @Option(
        name: .customLong("public-url"),
        help:
            "The address at which browsers reach the player, https://stories.example.org: lets players sign in by passkeys."
    )
    var publicURL: String?
    @Option(
        name: .customLong("oidc-issuer"),
        help: "A provider of OpenID Connect at which players sign in, https://login.example.org. Needs --public-url.")
    var oidcIssuer: String?
    @Option(name: .customLong("oidc-client-id"), help: "The id of this service there.")
    var oidcClientID: String?
    @Option(
        name: .customLong("oidc-client-secret-file"),
        help: "File whose first line is its secret there, if it has one.", completion: .file())
    var oidcClientSecretFile: String?
    @Option(help: "Whether everybody may make an account, with a passkey. (default: false)")
    var signUp: String?
    @Option(help: "Max size of the images that are kept for a player. (default: 1GiB)")
    var playerBytes: String?
    @Option(help: "Max size of the recordings that are kept for a player, as NDJSON. (default: 1GiB)")
    var playerRecordingBytes: String?
    @Option(help: "Max size of the recordings that are kept for all players. (default: 10GiB)")
    var recordingBytes: String?
    @Option(help: "Max size of a recording that is sent. (default: 256MiB)")
    var maxRecordingBytes: String?
    @Option(help: "Formats that are chosen by the Accept header beside JPEG: avif,webp or none. (default: webp)")
    var formats: String?
    @Option(help: "Folder for a cache of results; several servers may share it.", completion: .directory)
    var cache: String?
    @Option(help: "Its size. (default: 1GiB)")
    var cacheBytes: String?
    @Option(help: "Bytes of it that are also kept in memory. (default: 32MiB)")
    var cacheMemory: String?
    @Flag(help: "Let the headers Sec-CH-DPR and Sec-CH-Width size images that have no size in their address.")
    var clientHints = false
    @Option(
        help: """
            Requests a second of one client, ten times as many at once, and for pages and files of stories ten times as many; further ones \
            get 429. (default: any)
            """)
    var clientRate: String?
    @Option(help: "IP addresses of proxies whose X-Forwarded-For names the client.")
    var proxies: String?
    @Option(help: "Open connections; further ones wait. (default: 12000)")
    var maxConnections: String?
    @Option(help: "Free bytes of the disks of --data and --cache below which /ready is 503. (default: 256MiB)")
    var minFreeBytes: String?
    @Option(help: "Seconds for which browsers may keep an image. (default: 3600)")
    var maxAge: String?
    @Option(name: [.short, .long], help: "Images prepared at once. (default: the number of cores)")
    var jobs: String?
    @Option(help: "Requests that are worked on or wait; further ones get 503. (default: 64)")
    var queue: String?
    @Option(help: "Bytes of uploads, sources and answers at once. (default: a part of --memory, see --check)")
    var queueBytes: String?
    @Option(help: "Max size of an input. (default: 64MiB)")
    var maxBytes: String?
    @Option(help: "Max pixels of an image. (default: 100000000)")
    var maxPixels: String?
    @Option(help: "Max seconds for an image, waiting included. (default: 20)")
    var maxSeconds: String?
    @Option(
        help: ArgumentHelp(
            """
            Memory of the service with its processes, from which all other limits of memory follow. (default: 7/8 of the control group's, \
            else half of the machine's)
            """))
    var memory: String?
    @Option(
        help: "Part of memory, queues, connections and jobs that one client may have, above 0 to 1. (default: 0.25)")
    var clientShare: String?
    @Option(help: "Max memory of the process of a job or an image. (default: a part of --memory, see --check)")
    var maxMemory: String?
    @Option(help: "Seconds after which an idle connection is closed. (default: 60)")
    var idleSeconds: String?
    @Option(help: "Seconds within which an upload has to arrive. (default: 120)")
    var uploadSeconds: String?
    @Option(help: "Whether to write a line of JSON for each request to standard error. (default: true)")
    var log: String?
    @Option(help: "File that traces are appended to, as lines of OTLP JSON.", completion: .file())
    var traces: String?
    @Option(help: "OpenTelemetry collector that traces are sent to, by OTLP over HTTP: http://127.0.0.1:4318.")
    var otlp: String?
    @Option(
        help:
            "Origins of other sites whose pages may use the service: https://school.example.org,… or *. (default: none)"
    )
    var allowOrigin: String?
    @Option(help: "Sites that may show the pages in a frame: none, self, https://school.example.org,… (default: none)")
    var frameAncestors: String?
    @Option(help: "Image that answers for one that is missing or damaged.", completion: .file())
    var fallbackImage: String?
    @Option(help: "Status of that answer, such as 200. (default: that of the problem)")
    var fallbackStatus: String?
    @Option(help: "URL of a folder where everybody finds the images of --images, for canonical links.")
    var canonical: String?
    @Option(help: "File of keys that decrypt sources of addresses (wayreel url --encrypt-source).", completion: .file())
    var sourceKeys: String?

    @Option(help: "Videos transcoded at once, each in a process of its own. (default: 1)")
    var transcodes: String?
    @Option(help: "Jobs that wait or run; further ones get 503. (default: 100)")
    var queuedJobs: String?
    @Option(help: "Bytes of the inputs and results of all jobs. (default: 10GiB)")
    var jobBytes: String?
    @Option(help: "Seconds for which a job is kept once it has ended. (default: 86400)")
    var jobSeconds: String?
    @Option(help: "Max size of a video. (default: 2GiB)")
    var maxVideoBytes: String?
    @Option(help: "Max seconds of work for a video. (default: 7200)")
    var maxTranscodeSeconds: String?
    @Option(help: "Streams of live levels at once. (default: 100)")
    var liveStreams: String?
    @Option(help: "Live streams of sensors at once. (default: 8)")
    var sensorStreams: String?
    @Option(help: "Viewers of live streams of sensors at once; further ones get 503. (default: 50)")
    var viewers: String?

    func validate() throws {
        guard tls.isEmpty || tls.count == 2 else {
            throw ValidationError("--tls takes a certificate and its private key: --tls cert.pem key.pem")
        }
    }

    /// The given settings, by their names in the table.
    var given: [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("listen", listen), ("certificate", tls.first ?? certificate), ("private-key", tls.last ?? privateKey),
            ("keys", keys), ("images", images), ("recipes", recipes), ("recipes-only", recipesOnly ? "true" : nil),
            ("stories", stories), ("data", data), ("player-keys", playerKeys), ("audience", audience),
            ("public-url", publicURL), ("sign-up", signUp), ("oidc-issuer", oidcIssuer),
            ("oidc-client-id", oidcClientID), ("oidc-client-secret-file", oidcClientSecretFile),
            ("player-bytes", playerBytes), ("player-recording-bytes", playerRecordingBytes),
            ("recording-bytes", recordingBytes), ("max-recording-bytes", maxRecordingBytes), ("formats", formats),
            ("sources", sources), ("cache-memory", cacheMemory),
            ("client-hints", clientHints ? "true" : nil), ("client-rate", clientRate), ("proxies", proxies),
            ("max-connections", maxConnections), ("min-free-bytes", minFreeBytes), ("cache", cache),
            ("cache-bytes", cacheBytes), ("max-age", maxAge), ("jobs", jobs), ("queue", queue),
            ("queue-bytes", queueBytes), ("max-bytes", maxBytes), ("max-pixels", maxPixels),
            ("max-seconds", maxSeconds), ("memory", memory), ("client-share", clientShare), ("max-memory", maxMemory),
            ("idle-seconds", idleSeconds), ("upload-seconds", uploadSeconds), ("log", log), ("traces", traces),
            ("otlp", otlp), ("allow-origin", allowOrigin), ("frame-ancestors", frameAncestors),
            ("fallback-image", fallbackImage), ("fallback-status", fallbackStatus), ("canonical", canonical),
            ("source-keys", sourceKeys), ("transcodes", transcodes), ("queued-jobs", queuedJobs),
            ("job-bytes", jobBytes),
            ("job-seconds", jobSeconds), ("max-video-bytes", maxVideoBytes),
            ("max-transcode-seconds", maxTranscodeSeconds), ("live-streams", liveStreams),
            ("sensor-streams", sensorStreams), ("viewers", viewers),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
