internal import CFFmpeg
internal import WayreelCore

/// Loads FFmpeg's libraries ahead of their first use, while the calling thread does something else.
package enum FFmpegPreload {
    package enum Purpose: Sendable {
        /// Decoding images: libavcodec, libswscale.
        case images
        /// Reading audio and video: libavcodec, libavformat.
        case media
    }

    /// Starts to load the libraries on another thread. Their first use waits until they are loaded, and reports those
    /// that are not installed.
    package static func start(for purpose: Purpose) {
        try? WorkThread.startDetached("load") {
            guard ffmpeg_codecs_load() == nil else { return }
            switch purpose {
            case .images: _ = ffmpeg_scaler_load()
            case .media: _ = ffmpeg_formats_load()
            }
        }
    }
}
