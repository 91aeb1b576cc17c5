/// Sees what ``Playback`` decides about a fix, without changing it.
protocol StepObserver {
    mutating func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState)
    /// The fences have seen the fix; nothing was found of it yet.
    mutating func used(
        _ place: FixScreen.Place, _ judgement: FixScreen.Judgement, _ playback: Playback, _ state: PlaybackState)
    /// What the fix brought about was found.
    mutating func fired(_ playback: Playback, _ state: PlaybackState)
}

struct NoObserver: StepObserver {
    @inline(__always)
    func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState) {}
    @inline(__always)
    func used(_ place: FixScreen.Place, _ judgement: FixScreen.Judgement, _ playback: Playback, _ state: PlaybackState)
    {}
    @inline(__always) func fired(_ playback: Playback, _ state: PlaybackState) {}
}
