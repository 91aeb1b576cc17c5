internal import Wayreel
internal import WayreelCLI

/// The reason why a walk did not find an event, as text.
struct MissReason {
    let clock: LocalClock

    func text(_ miss: Rehearsal.Miss) -> String {
        let metres = Self.metres
        let radius = miss.event.activation.radius
        guard let closest = miss.closest else { return "the walk did not come near its circle of \(metres(radius))" }
        let time = clock.time(closest.timestamp)
        let blockers = closest.blockers.map(words).joined(separator: "; ")
        if closest.isInside {
            if !blockers.isEmpty { return "the player was there at \(time), but \(blockers)" }
            switch miss.event.activation.trigger {
            case .enter: return "the player was there at \(time)"
            case .exit: return "the player came at \(time), and did not leave"
            case .dwell:
                let seconds = miss.event.activation.dwellSeconds?.shortDescription ?? "0"
                return "the player came at \(time), and did not stay for \(seconds) s"
            }
        }
        let besides = blockers.isEmpty ? "" : "; also \(blockers)"
        let circle = "\(metres(closest.closest)) away, its circle is \(metres(radius))\(besides)"
        if closest.closest <= radius { return "touched at \(time) by too few fixes: \(circle)" }
        return "missed by \(metres(closest.closest - radius)) at \(time): \(circle)"
    }

    func words(_ blocker: Blocker) -> String {
        switch blocker {
        case .closed(until: let opening?):
            "its window is closed until \(clock.date(opening)) \(clock.time(opening).dropLast(3))"
        default: blocker.description
        }
    }

    static func metres(_ value: Double) -> String {
        value < 100 ? "\(((value * 10).rounded() / 10).shortDescription) m" : "\(value.rounded().shortDescription) m"
    }
}
