internal import CFFmpeg

/// What HDR says about its light (CTA-861.3 and SMPTE ST 2086), as FFmpeg hands it out.
enum HDRMetadata {
    /// Luminance that no display or content has, in cd/m²: more is no information.
    private static let highest = 10_000.0

    /// cd/m² of the brightest content, or else of the display that it was made on; nil where neither tells.
    static func peak(light: [UInt8]?, display: [UInt8]?) -> Double? {
        [light.flatMap(contentPeak), display.flatMap(displayPeak)].compactMap(\.self).first {
            $0 >= 1 && $0 <= highest
        }
    }

    private static func contentPeak(_ bytes: [UInt8]) -> Double? {
        load(AVContentLightMetadata.self, from: bytes).map { Double($0.MaxCLL) }
    }

    private static func displayPeak(_ bytes: [UInt8]) -> Double? {
        guard let metadata = load(AVMasteringDisplayMetadata.self, from: bytes), metadata.has_luminance != 0,
            metadata.max_luminance.den > 0
        else { return nil }
        return Double(metadata.max_luminance.num) / Double(metadata.max_luminance.den)
    }

    private static func load<Metadata: BitwiseCopyable>(_: Metadata.Type, from bytes: [UInt8]) -> Metadata? {
        guard bytes.count >= MemoryLayout<Metadata>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Metadata.self) }
    }
}
