internal import Hummingbird
internal import WayreelStreams

/// Every request of the service by its address, and what answers it; only the files of the two pages list themselves.
extension Service {
    func addRoutes(to router: Router<ServiceContext>) {
        let levels = LevelsRoutes(settings: settings, work: work)
        router.get("health") { _, _ in "ok\n" }
        router.get("ready") { _, _ in try await ready() }
        router.get("openapi.json") { request, _ in
            let text = try await files.runAlways { try description.text() }
            return try Response(text, [.contentType: "application/json"], to: request)
        }
        APIPageRoutes(settings: settings).add(to: router)
        router.get("metrics") { request, _ in
            // A proxy that keeps this address from others compares it as it is written.
            guard request.uri.path == "/metrics" else { throw Problem.unknownAddress }
            return metricsResponse()
        }
        if let images: ImageRoutes {
            router.get("v1/images/**") { try await images.answer($0, $1) }
        }
        router.post("v1/captures") { try await captures.answer($0, $1) }
        if let jobs: JobRoutes {
            router.post("v1/transcodes") { try await jobs.transcode($0, $1) }
            router.get("v1/jobs/:job") { try await jobs.job($0, $1) }
            router.delete("v1/jobs/:job") { try await jobs.delete($0, $1) }
            router.get("v1/jobs/:job/events") { try await jobs.events($0, $1) }
            router.get("v1/jobs/:job/result") { try await jobs.result($0, $1) }
            router.get("v1/jobs/:job/result/**") { try await jobs.resultFile($0, $1) }
        }
        router.post("v1/levels") { try await levels.answer($0, $1) }
        router.get("v1/levels/live") { await sockets.answer($0, $1) }
        if sensors != nil {
            StreamPageRoutes(settings: settings).add(to: router)
            router.get("v1/streams/:stream/live") { await sockets.answer($0, $1) }
            router.get("v1/streams/:stream/source") { await sockets.answer($0, $1) }
            if players != nil { router.get("v1/recordings/:recording/live") { await sockets.answer($0, $1) } }
        }
        if let stories: StoryRoutes {
            PlayerPageRoutes(
                hasPlayers: players != nil, hasAccounts: players?.hasTokens == true, settings: settings,
                stories: stories.stories, files: files
            ).add(to: router)
            router.get("s/:story") { try await stories.share($0, $1) }
            router.get("s/:story/:event") { try await stories.share($0, $1) }
            router.get("v1/stories") { try await stories.list($0, $1) }
            router.get("v1/stories/:story") { try await stories.story($0, $1) }
            router.get("v1/stories/:story/story.{language}") { try await stories.translation($0, $1) }
            router.get("v1/stories/:story/manifest.json") { try await stories.manifest($0, $1) }
            router.get("v1/stories/:story/media/**") { try await stories.media($0, $1) }
        }
        if let players { add(players, to: router) }
    }

    private func add(_ players: PlayerRoutes, to router: Router<ServiceContext>) {
        let journals: JournalRoutes = players.journals
        let captures: EventCaptureRoutes = players.captures
        let notes: NoteRoutes = players.notes
        let erasure: ErasureRoutes = players.erasure
        for path in ["v1/players/:player/journal", "v1/players/:player/stories/:story/journal"] as [RouterPath] {
            router.get(path) { try await journals.get($0, $1) }
            router.post(path) { try await journals.post($0, $1) }
        }
        router.post("v1/stories/:story/events/:event/captures") { try await captures.post($0, $1) }
        router.post("v1/stories/:story/events/:event/previews") { try await captures.preview($0, $1) }
        router.get("v1/players/:player/captures/:capture") { try await captures.get($0, $1) }
        router.delete("v1/players/:player/captures/:capture") { try await erasure.deleteCapture($0, $1) }
        router.delete("v1/players/:player/stories/:story/journal") { try await erasure.deleteJournal($0, $1) }
        router.delete("v1/players/:player") { try await erasure.deletePlayer($0, $1) }
        if let account: AccountRoutes = players.account {
            router.get("v1/account") { request, _ in try await account.account(request) }
            router.get("v1/account/sessions") { request, _ in try await account.sessions(request) }
            router.delete("v1/account/sessions/:session") { try await account.endSession($0, $1) }
            router.get("v1/sign-in") { request, _ in try account.ways(request) }
        }
        if let passkeys: PasskeyRoutes = players.passkeys {
            router.post("v1/sign-in/passkey/options") { try await passkeys.signInOptions($0, $1) }
            router.post("v1/sign-in/passkey") { try await passkeys.signIn($0, $1) }
            router.post("v1/sign-up/passkey/options") { try await passkeys.signUpOptions($0, $1) }
            router.post("v1/sign-up/passkey") { try await passkeys.signUp($0, $1) }
            router.post("v1/account/passkeys/options") { try await passkeys.addOptions($0, $1) }
            router.get("v1/account/passkeys") { request, _ in try await passkeys.list(request) }
            router.post("v1/account/passkeys") { request, _ in try await passkeys.add(request) }
            router.delete("v1/account/passkeys/:passkey") { try await passkeys.remove($0, $1) }
        }
        if let pairings: PairingRoutes = players.pairings {
            router.post("v1/account/pairings") { try await pairings.offer($0, $1) }
            router.get("v1/account/pairings/:pairing") { try await pairings.state($0, $1) }
            router.post("v1/account/pairings/:pairing") { try await pairings.answer($0, $1) }
            router.post("v1/sign-in/pairing") { try await pairings.enter($0, $1) }
            router.post("v1/sign-in/pairing/result") { try await pairings.result($0, $1) }
        }
        if let provider: ProviderRoutes = players.provider {
            router.post("v1/sign-in/provider") { try await provider.start($0, $1) }
            router.get("v1/sign-in/provider/callback") { try await provider.callback($0, $1) }
            router.post("v1/sign-in/provider/session") { try await provider.session($0, $1) }
        }
        router.post("v1/notes") { try await notes.post($0, $1) }
        router.get("v1/notes") { try await notes.list($0, $1) }
        router.get("v1/notes/:note") { try await notes.get($0, $1) }
        router.get("v1/notes/:note/image") { try await notes.image($0, $1) }
        router.delete("v1/notes/:note") { try await notes.delete($0, $1) }
        add(players.recordings, to: router)
    }

    private func add(_ recordings: RecordingRoutes, to router: Router<ServiceContext>) {
        router.get("v1/recordings") { try await recordings.list($0, $1) }
        router.post("v1/recordings") { try await recordings.post($0, $1) }
        router.get("v1/recordings/:recording") { try await recordings.get($0, $1) }
        router.delete("v1/recordings/:recording") { try await recordings.delete($0, $1) }
        router.get("v1/recordings/:recording/description") { try await recordings.description($0, $1) }
        router.get("v1/recordings/:recording/settings") { try await recordings.settings($0, $1) }
        router.put("v1/recordings/:recording/settings") { try await recordings.setSettings($0, $1) }
        router.get("v1/recordings/:recording/marks") { try await recordings.marks($0, $1) }
        router.post("v1/recordings/:recording/marks") { try await recordings.addMark($0, $1) }
        router.delete("v1/recordings/:recording/marks/:mark") { try await recordings.removeMark($0, $1) }
        for type in SensorPlot.FileType.allCases {
            router.get("v1/recordings/:recording/plot.\(type.rawValue)") {
                try await recordings.plot(type, $0, $1)
            }
        }
    }
}
