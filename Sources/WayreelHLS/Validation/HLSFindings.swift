internal import WayreelCore

/// The violations found so far.
struct HLSFindings {
    private(set) var violations: [HLSViolation] = []

    mutating func add(_ rule: HLSRule, _ location: String, _ found: String, expected: String? = nil) {
        violations.append(
            HLSViolation(rule: rule, severity: rule.severity, location: location, found: found, expected: expected))
    }

    mutating func add(_ refusal: HLSFolder.Refusal, _ location: String) { add(refusal.rule, location, refusal.reason) }
}
