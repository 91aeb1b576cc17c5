internal import Testing
internal import WayreelCore

@Suite struct CalendarDateTests {
    /// Python: `(date.fromisoformat(text) - date(1970, 1, 1)).days`.
    @Test(arguments: [
        ("0001-01-01", -719_162), ("1582-10-15", -141_427), ("1900-02-28", -25_509), ("1900-03-01", -25_508),
        ("1969-12-31", -1), ("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-23", 20_780),
        ("9999-12-31", 2_932_896),
    ])
    func countsDays(text: String, number: Int) {
        #expect(CalendarDate(text)?.number == number)
        #expect(CalendarDate(number: number).text == text)
    }

    @Test(arguments: ["1900-02-29", "2026-13-01", "2026-04-31", "10000-01-01", "2026-11"])
    func refusesWhatIsNoDate(text: String) { #expect(CalendarDate(text) == nil) }

    /// The Gregorian calendar repeats itself after 146,097 days.
    @Test(arguments: [-400_000, -400, 0, 1970, 400_000])
    func monthsOfAnyYearAreReadBack(year: Int) {
        for month in 1...12 {
            let first = CalendarDate(firstOf: month, year)
            #expect(first.parts == (year, month, 1))
            #expect(CalendarDate(firstOf: month, year + 400).number == first.number + 146_097)
        }
    }
}
