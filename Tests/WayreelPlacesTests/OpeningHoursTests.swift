import Testing
import WayreelPlaces

/// Expectations are made by hand from the examples and the rules of the specification in OpenStreetMap's wiki
/// (Key:opening_hours and its specification 0.7.2). 2026-11-23 is a Monday; Easter Sunday is 2026-04-05.
struct OpeningHoursTests {
    private static func status(_ text: String, _ time: String) throws -> OpeningHours.Status {
        let hours = try #require(OpeningHours(text), "\(text) is not understood")
        return hours.status(at: try #require(LocalMinute(time)))
    }

    /// The states of a text at some times, in which + stands for open, - for closed and ? for unknown.
    struct Example: CustomTestStringConvertible, Sendable {
        var text: String
        var states: [(time: String, state: Character)]
        var testDescription: String { text }

        init(_ text: String, _ states: (String, Character)...) { (self.text, self.states) = (text, states) }
    }

    static let examples: [Example] = [
        Example("24/7", ("2026-11-23T00:00", "+"), ("2026-12-25T03:12", "+")),
        Example(
            "Mo-Fr 08:30-20:00", ("2026-11-23T08:29", "-"), ("2026-11-23T08:30", "+"), ("2026-11-27T19:59", "+"),
            ("2026-11-27T20:00", "-"), ("2026-11-28T12:00", "-")),
        Example(
            "08:30-12:30,15:30-20:00", ("2026-11-28T12:00", "+"), ("2026-11-28T13:00", "-"), ("2026-11-29T16:00", "+")),
        Example(
            "Mo 10:00-12:00,12:30-15:00; Tu-Fr 08:00-12:00,12:30-15:00; Sa 08:00-12:00", ("2026-11-23T09:00", "-"),
            ("2026-11-24T09:00", "+"), ("2026-11-23T12:15", "-"), ("2026-11-28T12:15", "-"), ("2026-11-29T10:00", "-")),
        // A rule replaces what others say about its days.
        Example("Mo-Sa 10:00-20:00; Tu off", ("2026-11-24T12:00", "-"), ("2026-11-25T12:00", "+")),
        Example("Mo-Sa 10:00-20:00; Tu 10:00-14:00", ("2026-11-24T15:00", "-"), ("2026-11-25T15:00", "+")),
        Example(
            "Mo-Su 08:00-18:00; Apr 10-15 off; Jun 08:00-14:00; Aug off; Dec 25 off", ("2026-04-09T12:00", "+"),
            ("2026-04-10T12:00", "-"), ("2026-04-15T12:00", "-"), ("2026-06-01T15:00", "-"), ("2026-06-01T13:00", "+"),
            ("2026-08-31T12:00", "-"), ("2026-12-25T12:00", "-"), ("2026-12-26T12:00", "+")),
        Example("Sa-Su 00:00-24:00", ("2026-11-27T23:59", "-"), ("2026-11-28T00:00", "+"), ("2026-11-29T23:59", "+")),
        Example(
            "Mar-Oct: Tu-Su 10:30-18:00; Mar-Oct: Mo 10:30-14:00; Nov-Dec: Tu-Su 11:00-17:00",
            ("2026-03-03T10:45", "+"),
            ("2026-11-24T10:45", "-"), ("2026-03-02T15:00", "-"), ("2026-11-23T12:00", "-"), ("2026-01-10T12:00", "-")),
        // A comma adds to what others say.
        Example(
            "Mo-Fr 08:00-12:00, We 14:00-18:00", ("2026-11-25T09:00", "+"), ("2026-11-25T15:00", "+"),
            ("2026-11-26T15:00", "-")),
        Example(
            "Su-Tu 11:00-01:00, We-Th 11:00-03:00, Fr 11:00-06:00, Sa 11:00-07:00", ("2026-11-25T00:30", "+"),
            ("2026-11-25T02:00", "-"), ("2026-11-26T02:00", "+"), ("2026-11-28T05:59", "+"), ("2026-11-29T06:30", "+"),
            ("2026-11-30T00:30", "+"), ("2026-11-30T01:30", "-")),
        // Times beyond midnight belong to the day on which they begin.
        Example("Fr 22:00-26:00", ("2026-11-28T01:59", "+"), ("2026-11-28T02:00", "-"), ("2026-11-27T01:00", "-")),
        Example("Dec 31 22:00-04:00", ("2026-12-31T23:00", "+"), ("2027-01-01T03:00", "+"), ("2027-01-01T04:00", "-")),
        Example("Fr-Mo 10:00-12:00", ("2026-11-27T11:00", "+"), ("2026-11-30T11:00", "+"), ("2026-11-25T11:00", "-")),
        // Weeks of ISO 8601: 2026-11-23 is in week 48, 2027-01-01 in week 53 of 2026.
        Example(
            "week 1-53/2 Fr 09:00-12:00; week 2-52/2 We 09:00-12:00", ("2026-11-27T10:00", "-"),
            ("2026-11-25T10:00", "+"), ("2026-12-04T10:00", "+"), ("2027-01-01T10:00", "+")),
        Example("week 48 Mo 10:00-12:00", ("2026-11-23T10:00", "+"), ("2026-11-30T10:00", "-")),
        // The last Sundays and the first two Thursdays of a month.
        Example("Su[-1] 10:00-12:00", ("2026-11-29T11:00", "+"), ("2026-11-22T11:00", "-")),
        Example("Th[1-2] 10:00-12:00", ("2026-11-05T11:00", "+"), ("2026-11-12T11:00", "+"), ("2026-11-19T11:00", "-")),
        Example("Th[1,-1] 10:00-12:00", ("2026-11-26T11:00", "+"), ("2026-11-12T11:00", "-")),
        Example(
            "Mar-Oct Su[1] 10:00-12:00", ("2026-10-04T11:00", "+"), ("2026-10-11T11:00", "-"),
            ("2026-06-07T11:00", "+"),
            ("2026-11-01T11:00", "-")),
        Example(
            "Mar Su[-1]-Oct Su[-1] 10:00-12:00", ("2026-03-28T11:00", "-"), ("2026-03-29T11:00", "+"),
            ("2026-10-25T11:00", "+"), ("2026-10-26T11:00", "-")),
        // From one year to the next.
        Example("Nov-Feb 10:00-12:00", ("2026-12-15T11:00", "+"), ("2027-02-28T11:00", "+"), ("2026-03-01T11:00", "-")),
        Example(
            "Mo-Su 10:00-18:00; Dec 24-Jan 6 off", ("2026-12-24T12:00", "-"), ("2027-01-06T12:00", "-"),
            ("2027-01-07T12:00", "+")),
        Example("2026 Dec 24-2027 Jan 2 off; Mo-Su 10:00-12:00", ("2028-01-01T11:00", "+")),
        Example("Mo-Fr 10:00-12:00; 2026 Nov 23-27 off", ("2026-11-25T11:00", "-"), ("2027-11-23T11:00", "+")),
        Example("2026-2027 Mo 10:00-12:00", ("2026-11-23T11:00", "+"), ("2028-11-27T11:00", "-")),
        Example("2027+ Mo 10:00-12:00", ("2026-11-23T11:00", "-"), ("2030-11-25T11:00", "+")),
        Example(
            "Mo-Su,PH 15:00-03:00; easter -2 days off", ("2026-04-03T16:00", "-"), ("2026-04-04T16:00", "+"),
            ("2027-03-26T16:00", "-")),
        Example(
            "easter-Oct 15 10:00-12:00", ("2026-04-04T11:00", "-"), ("2026-04-05T11:00", "+"), ("2026-10-16T11:00", "-")
        ),
        // Other states, and fallbacks.
        Example(
            "Mo-Sa 08:00-13:00,14:00-17:00 || \"by appointment\"", ("2026-11-23T09:00", "+"), ("2026-11-23T13:30", "?"),
            ("2026-11-29T09:00", "?")),
        Example("Mo-Fr 10:00-20:00 unknown \"only if raining\"", ("2026-11-23T12:00", "?"), ("2026-11-28T12:00", "-")),
        Example("Mo-Fr 10:00-20:00 \"by appointment\"", ("2026-11-23T12:00", "?"), ("2026-11-28T12:00", "-")),
        Example("Mo 12:00-14:00 open \"female only\", Mo 14:00-16:00 open \"male only\"", ("2026-11-23T15:00", "+")),
        Example("Mo-Fr 08:00-18:00; We 12:00-13:00 off", ("2026-11-25T12:30", "-"), ("2026-11-25T14:00", "+")),
        Example("closed", ("2026-11-23T12:00", "-")),
        Example("off \"renovation\"", ("2026-11-23T12:00", "-")),
        // An open end, and times of the sun.
        Example("Su 10:00+", ("2026-11-29T09:59", "-"), ("2026-11-29T10:00", "?"), ("2026-11-29T23:00", "?")),
        Example("Mo-Fr 10:00-17:00+", ("2026-11-23T16:00", "+"), ("2026-11-23T18:00", "?"), ("2026-11-23T09:00", "-")),
        Example("sunrise-sunset", ("2026-11-23T12:00", "?")),
        Example("Mo 08:00-sunset", ("2026-11-23T07:59", "-"), ("2026-11-23T12:00", "?"), ("2026-11-25T12:00", "-")),
        Example("(sunrise+01:00)-18:00", ("2026-11-23T17:00", "?"), ("2026-11-23T18:30", "-")),
        // As it is written often.
        Example("mo-fr 8:00-18:00", ("2026-11-23T08:00", "+")),
        Example("Mo – Fr: 08:00 – 18:00;", ("2026-11-23T08:00", "+"), ("2026-11-28T08:00", "-")),
        Example(
            "Mo,Tu 08:00-22:00; We-Sa 08:00-24:00, Su 09:00-22:00", ("2026-11-29T10:00", "+"), ("2026-11-25T23:59", "+")
        ),
    ]

    @Test(arguments: examples)
    func stateIsThatOfTheSpecification(_ example: Example) throws {
        let characters: [OpeningHours.State: Character] = [.open: "+", .closed: "-", .unknown: "?"]
        for (time, expected) in example.states {
            let state = try Self.status(example.text, time).state
            #expect(characters[state] == expected, "\(example.text) at \(time)")
        }
    }

    @Test(arguments: [
        "Mo-Fr 08:00-18:00; PH off", "Mo-Fr 08:00-18:00; PH 10:00-12:00", "PH off; Mo-Fr 08:00-18:00",
        "Mo-Fr 08:00-18:00; SH off",
    ])
    func holidayIsNotKnown(_ text: String) throws {
        let status = try Self.status(text, "2026-11-23T09:00")
        #expect(status.state == .open)
        #expect(status.dependsOnHolidays)
    }

    @Test func holidayDoesNotMatterWhereNothingChanges() throws {
        #expect(try !Self.status("Mo-Fr 08:00-18:00; PH off", "2026-11-28T09:00").dependsOnHolidays)
        #expect(try !Self.status("Mo-Su,PH 08:00-18:00", "2026-11-28T09:00").dependsOnHolidays)
        // The night after a holiday.
        #expect(try Self.status("PH 20:00-02:00", "2026-11-28T01:00").dependsOnHolidays)
    }

    @Test func weekdaysOfSchoolHolidays() throws {
        let status = try Self.status("SH Mo-Fr 10:00-17:00", "2026-11-23T12:00")
        #expect(status.state == .closed)
        #expect(status.dependsOnHolidays)
        #expect(try !Self.status("SH Mo-Fr 10:00-17:00", "2026-11-28T12:00").dependsOnHolidays)
    }

    /// Authors mean something else than the order of the rules says.
    @Test func contradictionIsUnknown() throws {
        #expect(try Self.status("Dec 25 off; Mo-Su 08:00-18:00", "2026-12-25T09:00").state == .unknown)
        #expect(try Self.status("Dec 25 off; Mo-Su 08:00-18:00", "2026-12-26T09:00").state == .open)
        // Whether a day off ends the night before.
        #expect(try Self.status("Mo-Su 20:00-03:00; Tu off", "2026-11-24T02:00").state == .unknown)
        #expect(try Self.status("Mo-Su 20:00-03:00; Tu off", "2026-11-24T21:00").state == .closed)
    }

    @Test(arguments: [
        "", " ", ";", "by appointment", "08:00-12:00; 14:00-18:00", "Mo-Fr 08:00-12:00; 24/7", "8-12", "Mo-Fr 8am-5pm",
        "00:00-00:00", "Mo 10:00", "Mo-Fr 08:00-12:00 PH off", "PH +1 day 10:00-12:00", "Mo 25:00-26:00",
        "Mo 10:60-12:00",
        "Feb 30 off", "Foo 10:00-12:00", "Mo-Fr 10:00-16:00/01:30",
        "Apr-Oct: Su[2] 14:00-18:00; Aug Su[-1] -1 day 10:00-18:00",
        "Mo-Fr \"unclosed", "Lunes a viernes", "Mo-Fr 08:00-12:00 |", "week 60 Mo 10:00-12:00", "(sunrise+1)-18:00",
        "Sat 10:00-12:00", "10:00-60:00", "\u{202E}Mo 10:00-12:00", "99999999999999999999:00-12:00",
    ])
    func otherTextsAreNotUnderstood(_ text: String) {
        #expect(OpeningHours(text) == nil, "\(text)")
    }

    @Test func hostileTextsEnd() {
        #expect(OpeningHours(String(repeating: "Mo,", count: 100_000)) == nil)
        #expect(OpeningHours(String(repeating: "Mo 10:00-12:00;", count: 120)) == nil)
        #expect(OpeningHours(String(repeating: "(", count: 1000)) == nil)
        #expect(OpeningHours("Mo 10:00-12:00 \"" + String(repeating: "x", count: 1900) + "\"") != nil)
    }

    @Test func nextChangeIsTheClosingOrTheOpening() throws {
        let hours = try #require(OpeningHours("Mo-Fr 08:00-12:00,13:00-17:00; PH off"))
        func next(_ time: String) throws -> String? {
            hours.nextChange(after: try #require(LocalMinute(time))).map { "\($0.time) \($0.state.rawValue)" }
        }
        #expect(try next("2026-11-23T09:00") == "2026-11-23T12:00 closed")
        #expect(try next("2026-11-23T12:00") == "2026-11-23T13:00 open")
        #expect(try next("2026-11-27T17:00") == "2026-11-30T08:00 open")
        let night = try #require(OpeningHours("Sa 20:00-04:00"))
        #expect(
            night.nextChange(after: try #require(LocalMinute("2026-11-28T23:00")))?.time.description
                == "2026-11-29T04:00")
        let always = try #require(OpeningHours("24/7"))
        #expect(always.nextChange(after: try #require(LocalMinute("2026-11-28T23:00"))) == nil)
    }

    @Test func commentIsThatOfTheTime() throws {
        #expect(
            try Self.status("Mo-Sa 08:00-13:00 || \"by appointment\"", "2026-11-29T09:00").comment == "by appointment")
        #expect(try Self.status("Mo-Sa 08:00-13:00 || \"by appointment\"", "2026-11-23T09:00").comment == nil)
    }

    @Test(arguments: [
        "2026-11-27", "2026-11-27T24:00", "2026-02-29T10:00", "2026-11-27T1:00", "2026-11-27T10:00:60", "", "T",
        "2026-11-27T10:00Z",
    ])
    func otherTextsAreNoMinutes(_ text: String) { #expect(LocalMinute(text) == nil) }
}
