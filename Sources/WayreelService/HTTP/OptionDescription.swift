internal import WayreelImage

/// An option of requests, without what it sets.
struct OptionDescription: Sendable {
    var key: String
    /// Description of the value: `a number from 0 to 1`.
    var expectation: String
    var values: SettingValues
    /// Words that are accepted, where ``values`` does not list them all.
    var suggestions: [String]
    /// Whether it may be given several times, and all of them count.
    var isRepeatable: Bool

    init<Target>(_ setting: Setting<Target>, isRepeatable: Bool = false) {
        key = setting.key
        expectation = setting.expectation
        values = setting.values
        suggestions = setting.keywords()
        self.isRepeatable = isRepeatable
    }
}
