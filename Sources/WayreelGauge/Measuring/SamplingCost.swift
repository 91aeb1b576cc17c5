/// The cost of sampling, in addition to the program's.
///
/// Each kind of reading has a budget as a fraction of one core, in total below 1 %. Reading the proportional set of a
/// 300 MB process, for example, takes 4 ms of CPU time, so it is read every two seconds.
public struct SamplingCost: Hashable, Sendable, Codable {
    /// CPU time of the sampling thread in milliseconds.
    public var cpuMilliseconds: Double
    /// The same in percent of one core over the run.
    public var cpuPercent: Double
    /// Number of readings of proportional sets.
    public var proportionalReadings: Int
    /// Number of readings of thread times, which also find new processes.
    public var threadReadings: Int
    /// Number of samples skipped for their cost.
    public var samplesLeftOut: Int
}
