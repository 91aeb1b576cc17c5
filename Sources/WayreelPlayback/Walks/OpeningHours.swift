internal import WayreelCore
internal import WayreelStory

/// The times at which an event can be found, according to its windows.
struct OpeningHours {
    private let event: Event
    private let schedules: [TimeWindow: WindowSchedule]

    /// Throws a `parameter` error if a time zone is unknown.
    init(_ event: Event) throws(MediaError) {
        self.event = event
        var schedules: [TimeWindow: WindowSchedule] = [:]
        for window in [event.window].compactMap(\.self) + (event.condition?.windows ?? []) {
            schedules[window] = try WindowSchedule(window, of: event.id)
        }
        self.schedules = schedules
    }

    /// Returns `time` or the first full minute after it at which the event is open, or nil if there is none within
    /// `seconds`.
    func firstMoment(from time: Timestamp, within seconds: Double) -> Timestamp? {
        if isOpen(at: time) { return time }
        let minute = Timestamp(milliseconds: time.milliseconds - time.milliseconds % 60_000)
        return (1...max(1, Int(seconds / 60))).lazy.map { minute.advanced(by: Double($0) * 60) }.first(where: isOpen)
    }

    private func isOpen(at time: Timestamp) -> Bool {
        func isOpen(_ window: TimeWindow) -> Bool { schedules[window]?.isOpen(at: time) ?? true }
        guard event.window.map(isOpen) ?? true else { return false }
        let value = event.condition.flatMap { condition in
            condition.value { if case .during(let window) = $0 { isOpen(window) } else { nil } }
        }
        return value != false
    }
}
