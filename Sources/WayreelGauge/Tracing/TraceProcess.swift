public import WayreelCore

/// The spans and samples of one process.
public struct TraceProcess: Sendable {
    public var name: String
    /// Its unique number in the trace.
    public var identifier: Int
    public var spans: [TraceSpan]
    public var samples: [Sample]
    /// Start of the samples on the clock of the spans: ``Measurement/startMilliseconds``.
    public var samplesStartMilliseconds: Double

    public init(
        name: String, identifier: Int = 1, spans: [TraceSpan] = [], samples: [Sample] = [],
        samplesStartMilliseconds: Double = 0
    ) {
        self.name = name
        self.identifier = identifier
        self.spans = spans
        self.samples = samples
        self.samplesStartMilliseconds = samplesStartMilliseconds
    }
}
