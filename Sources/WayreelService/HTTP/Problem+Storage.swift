internal import HTTPTypes
internal import WayreelCore
internal import WayreelStorage

extension StorageFault: ProblemConvertible {
    var problem: Problem { Problem(self) }
}

extension Problem {
    fileprivate init(_ fault: StorageFault) {
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
        case .failed(let error):
            self.init(error)
            self.fault = "\(error)"
        }
    }

    private init(_ quota: StorageFault.Quota) {
        self =
            switch quota {
            case .journals(let bytes):
                .quota("The player's journals are full", "at most \(bytes) bytes; delete some of them")
            case .stories(let count):
                .quota("The player's journals are full", "at most \(count) stories; delete some of them")
            case .journal(let story, let bytes):
                .quota("The journal is full", "that of the story '\(story)': at most \(bytes) bytes; delete it")
            case .images(let bytes):
                .quota("The player's images are full", "at most \(bytes) bytes are kept; delete captures or notes")
            case .notes(let count):
                .quota("The player has too many notes", "at most \(count); delete some of them")
            case .removals: .quota("The player has deleted too many captures")
            case .passkeys(let count): .quota("The player has too many passkeys", "at most \(count)")
            case .accounts:
                Problem(.forbidden, code: "sign-up", "The service takes no new accounts", detail: "it has too many")
            case .pairings:
                Problem(.serviceUnavailable, code: "overloaded", "Too many codes are in use", retryAfter: 60)
            case .wrongCodes:
                Problem(
                    .tooManyRequests, code: "client-rate", "Too many wrong codes were sent",
                    retryAfter: Int(PairingLimits.seconds))
            }
    }

    private static func quota(_ title: String, _ detail: String? = nil) -> Problem {
        Problem(.forbidden, code: "quota", title, detail: detail)
    }
}
