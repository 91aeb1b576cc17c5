package import WayreelAV
package import WayreelCore
package import WayreelImage

/// Filters and overlays for the pictures of a video.
package final class FrameLook: Sendable {
    package init(filters: [Filter], overlays: [Overlay], limits: VideoLimits) throws(MediaError) {}
    package func apply(to frame: Frame) throws(MediaError) -> Frame { frame }
}
