internal import WayreelMedia
internal import WayreelVideo

extension StoryDocument {
    /// Returns the same document with a warning for each file of captions that are later than its video. Videos that
    /// cannot be opened are left to `prepare`.
    func withCaptionsChecked(in folder: String) -> StoryDocument {
        var document = self
        for video in story?.captionedVideos ?? [] {
            guard case .media(let probe)? = try? FileProbe.probe(path: "\(folder)/\(video.source)"),
                let seconds = probe.media.seconds
            else { continue }
            for captions in video.captions ?? [] {
                guard let warning = CaptionCues.warning(ofFile: "\(folder)/\(captions.source)", beyond: seconds)
                else { continue }
                document = document.warning(of: captions.source, warning)
            }
        }
        return document
    }
}
