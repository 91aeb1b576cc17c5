internal import WayreelCore

extension Loudness {
    /// The figures of a document with their names.
    var figures: [NamedFigure] {
        [
            NamedFigure("integratedLUFS", integrated), NamedFigure("rangeLU", range),
            NamedFigure("momentaryMaximumLUFS", momentaryMaximum),
            NamedFigure("shortTermMaximumLUFS", shortTermMaximum),
            NamedFigure("truePeakDBTP", truePeak), NamedFigure("samplePeakDBFS", samplePeak),
        ]
    }
}
