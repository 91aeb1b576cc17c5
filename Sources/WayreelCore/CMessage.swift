extension String {
    /// The text that a C library left in `buffer`, up to its NUL.
    package init(cMessage buffer: [CChar]) {
        self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
