internal import CTIFF
internal import WayreelCore

/// Interpretation of a TIFF page's samples and their conversion to rows.
struct TIFFSamples {
    enum Color: Equatable {
        case grey(isInverted: Bool)
        case palette
        case rgb
        case cmyk
        /// CIE L*a*b*; with `isOffset`, a* and b* are stored with an offset instead of signed.
        case lab(isOffset: Bool)

        /// Colour samples per pixel, without alpha.
        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .rgb, .lab: 3
            case .cmyk: 4
            }
        }
    }

    enum Alpha {
        case associated, unassociated
    }

    let color: Color
    let alpha: Alpha?
    /// Whether there is alpha that is not used: that of inks.
    let ignoresAlpha: Bool
    /// Bits per sample, 1 to 64.
    let bits: Int
    let format: Format
    /// Samples per pixel in the file.
    let count: Int
    /// Red, green and blue of palette entries, 16 bits each.
    let colorMap: [[UInt16]]

    enum Format: UInt16 {
        case unsigned = 1
        case signed = 2
        case float = 3
        /// Undefined; read as unsigned.
        case void = 4
    }

    /// Throws an `unsupported` error for unsupported sample formats.
    init(_ page: ctiff_page) throws(MediaError) {
        guard let color = Self.color(page) else {
            throw TIFFFile.unsupported("colours of kind \(page.photometric) are not handled")
        }
        guard let format = Format(rawValue: page.sample_format) else {
            throw TIFFFile.unsupported("complex numbers are not pixels")
        }
        self.color = color
        self.format = format
        bits = Int(page.bits_per_sample)
        count = Int(page.samples_per_pixel)
        let allowed = format == .float ? [16, 32, 64].contains(bits) : (1...32).contains(bits)
        guard allowed, count >= color.samples else {
            throw TIFFFile.unsupported("\(count) samples of \(bits) bits are not handled")
        }
        alpha =
            switch (count > color.samples ? page.first_extra_sample : 0, color) {
            case (_, .cmyk): nil
            case (1, _): .associated
            case (2, _): .unassociated
            default: nil
            }
        ignoresAlpha = color == .cmyk && count > color.samples && [1, 2].contains(page.first_extra_sample)
        guard color == .palette else {
            colorMap = []
            return
        }
        guard bits <= 16, let red = page.color_map.0, let green = page.color_map.1, let blue = page.color_map.2 else {
            throw TIFFFile.fault("the palette is missing")
        }
        let entries = 1 << Int(page.bits_per_sample)
        let maps = [red, green, blue].map { Array(UnsafeBufferPointer(start: $0, count: entries)) }
        // Some writers use only 8 bits.
        let isNarrow = maps.allSatisfy { $0.allSatisfy { $0 < 256 } }
        colorMap = isNarrow ? maps.map { $0.map { $0 * 257 } } : maps
    }

    private static func color(_ page: ctiff_page) -> Color? {
        switch page.photometric {
        case 0: .grey(isInverted: true)
        case 1, 4: .grey(isInverted: false)
        case 2: .rgb
        case 3: .palette
        case 5: page.ink_set == 1 ? .cmyk : nil
        // libtiff decodes JPEG data to RGB.
        case 6: page.compression == 7 ? .rgb : nil
        case 8: .lab(isOffset: false)
        // Floats are not stored with an offset.
        case 9: .lab(isOffset: page.sample_format != Format.float.rawValue)
        default: nil
        }
    }

    var layout: ImageHeader.RowLayout { color == .cmyk ? .cmyk : alpha != nil ? .rgba : .rgb }
    /// Bits per component of the rows from ``convert(_:from:columns:into:)``.
    var rowBits: Int {
        if case .lab = color { return 16 }
        return color == .palette
            ? (colorMap.allSatisfy { $0.allSatisfy { $0 % 257 == 0 } } ? 8 : 16) : bits > 8 ? 16 : 8
    }
    var model: ImageHeader.ColorModel {
        switch color {
        case .grey: .grey
        case .palette: .palette
        case .rgb: .rgb
        case .cmyk: .cmyk
        case .lab: .lab
        }
    }

    // MARK: Rows

    /// Whether rows need no conversion.
    private var isPlain: Bool {
        (color == .rgb || color == .cmyk) && count == layout.components && bits == rowBits
            && (format == .unsigned || format == .void)
    }

    /// Converts a row of `width` pixels. `planes` holds one row per plane, or one row of interleaved samples.
    func convert(_ planes: [UnsafeRawPointer], width: Int, into row: UnsafeMutableRawPointer) {
        if isPlain, planes.count == 1 {
            row.copyMemory(from: planes[0], byteCount: width * count * (bits / 8))
            return
        }
        // 16-bit samples in row order.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * 4) { values in
            gather(planes, width: width, into: values.baseAddress!)
            store(values.baseAddress!, width: width, into: row)
        }
    }

    /// Interleaves colour and alpha samples.
    private func gather(_ planes: [UnsafeRawPointer], width: Int, into values: UnsafeMutablePointer<UInt16>) {
        let used = color.samples + (alpha != nil ? 1 : 0)
        for sample in 0..<used {
            let (plane, offset, step) = planes.count > 1 ? (planes[sample], 0, 1) : (planes[0], sample, count)
            if format == .float, case .lab = color, sample < color.samples {
                readLab(plane, sample, width: width, offset: offset, step: step, into: values + sample, every: used)
                continue
            }
            let isIndex = color == .palette && sample == 0
            read(plane, width: width, offset: offset, step: step, isIndex: isIndex, into: values + sample, every: used)
        }
    }

    /// Reads every `step`th sample from `offset` as full-range 16 bits; palette indices are not scaled.
    private func read(
        _ samples: UnsafeRawPointer, width: Int, offset: Int, step: Int, isIndex: Bool,
        into out: UnsafeMutablePointer<UInt16>,
        every stride: Int
    ) {
        func fill(_ value: (Int) -> UInt16) {
            for x in 0..<width { out[x * stride] = value(offset + x * step) }
        }
        let sign: UInt64 = format == .signed ? 1 << UInt64(bits - 1) : 0
        switch (format, bits) {
        case (.float, 16): fill { Self.word(samples.loadUnaligned(fromByteOffset: $0 * 2, as: Float16.self)) }
        case (.float, 32): fill { Self.word(samples.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self)) }
        case (.float, _): fill { Self.word(samples.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self)) }
        case (_, 8):
            let bytes = samples.assumingMemoryBound(to: UInt8.self)
            let factor: UInt16 = isIndex ? 1 : 257
            fill { UInt16(bytes[$0] ^ UInt8(sign)) * factor }
        case (_, 16):
            fill { samples.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self) ^ UInt16(sign) }
        case (_, 32):
            fill { UInt16((samples.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) ^ UInt32(sign)) >> 16) }
        default:
            let bytes = samples.assumingMemoryBound(to: UInt8.self)
            let full = UInt64(1) << UInt64(bits) - 1
            fill { index in
                let value = Self.bits(bytes, from: index * bits, count: bits) ^ sign
                return UInt16(isIndex ? value : (value * 65535 + full / 2) / full)
            }
        }
    }

    /// Reads every `step`th float of L*, a* or b* from `offset` as 16 bits of CIELab: L* is 0 to 100.
    private func readLab(
        _ samples: UnsafeRawPointer, _ sample: Int, width: Int, offset: Int, step: Int,
        into out: UnsafeMutablePointer<UInt16>, every stride: Int
    ) {
        for x in 0..<width {
            let index = offset + x * step
            let value =
                switch bits {
                case 16: Double(samples.loadUnaligned(fromByteOffset: index * 2, as: Float16.self))
                case 32: Double(samples.loadUnaligned(fromByteOffset: index * 4, as: Float.self))
                default: samples.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
                }
            // NaN → 0.
            let chroma = value.isNaN ? 0 : min(max(value, -128), 127.99) * 256
            out[x * stride] = sample == 0 ? Self.word(value / 100) : UInt16(bitPattern: Int16(chroma.rounded()))
        }
    }

    /// Reads bits, most significant first.
    private static func bits(_ bytes: UnsafePointer<UInt8>, from start: Int, count: Int) -> UInt64 {
        var value: UInt64 = 0
        for byte in start / 8...(start + count - 1) / 8 { value = value << 8 | UInt64(bytes[byte]) }
        let unused = 7 - (start + count - 1) % 8
        return value >> UInt64(unused) & (1 << UInt64(count) - 1)
    }

    private static func word(_ value: some BinaryFloatingPoint) -> UInt16 {
        // Also true for NaN.
        guard value > 0 else { return 0 }
        return value < 1 ? UInt16((Double(value) * 65535).rounded()) : 65535
    }

    private func store(_ values: UnsafeMutablePointer<UInt16>, width: Int, into row: UnsafeMutableRawPointer) {
        let (used, components) = (color.samples + (alpha != nil ? 1 : 0), layout.components)
        let (bytes, words) = (row.assumingMemoryBound(to: UInt8.self), row.assumingMemoryBound(to: UInt16.self))
        let isWide = rowBits == 16
        @inline(__always) func put(_ index: Int, _ value: UInt16) {
            if isWide { words[index] = value } else { bytes[index] = UInt8((UInt32(value) * 255 + 32767) / 65535) }
        }
        for x in 0..<width {
            let (pixel, out) = (values + x * used, x * components)
            switch color {
            case .grey(let isInverted):
                let grey = isInverted ? 65535 - pixel[0] : pixel[0]
                for c in 0..<3 { put(out + c, grey) }
            case .palette:
                let index = min(Int(pixel[0]), colorMap[0].count - 1)
                for c in 0..<3 { put(out + c, colorMap[c][index]) }
            case .rgb, .cmyk:
                for c in 0..<color.samples { put(out + c, pixel[c]) }
            case .lab(let isOffset):
                let rgb = LabColor.srgb(pixel[0], pixel[1], pixel[2], isOffset: isOffset, isByte: bits <= 8)
                for c in 0..<3 { put(out + c, rgb[c]) }
            }
            if components == 4, color != .cmyk { put(out + 3, pixel[used - 1]) }
        }
    }
}
