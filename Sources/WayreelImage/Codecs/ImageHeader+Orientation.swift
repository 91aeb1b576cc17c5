package import WayreelCore

extension ImageHeader {
    /// The rotation that shows the rows upright, including EXIF if it applies.
    package var uprightOrientation: Orientation {
        let stated = obeysEXIFOrientation ? exif.flatMap { EXIFBlock($0) }?.orientation : nil
        return stated ?? orientation
    }
}
