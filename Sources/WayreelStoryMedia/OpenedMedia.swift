package import WayreelCore
internal import WayreelTasks
package import WayreelStory
internal import WayreelVideo

extension StoryDocument {
    /// Returns the same document with an error for each file that is not what the story names it as, as a preparation
    /// finds it: images, audio and video are opened but not decoded, captions are read. A warning says which captions are
    /// later than their video or audio, and which sounds on arrival are too long.
    package func withMediaOpened(in folder: String, cancellation: Cancellation) -> StoryDocument {
        var document = self
        var lengths: [String: (seconds: Double?, noun: String)] = [:]
        let arrivalSounds = draft?.arrivalSounds ?? []
        for (source, kind) in soundMedia {
            do throws(MediaError) {
                let probe = try FileProbe.probe(path: "\(folder)/\(source)", cancellation: cancellation)
                if let fault = kind.fault(of: probe) { document = document.error(of: source, fault) }
                if case .media(let probe) = probe {
                    lengths[source] = (probe.media.seconds, kind == .audio ? "audio" : "video")
                    if kind == .audio, arrivalSounds.contains(source),
                        let warning = Arrival.warning(ofSoundWith: probe.media.seconds)
                    {
                        document = document.warning(of: source, warning)
                    }
                }
            } catch {
                // Limits are options of the preparation.
                guard error.kind != .limit, error.kind != .cancelled else { continue }
                document = document.error(of: source, error.inDocument)
            }
        }
        for (file, captions, language) in soundCaptions {
            let path = "\(folder)/\(captions.source)"
            do throws(MediaError) {
                let task = TaskContext(seconds: VideoLimits.standard.seconds, cancellation: cancellation)
                try CaptionCues.check(path, language: language, limits: .standard, task: task)
            } catch {
                guard error.kind != .limit, error.kind != .cancelled else { continue }
                document = document.error(of: captions.source, error.inDocument)
                continue
            }
            if let length = lengths[file], let seconds = length.seconds,
                let warning = CaptionCues.warning(ofFile: path, beyond: seconds, of: length.noun)
            {
                document = document.warning(of: captions.source, warning)
            }
        }
        return document
    }
}

extension MediaFileKind {
    /// Returns why a file is not of this kind, and advice; nil if it is.
    fileprivate func fault(of probe: FileProbe) -> String? {
        switch (self, probe) {
        case (.image, .image), (.captions, _), (.font, _), (.map, _): nil
        case (.image, .media): "is audio or video, where the story names an image"
        case (.audio, .media(let probe)) where probe.media.audio != nil: nil
        case (.audio, _): "holds no audio; name what is seen as a video or an image"
        case (.video, .media(let probe)) where probe.media.video != nil: nil
        case (.video, .media(let probe)):
            "is not video" + (probe.media.audio == nil ? "" : "; name audio in a radio event")
        case (.video, .image): "is an image, where the story names a video; name images as images"
        }
    }
}

extension MediaError {
    /// The reason and advice without the path, for an issue that names the file. Advice about options is omitted,
    /// because a document has no options.
    fileprivate var inDocument: String { reason + (advice.flatMap { $0.options.isEmpty ? "; \($0)" : nil } ?? "") }
}
