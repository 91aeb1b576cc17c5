internal import ArgumentParser
internal import WayreelMedia

extension TranscodeCommand {
    /// Prints the plan of each input. Throws `ExitReason.failed` if any has none.
    func printPlans(_ options: TranscodeOptions) throws {
        // The pipeline also checks the files that filters and overlays name.
        let task = TranscodeTask(
            input: inputs.first ?? "-", output: "-", poster: options.poster.map { _ in "poster.jpg" }, options: options)
        _ = try TranscodeBatch([task], isolation: isolation.isolation(), cancellation: Interrupt.cancellation)
        let planner = isolation.isolation(ofVideos: inputs, limits).map { IsolatedPlanner($0) }
        var findings = FileResults<Finding>(asJSON: json)
        for input in inputs {
            findings.add(input) { () throws(MediaError) in
                let plan =
                    if let planner {
                        try planner.plan(path: input, options, cancellation: Interrupt.cancellation)
                    } else {
                        try TranscodePlan.plan(path: input, options, cancellation: Interrupt.cancellation)
                    }
                return (Finding(plan: plan), plan.description)
            }
        }
        try findings.print()
    }

    private struct Finding: Encodable {
        var plan: TranscodePlan
    }
}
