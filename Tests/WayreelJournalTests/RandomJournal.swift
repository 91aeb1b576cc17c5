import TestSupport
import WayreelEngine
import WayreelStory

extension JournalContents {
    /// Returns contents with few ids, few times and few values, so that two of them often conflict.
    /// With `deletes`, captures are removed and entries are erased; then all entries with one id are either before every
    /// erasure or after it.
    static func random(_ count: Int, deletes: Bool = false, using random: inout SeededRandom) -> JournalContents {
        var contents = JournalContents()
        for _ in 0..<count {
            let name = ["a", "b", "c d", "ß-\u{E9}", "ß-e\u{301}", "漢字'\"%"].randomElement(using: &random) ?? ""
            let isOld = deletes && name.utf8.count < 3
            let milliseconds = Int64.random(in: 1_795_453_509_000...1_795_453_509_005, using: &random)
            let timestamp = Timestamp(milliseconds: milliseconds - (isOld ? 1_000_000 : 0))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: contents.found[name] = Finding(timestamp: timestamp, position: .random(using: &random))
            case 1: contents.opened[name] = timestamp
            case 2:
                let text = ["", "Bruno", "a\nb", "\u{F1}", "n\u{303}", "🔔"].randomElement(using: &random) ?? ""
                contents.attempts.insert(Attempt(lockbox: name, text: text, timestamp: timestamp))
            case 3:
                let choices = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    Int.random(in: 0...1, using: &random)
                }
                contents.scores[Question(event: name, index: .random(in: 0...1, using: &random))] = Score(
                    choices: choices, points: .random(in: -1...1, using: &random), timestamp: timestamp)
            default:
                contents.captures[name] = Capture(
                    event: ["x", "y"].randomElement(using: &random) ?? "",
                    file: [nil, "1.jpg", "2.jpg"].randomElement(using: &random) ?? nil, timestamp: timestamp)
            }
        }
        guard deletes else { return contents }
        if Bool.random(using: &random) {
            contents.erase(upTo: Timestamp(milliseconds: 1_795_453_500_000 + .random(in: 0...5, using: &random)))
        }
        for id in ["b", "c d"] where Bool.random(using: &random) {
            contents.remove(capture: id, at: Timestamp(milliseconds: .random(in: 0...5, using: &random)))
        }
        return contents
    }
}

extension GeoPoint {
    fileprivate static func random(using random: inout SeededRandom) -> GeoPoint? {
        guard Bool.random(using: &random) else { return nil }
        return GeoPoint(
            latitude: [-90, 0.1, 35.3].randomElement(using: &random) ?? 0,
            longitude: [-180, 0, 1 / 3].randomElement(using: &random) ?? 0,
            altitude: [nil, 0, 12.5].randomElement(using: &random) ?? nil)
    }
}
