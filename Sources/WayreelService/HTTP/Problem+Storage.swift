internal import HTTPTypes
internal import WayreelCore
internal import WayreelStorage

extension Problem {
    /// The answer to what a store refuses.
    init(_ fault: StorageFault) {
        switch fault {
        case .full(let quota): self.init(quota)
        case .removed(let subject):
            let name =
                switch subject {
                case .capture: "capture"
                case .note: "note"
                case .player: "player"
                }
            self.init(.gone, code: "removed", "The \(name) was deleted")
        case .conflict(.request):
            self.init(.unprocessableContent, code: "idempotency", "The Idempotency-Key was used for another request")
        case .conflict(.passkey):
            self.init(.forbidden, code: "passkey", "The passkey is refused", detail: "it is known already")
        case .damaged(let story, let error):
            self.init(
                .internalServerError, code: "damaged-journal", "A stored journal cannot be read",
                detail: "that of the story '\(story)'")
            self.fault = "\(error)"
        case .notFound: self = .notFound("no such image")
        case .failed(let error): self.init(error)
        }
    }

    private init(_ quota: StorageFault.Quota) {
        let (title, detail): (String, String?) =
            switch quota {
            case .journals(let bytes):
                ("The player's journals are full", "at most \(bytes) bytes; delete some of them")
            case .stories(let count):
                ("The player's journals are full", "at most \(count) stories; delete some of them")
            case .journal(let story, let bytes):
                ("The journal is full", "that of the story '\(story)': at most \(bytes) bytes; delete it")
            case .images(let bytes):
                ("The player's images are full", "at most \(bytes) bytes are kept; delete captures or notes")
            case .notes(let count): ("The player has too many notes", "at most \(count); delete some of them")
            case .removals: ("The player has deleted too many captures", nil)
            case .accounts: ("The service takes no new accounts", "it has too many")
            case .passkeys(let count): ("The player has too many passkeys", "at most \(count)")
            }
        self.init(.forbidden, code: quota == .accounts ? "sign-up" : "quota", title, detail: detail)
    }
}
