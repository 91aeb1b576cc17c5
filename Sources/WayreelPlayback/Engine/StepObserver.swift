/// Observes how ``Playback`` judges fixes, without affecting the result.
protocol StepObserver {
    mutating func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState)
    /// Called after the fences have processed the fix and before its events are found.
    mutating func used(
        _ place: FixFilter.Place, _ judgement: FixFilter.Judgement, _ playback: Playback, _ state: PlaybackState)
    /// Called after the events of the fix were found.
    mutating func fired(_ playback: Playback, _ state: PlaybackState)
}

struct NoObserver: StepObserver {
    @inline(__always)
    func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState) {}
    @inline(__always)
    func used(_ place: FixFilter.Place, _ judgement: FixFilter.Judgement, _ playback: Playback, _ state: PlaybackState)
    {}
    @inline(__always) func fired(_ playback: Playback, _ state: PlaybackState) {}
}
