package import WayreelAV
package import WayreelCore

/// Pictures on their way from the source to one rendition: upright or not, with times and durations in the plan's time base.
package typealias FrameQueue = BoundedQueue<Frame>
