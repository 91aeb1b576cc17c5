internal import Glibc
public import WayreelCore
internal import WayreelDrawing
public import WayreelImage

extension GogglesScene {
    /// The overlays of a capture: the pins from the farthest to the nearest, then their labels.
    public struct Drawing: Sendable {
        /// The overlays to pass to ``CaptureOptions/overlays``.
        public var overlays: [Overlay]
        /// All pins, including those that are not visible.
        public var sights: [Sight]
    }

    /// Throws a `parameter` error for an invalid pose or framing.
    public func drawing(labels isLabelled: Bool = true) throws(MediaError) -> Drawing {
        try pose.check()
        try check(framing)
        let size = outputSize
        var sights = sights
        var overlays: [Overlay] = []
        for sight in sights where sight.culled == nil { overlays.append(.image(overlay(of: sight, on: size))) }
        var labels = PinLabels(on: size, around: sights.filter { $0.culled == nil }.map(\.bounds))
        guard isLabelled else { return Drawing(overlays: overlays, sights: sights) }
        // The labels of the nearest pins are placed first.
        for index in sights.indices.reversed() where sights[index].culled == nil {
            let label = try labels.place(
                name: sights[index].name, distance: sights[index].distance, at: sights[index].bounds)
            sights[index].label = label?.label
            if let label { overlays.append(.text(label.overlay)) }
        }
        return Drawing(overlays: overlays, sights: sights)
    }

    private func overlay(of sight: Sight, on size: PixelSize) -> ImageOverlay {
        let pin = pins[sight.pin]
        return ImageOverlay(
            path: pin.image, gravity: .center, x: .pixels((sight.x ?? 0) - Double(size.width) / 2),
            y: .pixels((sight.y ?? 0) - Double(size.height) / 2),
            scale: .factor((sight.width ?? 0) / Double(pin.imageSize.width)), rotation: sight.rotation ?? 0)
    }

    private func check(_ framing: Framing) throws(MediaError) {
        try framing.check()
        let fault: String? =
            if framing.cropsToAttention {
                "a crop to the salient region is not known before the photo is decoded"
            } else if framing.trim != nil {
                "a border's width is not known before the photo is decoded"
            } else if framing.crop != nil || framing.flip != nil || framing.rotation != nil {
                "the pose is that of the whole photo, not of a part or a mirror image"
            } else if framing.fit == .fill { "fit fill stretches the photo, and with it the angles" } else { nil }
        if let fault {
            throw MediaError(
                .parameter, step: "goggles", reason: "\(fault), so that pins would be in wrong places",
                advice: "use fit cover, contain or pad with a gravity such as center")
        }
    }
}

extension GogglesScene.Sight {
    /// The smallest upright rectangle around the image; empty if the pin is behind the camera.
    var bounds: Rectangle {
        guard let x, let y, let width, let height else { return Rectangle(x: 0, y: 0, width: 0, height: 0) }
        return Rectangle(x: x - width / 2, y: y - height / 2, width: width, height: height)
            .bounds(turnedBy: (rotation ?? 0) * .pi / 180, aboutX: x, y: y)
    }
}
