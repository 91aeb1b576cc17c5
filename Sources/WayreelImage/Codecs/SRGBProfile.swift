/// The sRGB profile that outputs are tagged with.
package enum SRGBProfile {
    package static let bytes: [UInt8] = []
}
