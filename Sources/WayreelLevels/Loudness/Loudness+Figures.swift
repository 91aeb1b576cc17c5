internal import WayreelCore

extension Loudness {
    /// The figures that a document tells, by its names for them.
    var figures: [NamedFigure] {
        [
            NamedFigure("integratedLUFS", integrated), NamedFigure("rangeLU", range),
            NamedFigure("momentaryMaximumLUFS", momentaryMaximum),
            NamedFigure("shortTermMaximumLUFS", shortTermMaximum),
            NamedFigure("truePeakDBTP", truePeak), NamedFigure("samplePeakDBFS", samplePeak),
        ]
    }
}
