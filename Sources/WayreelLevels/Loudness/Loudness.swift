package import WayreelCore

extension Loudness {
    /// The loudness of several sounds as if they were played one after another, none of their blocks reaching into the next.
    package static func ofSet(_ sounds: [LoudnessStatistics]) -> Loudness {
        var all = LoudnessStatistics()
        for sound in sounds { all.merge(sound) }
        return all.loudness
    }
}

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
