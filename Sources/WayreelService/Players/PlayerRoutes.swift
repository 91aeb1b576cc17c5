internal import Hummingbird
internal import WayreelCore
internal import WayreelStorage

/// All requests about journals, captures, notes and recordings of players.
struct PlayerRoutes: Sendable {
    let journals: JournalRoutes
    let captures: EventCaptureRoutes
    let notes: NoteRoutes
    let recordings: RecordingRoutes
    let erasure: ErasureRoutes
    let account: AccountRoutes?
    let passkeys: PasskeyRoutes?
    let pairings: PairingRoutes?
    let provider: ProviderRoutes?
    /// Who is let in by tokens; nil if everybody is.
    let tokens: PlayerAccess?
    private let log: ServiceLog?
    /// Whether requests need a token.
    var hasTokens: Bool { account != nil }
    var hasPasskeys: Bool { passkeys != nil }
    /// Whether players sign in at a provider of OpenID Connect.
    var hasProvider: Bool { provider != nil }
    private let stores: any PlayerStoring

    /// Opens the folder of `--data`, for stores that are not given. nil without that setting, and without keys if other machines reach the service.
    ///
    /// Throws an `io` error if the folder cannot be used.
    init?(
        _ settings: ServiceSettings, given: ServiceStores, keys: Reloadable<PlayerKeys>?, resolver: OptionResolver,
        stories: StoryCatalog?,
        images: MediaWork, log: ServiceLog?
    ) throws(MediaError) {
        guard let data = settings.data, settings.needsTokens || settings.listen.isLoopback else { return nil }
        let storage = StorageWork(settings)
        let stores: any PlayerStoring =
            if let players = given.players {
                players
            } else {
                try SQLitePlayers(
                    folder: data, maxImageBytes: settings.playerBytes,
                    recordings: RecordingLimits(
                        playerBytes: settings.playerRecordingBytes, totalBytes: settings.recordingBytes),
                    threads: storage.threads)
            }
        let accounts = settings.needsTokens ? try Accounts(given.accounts, folder: data, settings) : nil
        let access = PlayerAccess(keys: keys, audience: settings.audience, accounts: accounts)
        tokens = accounts == nil ? nil : access
        let entry = accounts.map { SignIn(access: access, accounts: $0) }
        let passkeys = entry.flatMap { entry in
            settings.publicURL.flatMap(PasskeySite.init).map {
                PasskeyRoutes(entry: entry, site: $0, isOpen: settings.signUp)
            }
        }
        let provider = try entry.flatMap { (entry) throws(MediaError) in
            try ProviderRoutes(entry: entry, settings, log)
        }
        account = entry.map { AccountRoutes(entry: $0, passkeys: passkeys, provider: provider) }
        self.provider = provider
        self.passkeys = passkeys
        pairings = entry.map { PairingRoutes(entry: $0, pairings: given.pairings ?? MemoryPairings()) }
        self.stores = stores
        let erasure = PlayerErasure(stores: stores, accounts: accounts?.store)
        journals = JournalRoutes(
            access: access, store: stores.journals, erasure: erasure, work: storage, queue: images.queue,
            settings: settings, log: log)
        captures = EventCaptureRoutes(
            access: access, stories: stories,
            service: CaptureService(settings: settings, stores: stores, media: images, storage: storage))
        notes = NoteRoutes(
            access: access, resolver: resolver,
            service: NoteService(settings: settings, stores: stores, media: images, storage: storage))
        recordings = RecordingRoutes(
            access: access,
            service: RecordingService(
                settings, data: data, stores: stores, storage: storage, queue: images.queue, log: log))
        self.log = log
        self.erasure = ErasureRoutes(access: access, erasure: erasure, work: storage)
    }

    /// Completes what an earlier service began, before the first request. Removes again what players have deleted, if a
    /// backup was restored: a fault of that is logged, and the next start tries again, as a server has to start on a full
    /// disk, too.
    func start() async throws {
        try await stores.recover()
        try await recordings.service.start()
        do { try await erasure.erasure.repeatDeletions() } catch { log?.write(playersFault: "\(error)") }
    }

    /// Removes notes that have ended until its task is cancelled.
    func sweep() async { await notes.service.sweep() }

    /// Completes the recordings of live streams.
    func stop() async { await recordings.service.live.finish() }

}
