internal import WayreelCore

/// A look-up table in .cube format (Adobe, "Cube LUT Specification 1.0", 2013), with the input ranges written by
/// DaVinci Resolve. A file may contain a 1D table, a 3D table, or a 1D table followed by a 3D table.
struct CubeFile {
    /// Max side of a 3D table: the format allows 256, which takes 200 MB; Core Image and cameras stop at 64 or 65.
    static let sizeLimit3D = 129
    static let sizeLimit1D = 65536
    private static let byteLimit = 128 << 20
    private static let keywords: Set = [
        "TITLE", "LUT_1D_SIZE", "LUT_3D_SIZE", "DOMAIN_MIN", "DOMAIN_MAX", "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE",
    ]

    private var size1D = 0
    private var size3D = 0
    private var low = SIMD3<Float>.zero
    private var high = SIMD3<Float>.one
    /// The range of each table, if declared separately.
    private var range1D: ClosedRange<Float>?
    private var range3D: ClosedRange<Float>?
    private var entries: [Float] = []

    /// Reads the file at `path`. Errors name it and the line but do not quote it: an untrusted recipe may name any file
    /// of the machine.
    init(path: String, task: TaskContext) throws(MediaError) {
        let bytes = try MediaBytes.read(path: path, limit: Self.byteLimit, task: task)
        defer { withExtendedLifetime(bytes) {} }
        do throws(MediaError) {
            try self.init(bytes.buffer, task: task)
        } catch {
            throw error.naming(path)
        }
    }

    /// Parses the content of a file.
    init(_ bytes: UnsafeRawBufferPointer, task: TaskContext) throws(MediaError) {
        var line = 0
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0  // a byte order mark
        while start < bytes.endIndex {
            line += 1
            if line & 1023 == 0 { try task.check() }
            // Lines end with LF, CR LF or CR.
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
            let isPair = end + 1 < bytes.endIndex && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
            try read(bytes[start..<end], line: line, fileBytes: bytes.count)
            start = end + (isPair ? 2 : 1)
        }
        let wanted = expectedEntries
        guard wanted > 0 else {
            throw Self.fault("it has neither LUT_1D_SIZE nor LUT_3D_SIZE", "is it a .cube file?")
        }
        guard entries.count == wanted * 3 else {
            throw Self.fault("it ends after \(entries.count / 3) of \(wanted) entries")
        }
    }

    private var expectedEntries: Int { size1D + size3D * size3D * size3D }

    private static let fault = ErrorSite(.parameter, step: .filter)

    private mutating func read(_ bytes: Slice<UnsafeRawBufferPointer>, line: Int, fileBytes: Int) throws(MediaError) {
        let fields = bytes.split { $0 == 0x20 || $0 == 0x09 }
        guard let first = fields.first, first.first != UInt8(ascii: "#") else { return }
        guard first.first.map({ $0 >= 0x41 }) == true, !Self.isNotFinite(first) else {
            return try readEntry(fields, line: line)
        }
        let keyword = String(decoding: first, as: UTF8.self)
        let values = fields.dropFirst()
        guard Self.keywords.contains(keyword) else {
            throw Self.fault("line \(line): a keyword of a .cube file or three numbers are expected")
        }
        guard entries.isEmpty else { throw Self.fault("line \(line): \(keyword) comes after the entries") }
        switch keyword {
        case "LUT_1D_SIZE":
            size1D = try size(values, keyword, line, limit: Self.sizeLimit1D, declared: size1D)
        case "LUT_3D_SIZE":
            size3D = try size(values, keyword, line, limit: Self.sizeLimit3D, declared: size3D)
        case "DOMAIN_MIN", "DOMAIN_MAX":
            let corner = try numbers(values, 3, keyword, line)
            let point = SIMD3(corner[0], corner[1], corner[2])
            if keyword == "DOMAIN_MIN" { low = point } else { high = point }
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            let ends = try numbers(values, 2, keyword, line)
            guard ends[0] < ends[1] else { throw Self.fault("line \(line): \(keyword) must rise") }
            if keyword == "LUT_1D_INPUT_RANGE" { range1D = ends[0]...ends[1] } else { range3D = ends[0]...ends[1] }
        default: return
        }
        // An entry has at least six bytes, so short files are rejected before memory is allocated.
        guard expectedEntries <= fileBytes / 6 else {
            throw Self.fault("line \(line): the file is too short for \(expectedEntries) entries")
        }
    }

    private mutating func readEntry(_ fields: [Slice<UnsafeRawBufferPointer>], line: Int) throws(MediaError) {
        let wanted = expectedEntries
        guard wanted > 0 else { throw Self.fault("line \(line): an entry comes before the size of the table") }
        guard entries.count < wanted * 3 else { throw Self.fault("line \(line): more than \(wanted) entries") }
        if entries.isEmpty {
            guard all(low .< high) else {
                throw Self.fault("line \(line): DOMAIN_MIN must be below DOMAIN_MAX in every channel")
            }
            entries.reserveCapacity(wanted * 3)
        }
        entries += try numbers(fields[...], 3, "an entry", line)
    }

    private func size(
        _ fields: ArraySlice<Slice<UnsafeRawBufferPointer>>, _ keyword: String, _ line: Int, limit: Int, declared: Int
    ) throws(MediaError) -> Int {
        guard declared == 0 else { throw Self.fault("line \(line): \(keyword) is repeated") }
        guard fields.count == 1, let size = Int(String(decoding: fields[fields.startIndex], as: UTF8.self)),
            (2...limit).contains(size)
        else { throw Self.fault("line \(line): \(keyword) takes a whole number, 2 to \(limit)") }
        return size
    }

    private func numbers(
        _ fields: ArraySlice<Slice<UnsafeRawBufferPointer>>, _ count: Int, _ what: String, _ line: Int
    ) throws(MediaError) -> [Float] {
        guard fields.count == count else {
            throw Self.fault("line \(line): \(what) takes \(count) numbers, not \(fields.count)")
        }
        var numbers: [Float] = []
        for field in fields {
            guard let number = Float(String(decoding: field, as: UTF8.self)), number.isFinite else {
                throw Self.fault(
                    "line \(line): \(what) takes finite numbers; number \(numbers.count + 1) is not finite")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// Returns whether a word is NaN or infinity, which look like keywords.
    private static func isNotFinite(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        word.count <= 8 && Float(String(decoding: word, as: UTF8.self)) != nil
    }

    /// Returns the tables as operations, mixed with `1 - intensity` of the original colours.
    ///
    /// Both interpolations are linear in the entries, so mixing the entries mixes the results.
    func ops(intensity: Double) -> [ColorOp] {
        var ops: [ColorOp] = []
        let share = Float(intensity)
        if size1D > 0 {
            let (from, to) = domain(range1D)
            let width = to - from
            let curves = (0..<3).map { channel in
                (0..<size1D).map { i in
                    let own = from[channel] + width[channel] * Float(i) / Float(size1D - 1)
                    return own + share * (entries[i * 3 + channel] - own)
                }
            }
            ops += [
                .matrix(.scale(SIMD3(1 / SIMD3<Double>(width)), offset: -SIMD3<Double>(from) / SIMD3<Double>(width))),
                .curves(ColorCurves(red: curves[0], green: curves[1], blue: curves[2])),
            ]
        }
        if size3D > 0 {
            let (from, to) = domain(range3D)
            let step = (to - from) / Float(size3D - 1)
            var table = Array(entries[(size1D * 3)...])
            if share < 1 {
                for i in table.indices {
                    let entry = i / 3
                    let index = [entry % size3D, entry / size3D % size3D, entry / (size3D * size3D)][i % 3]
                    let own = from[i % 3] + step[i % 3] * Float(index)
                    table[i] = own + share * (table[i] - own)
                }
            }
            ops.append(.lut(CubeLUT(size: size3D, table: table, domainMin: from, domainMax: to)))
        }
        return ops
    }

    private func domain(_ range: ClosedRange<Float>?) -> (SIMD3<Float>, SIMD3<Float>) {
        range.map { (SIMD3(repeating: $0.lowerBound), SIMD3(repeating: $0.upperBound)) } ?? (low, high)
    }
}
