package import WayreelCore

extension OutputMetadata {
    /// What an output of `size` carries over from its source.
    ///
    /// `none` keeps nothing; `copyright` keeps EXIF's artist and copyright; `all` keeps EXIF and XMP without what is no longer
    /// true of the output: orientation, size, thumbnail, gain map. A block that is too broken for that is left out, and
    /// `watch` told.
    package init(
        keeping kept: Encoding.Metadata, from header: PictureHeader, size: PixelSize? = nil, watch: TaskWatch? = nil
    ) {
        self.init()
        let block = header.exif.flatMap { EXIFBlock($0) }
        switch kept {
        case .none: break
        case .copyright: exif = block?.copyrightOnly
        case .all:
            exif = block?.upright(size: size)
            xmp = header.xmp.flatMap { XMPPacket($0) }?.withoutSourceProperties
            if header.exif != nil, exif == nil { watch?.warn("metadata", "the EXIF block is damaged; it is left out") }
            if header.xmp != nil, xmp == nil { watch?.warn("metadata", "the XMP packet is damaged; it is left out") }
        }
    }
}
