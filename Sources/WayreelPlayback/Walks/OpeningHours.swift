internal import WayreelCore
internal import WayreelStory

/// When an event can be found, as far as the clock decides.
struct OpeningHours {
    private let event: Event
    private let schedules: [TimeWindow: WindowSchedule]

    /// Throws a `parameter` error where a time zone is unknown.
    init(_ event: Event) throws(MediaError) {
        self.event = event
        var schedules: [TimeWindow: WindowSchedule] = [:]
        for window in [event.window].compactMap(\.self) + (event.condition?.windows ?? []) {
            schedules[window] = try WindowSchedule(window, of: event.id)
        }
        self.schedules = schedules
    }

    /// The first full minute from `time` on, or `time` itself, at which it is open; nil where there is none within so many seconds.
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
