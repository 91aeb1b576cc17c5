internal import WayreelAV
internal import WayreelCore

/// Makes a folder of HLS by a plan.
struct HLSDelivery {
    let work: TranscodeJob
    let options: HLSOptions

    /// Throws what encoding and writing throw.
    func run(_ plan: TranscodePlan, progress: (Double) -> Void) throws(MediaError) -> TranscodedVideo {
        let package = try HLSPackage(work.output, plan: plan, options: options, texts: work.texts)
        let preview = plan.picture == nil ? nil : try package.preview()
        var session = work.session(plan)
        let ending = try EndAlignment(of: plan, work.source, limits: work.options.limits, watch: work.watch)
        session.ending = ending
        let parts = try work.encodeParts(of: plan, heldUntil: ending.heldUntil, progress)
        session.parts = parts
        let (outcome, report) = try work.keeping(parts) { () throws(MediaError) in
            let outcome = try session.run(into: package, preview: preview, watch: work.watch, progress: progress)
            try DamageCheck(plan: plan, tolerance: work.options.tolerance).run(
                seconds: outcome.seconds - outcome.heldSeconds, watch: work.watch)
            return (outcome, try package.finish())
        }
        work.clear(parts)
        for warning in report.warnings { work.watch.warn(warning.step, warning.message) }
        return TranscodedVideo(
            plan: plan.settled(by: outcome), seconds: report.seconds, frames: outcome.frames, bytes: report.bytes)
    }
}
