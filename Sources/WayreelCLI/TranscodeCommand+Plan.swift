internal import ArgumentParser
internal import Wayreel

extension TranscodeCommand {
    /// Prints what would become of each input. Throws `Outcome.failed` where there is no plan for some.
    func printPlans(_ options: TranscodeOptions) throws {
        // Also what only the pipeline looks at: files that filters and overlays name.
        let task = TranscodeTask(
            input: inputs.first ?? "-", output: "-", poster: options.poster.map { _ in "poster.jpg" }, options: options)
        _ = try TranscodeBatch([task], isolation: isolation.isolation(), cancellation: Interrupt.cancellation)
        var findings = FileFindings<Finding>(asJSON: json)
        for input in inputs {
            findings.add(input) { () throws(MediaError) in
                let plan = try TranscodePlan.plan(path: input, options, cancellation: Interrupt.cancellation)
                return (Finding(plan: plan), plan.description)
            }
        }
        try findings.print()
    }

    private struct Finding: Encodable {
        var plan: TranscodePlan
    }
}
