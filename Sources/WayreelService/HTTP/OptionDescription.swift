internal import WayreelImage

/// The name and the values of an option of requests.
struct OptionDescription: Sendable {
    var key: String
    /// Description of the value: `a number from 0 to 1`.
    var expectation: String
    var values: SettingValues
    /// Examples of accepted values, if ``values`` does not list all.
    var suggestions: [String]
    /// Whether it is a list, so that a request may repeat it.
    var isRepeatable: Bool

    init<Target>(_ setting: Setting<Target>, isRepeatable: Bool = false) {
        key = setting.key
        expectation = setting.expectation
        values = setting.values
        suggestions = setting.keywords()
        self.isRepeatable = isRepeatable
    }
}
