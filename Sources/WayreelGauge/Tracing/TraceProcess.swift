public import WayreelCore

/// What one process of a trace was doing.
public struct TraceProcess: Sendable {
    public var name: String
    /// Its number in the trace, of which each process has one of its own.
    public var identifier: Int
    public var spans: [TraceSpan]
    public var samples: [Sample]
    /// When the time of the samples begins, on the clock of the spans: ``Measurement/startMilliseconds``.
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
