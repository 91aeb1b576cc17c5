internal import WayreelCore

/// The violations that were found so far.
struct HLSFindings {
    private(set) var violations: [HLSViolation] = []

    mutating func add(_ rule: HLSRule, _ place: String, _ found: String, expected: String? = nil) {
        violations.append(
            HLSViolation(rule: rule, severity: rule.severity, place: place, found: found, expected: expected))
    }

    mutating func add(_ refusal: HLSFolder.Refusal, _ place: String) { add(refusal.rule, place, refusal.reason) }
}
