internal import CFFmpeg

/// HDR metadata about luminance (CTA-861.3 and SMPTE ST 2086).
enum HDRMetadata {
    /// The largest valid luminance, in cd/m².
    private static let maxLuminance = 10_000.0

    /// Returns the peak luminance of the content, or else of its mastering display, in cd/m²; nil if neither is known.
    static func peak(light: [UInt8]?, display: [UInt8]?) -> Double? {
        [light.flatMap(contentPeak), display.flatMap(displayPeak)].compactMap(\.self).first {
            $0 >= 1 && $0 <= maxLuminance
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
