package enum SRGBProfile { package static let bytes: [UInt8] = [] }
