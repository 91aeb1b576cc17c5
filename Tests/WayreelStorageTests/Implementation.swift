import StorageSupport
import TestSupport
import WayreelEngine
import WayreelJournal
import WayreelStorage
import WayreelStory

/// An implementation of the stores of players. Each keeps what the protocols promise; a further one is a further case.
enum Implementation: CaseIterable {
    case files
    case memory

    func make(
        maxImageBytes: Int = 1_000_000, recordings: RecordingLimits = RecordingLimits()
    ) throws -> Stores {
        let folder = TemporaryFolder()
        let players: any PlayerStoring =
            switch self {
            case .files: try Stores.open(folder, maxImageBytes: maxImageBytes, recordings: recordings)
            case .memory: MemoryPlayers(maxImageBytes: maxImageBytes, recordings: recordings)
            }
        return Stores(players, in: folder)
    }
}

/// Empty stores, whose folder is removed with them.
final class Stores: Sendable {
    let players: any PlayerStoring
    private let folder: TemporaryFolder

    init(_ players: any PlayerStoring, in folder: TemporaryFolder) { (self.players, self.folder) = (players, folder) }

    static func open(
        _ folder: TemporaryFolder, maxImageBytes: Int = 1_000_000, recordings: RecordingLimits = RecordingLimits()
    ) throws -> SQLitePlayers {
        try SQLitePlayers(
            folder: "\(folder.path)/data", maxImageBytes: maxImageBytes, recordings: recordings,
            threads: CallingThread())
    }
}

let ines = PlayerIdentity(id: "ines", groups: ["walkers"])
let olaf = PlayerIdentity(id: "olaf")

/// So many seconds after a time in the past.
func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_767_225_600_000 + seconds * 1000) }

func image(_ number: UInt8, bytes: Int = 100) -> NewImage {
    NewImage(
        bytes: Array(repeating: number, count: bytes), format: "jpeg", type: "image/jpeg", width: 20, height: 10)
}

func capture(_ id: String, story: String = "mill", fingerprint: String = "one", at seconds: Int64 = 10) -> NewCapture {
    NewCapture(
        id: id, story: story, event: "wheel", fingerprint: fingerprint, taken: time(seconds), time: time(seconds))
}

func note(
    _ id: String, by player: PlayerIdentity = ines, to visibility: NoteVisibility = .all, latitude: Double = 50,
    from start: Int64 = 0, until end: Int64? = nil, began: Int64 = 0
) -> NewNote {
    NewNote(
        id: id, author: player.id, fingerprint: "one", visibility: visibility,
        place: GeoPoint(latitude: latitude, longitude: 7), start: time(start), end: end.map(time), text: "here",
        began: time(began))
}

func recording(_ id: String, at seconds: Int64 = 10, fingerprint: String = "one") -> NewRecording {
    NewRecording(
        id: id, fingerprint: fingerprint, title: "Walk", origin: "walk.csv", credit: "Ines", began: time(seconds))
}

/// What is known of so many samples, one a second.
func facts(_ count: Int) -> RecordingFacts {
    RecordingFacts(
        channels: [RecordedChannel("ecg.ii", unit: "mV", rate: 1), RecordedChannel("ecg.v1")], hasDates: true,
        times: count > 0 ? 0...Int64(count - 1) * 1_000_000 : nil, samples: count)
}

func journal(_ story: String = "mill", found: [String: Int64]) -> JournalDocument {
    var contents = JournalContents()
    for (event, seconds) in found { contents.found[event] = .init(timestamp: time(seconds)) }
    return JournalDocument(story: story, contents: contents)
}

/// Ids as devices make them, which end up in names of files.
func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
}
