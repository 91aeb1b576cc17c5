import TestSupport
import Testing

/// What one client, or twelve, can take from all others: `scripts/attack-service` has the attacks, and judges memory, the
/// latency of `/health` and the answers that another client gets.
@Suite struct AttackTests {
    @Test(arguments: [
        "slow-uploads", "near-delimiters", "slow-readers", "huge-output", "cropped-output", "indexed-levels",
        "small-jpeg2000", "slow-sources",
        "slow-names", "reserved-jobs", "large-journal", "all-websockets", "all-viewers", "connections", "full-log",
    ])
    func anAttackTakesNothingFromOthers(attack: String) throws {
        let run = try Workbench().shell(
            "python3 \(Fixture.root)/scripts/attack-service \(Workbench.binary) --short \(attack)")
        #expect(run.ending == .exited(0), "\(run.text)\(run.errors)")
    }
}
