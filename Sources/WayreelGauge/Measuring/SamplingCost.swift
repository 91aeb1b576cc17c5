/// What looking at a program has cost, beside what the program itself took.
///
/// Each kind of reading has a budget, a share of one core; all together they stay below 1 %. Reading the proportional set of a
/// process of 300 MB, for example, takes some 4 ms of processor time, so it is read every two seconds.
public struct SamplingCost: Hashable, Sendable, Codable {
    /// Processor time of the thread that has taken the samples, in milliseconds.
    public var cpuMilliseconds: Double
    /// The same in percent of one core over the time of the run.
    public var cpuPercent: Double
    /// Readings of the processes' proportional sets.
    public var proportionalReadings: Int
    /// Readings of the threads' times, which find new processes as well.
    public var threadReadings: Int
    /// Samples that were left out because they would have cost too much.
    public var samplesLeftOut: Int
}
