extension Array {
    /// `withUnsafeBytes`, whose closure throws errors of one type.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
    }

    /// `withUnsafeMutableBytes`, whose closure throws errors of one type.
    package mutating func withMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
