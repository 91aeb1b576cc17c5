import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

/// A window, and the times at which it opens and closes in turn.
struct WindowCase: Sendable, CustomTestStringConvertible {
    var window: TimeWindow
    var start: String
    var end: String
    var isOpenAtFirst: Bool
    var changes: [String]

    init(
        _ zone: String, _ from: String?, _ until: String?, _ days: String, _ firstDate: String?, _ lastDate: String?,
        _ start: String, _ end: String, _ first: String, _ changes: [String]
    ) {
        window = TimeWindow(
            zone: zone, from: from.flatMap { TimeOfDay($0) }, until: until.flatMap { TimeOfDay($0) },
            days: days.split(separator: " ").compactMap { TimeWindow.Day(rawValue: String($0)) }, firstDate: firstDate,
            lastDate: lastDate)
        (self.start, self.end, self.changes) = (start, end, changes)
        isOpenAtFirst = first == "open"
    }

    var testDescription: String {
        "\(window.zone) \(window.from?.description ?? "") \(window.until?.description ?? "")"
    }

    /// Computed by Python's zoneinfo, minute by minute: the local time is within the window, and so is the date on
    /// which it opened.
    static let all: [WindowCase] = [
        WindowCase(
            "America/Los_Angeles", "17:00", "23:30", "", nil, nil, "2026-03-07T00:00:00Z", "2026-03-10T00:00:00Z",
            "closed",
            [
                "2026-03-07T01:00:00Z", "2026-03-07T07:30:00Z", "2026-03-08T01:00:00Z", "2026-03-08T07:30:00Z",
                "2026-03-09T00:00:00Z", "2026-03-09T06:30:00Z", "2026-03-10T00:00:00Z",
            ]),
        WindowCase(
            "America/Los_Angeles", "21:00", "02:00", "fri sat", nil, nil, "2026-03-06T00:00:00Z",
            "2026-03-10T00:00:00Z",
            "closed", ["2026-03-07T05:00:00Z", "2026-03-07T10:00:00Z", "2026-03-08T05:00:00Z", "2026-03-08T10:00:00Z"]),
        WindowCase(
            "America/Los_Angeles", "02:00", "03:00", "", nil, nil, "2026-03-07T08:00:00Z", "2026-03-09T20:00:00Z",
            "closed", ["2026-03-07T10:00:00Z", "2026-03-07T11:00:00Z", "2026-03-09T09:00:00Z", "2026-03-09T10:00:00Z"]),
        WindowCase(
            "America/Los_Angeles", "02:30", "05:00", "", nil, nil, "2026-03-07T08:00:00Z", "2026-03-09T20:00:00Z",
            "closed",
            [
                "2026-03-07T10:30:00Z", "2026-03-07T13:00:00Z", "2026-03-08T10:00:00Z", "2026-03-08T12:00:00Z",
                "2026-03-09T09:30:00Z", "2026-03-09T12:00:00Z",
            ]),
        WindowCase(
            "America/Los_Angeles", "00:30", "01:30", "", nil, nil, "2026-10-31T00:00:00Z", "2026-11-03T00:00:00Z",
            "closed",
            [
                "2026-10-31T07:30:00Z", "2026-10-31T08:30:00Z", "2026-11-01T07:30:00Z", "2026-11-01T08:30:00Z",
                "2026-11-01T09:00:00Z", "2026-11-01T09:30:00Z", "2026-11-02T08:30:00Z", "2026-11-02T09:30:00Z",
            ]),
        WindowCase(
            "America/Los_Angeles", "01:30", "02:30", "", nil, nil, "2026-10-31T00:00:00Z", "2026-11-03T00:00:00Z",
            "closed",
            [
                "2026-10-31T08:30:00Z", "2026-10-31T09:30:00Z", "2026-11-01T08:30:00Z", "2026-11-01T09:00:00Z",
                "2026-11-01T09:30:00Z", "2026-11-01T10:30:00Z", "2026-11-02T09:30:00Z", "2026-11-02T10:30:00Z",
            ]),
        WindowCase(
            "America/Los_Angeles", "22:00", "01:15", "sat", nil, nil, "2026-10-30T00:00:00Z", "2026-11-03T00:00:00Z",
            "closed", ["2026-11-01T05:00:00Z", "2026-11-01T08:15:00Z", "2026-11-01T09:00:00Z", "2026-11-01T09:15:00Z"]),
        WindowCase(
            "Australia/Lord_Howe", "01:45", "02:15", "", nil, nil, "2026-04-03T00:00:00Z", "2026-04-06T00:00:00Z",
            "closed",
            [
                "2026-04-03T14:45:00Z", "2026-04-03T15:15:00Z", "2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z",
                "2026-04-04T15:15:00Z", "2026-04-04T15:45:00Z", "2026-04-05T15:15:00Z", "2026-04-05T15:45:00Z",
            ]),
        WindowCase(
            "Australia/Lord_Howe", "01:45", "02:15", "", nil, nil, "2026-10-02T00:00:00Z", "2026-10-05T00:00:00Z",
            "closed",
            [
                "2026-10-02T15:15:00Z", "2026-10-02T15:45:00Z", "2026-10-03T15:15:00Z", "2026-10-03T15:30:00Z",
                "2026-10-04T14:45:00Z", "2026-10-04T15:15:00Z",
            ]),
        WindowCase(
            "Asia/Kolkata", nil, "06:00", "mon", nil, nil, "2026-06-01T00:00:00Z", "2026-06-09T00:00:00Z",
            "open", ["2026-06-01T00:30:00Z", "2026-06-07T18:30:00Z", "2026-06-08T00:30:00Z"]),
        WindowCase(
            "Europe/Berlin", "23:00", "23:00", "", "2026-06-01", "2026-06-02", "2026-05-30T00:00:00Z",
            "2026-06-05T00:00:00Z",
            "closed", ["2026-06-01T21:00:00Z", "2026-06-03T21:00:00Z"]),
        WindowCase(
            "Pacific/Apia", "20:00", nil, "thu fri", nil, nil, "2011-12-28T00:00:00Z", "2012-01-01T00:00:00Z",
            "closed", ["2011-12-30T06:00:00Z", "2011-12-30T10:00:00Z"]),
        WindowCase(
            "UTC", nil, nil, "", nil, nil, "2026-06-01T00:00:00Z", "2026-06-03T00:00:00Z",
            "open", []),
        WindowCase(
            "UTC", "10:00", "10:00", "wed", nil, nil, "2026-06-01T00:00:00Z", "2026-06-08T00:00:00Z",
            "closed", ["2026-06-03T10:00:00Z", "2026-06-04T10:00:00Z"]),
    ]
}

@Suite struct EngineWindowTests {
    @Test(arguments: WindowCase.all) func opensAndClosesByTheClockOfItsZone(of expected: WindowCase) throws {
        let schedule = try WindowSchedule(expected.window, of: "event")
        let (start, end) = (try #require(Timestamp(expected.start)), try #require(Timestamp(expected.end)))
        let changes = try expected.changes.map { try #require(Timestamp($0)) }
        var minutes = Array(stride(from: start.milliseconds, to: end.milliseconds, by: 60_000))
        func check(_ time: Int64) {
            let isOpen =
                changes.count { $0.milliseconds <= time } % 2 == 0 ? expected.isOpenAtFirst : !expected.isOpenAtFirst
            let timestamp = Timestamp(milliseconds: time)
            #expect(schedule.isOpen(at: timestamp) == isOpen, "\(timestamp)")
        }
        for minute in minutes { check(minute) }
        // The previous computation must not matter.
        var random = SeededRandom(seed: 3)
        minutes.shuffle(using: &random)
        for minute in minutes.prefix(300) { check(minute) }
        for change in changes {
            check(change.milliseconds)
            check(change.milliseconds - 1)
        }
    }

    @Test(arguments: WindowCase.all) func knowsWhenItOpensNext(of expected: WindowCase) throws {
        let schedule = try WindowSchedule(expected.window, of: "event")
        var isOpen = expected.isOpenAtFirst
        for (change, before) in zip(expected.changes, [expected.start] + expected.changes) {
            if !isOpen {
                let closed = try #require(Timestamp(before))
                #expect(schedule.nextOpening(after: closed) == Timestamp(change))
            }
            isOpen.toggle()
        }
    }

    @Test func neverOpensAgain() throws {
        let schedule = try WindowSchedule(TimeWindow(zone: "UTC", lastDate: "2026-01-01"), of: "event")
        let later = try #require(Timestamp("2026-01-02T00:00:00Z"))
        #expect(schedule.nextOpening(after: later) == nil)
        let far = try WindowSchedule(TimeWindow(zone: "UTC", firstDate: "2040-02-03"), of: "event")
        let opening = far.nextOpening(after: later)
        #expect(opening == Timestamp("2040-02-03T00:00:00Z"))
    }

    @Test func refusesUnknownZones() {
        #expect(throws: MediaError.self) { try WindowSchedule(TimeWindow(zone: "Mars/Olympus"), of: "event") }
    }
}
