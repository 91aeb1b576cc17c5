package import WayreelCore

extension MediaError {
    /// Returns the error for an id that a story does not have. `reason` says that it is missing; `list` are the words
    /// before the existing ids in the advice.
    package static func unknown(
        _ id: String, among ids: [String], step: MediaError.Step, reason: String, list: String, marksRest: Bool = false
    ) -> MediaError {
        let near = nearestName(to: id, in: ids).map { "did you mean '\($0)'? " } ?? ""
        let rest = marksRest && ids.count > shownIDs ? " and \(ids.count - shownIDs) more" : ""
        return MediaError(
            .parameter, step: step, subject: id, reason: reason,
            advice: "\(near)\(list) \(ids.prefix(shownIDs).joined(separator: ", "))\(rest)")
    }

    private static var shownIDs: Int { 20 }
}

extension MediaError.Step {
    package static let move = MediaError.Step(rawValue: "move")
    package static let play = MediaError.Step(rawValue: "play")
    package static let route = MediaError.Step(rawValue: "route")
    package static let walk = MediaError.Step(rawValue: "walk")
}
