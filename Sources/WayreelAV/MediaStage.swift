package import WayreelCore

/// A stage of the media graph, with the contract of FFmpeg's decoders, filters and encoders: inputs are sent to it, and
/// its outputs are pulled.
package protocol MediaStage<Input, Output>: AnyObject {
    associatedtype Input
    associatedtype Output

    /// Whether the end of the input was sent.
    var hasEnded: Bool { get }

    /// Sends the next input, or nil at the end. The outputs of the previous input must have been pulled.
    func send(_ input: Input?) throws(MediaError)

    /// Returns the next output; nil if the stage needs another input or, after the end, has no more outputs.
    func next() throws(MediaError) -> Output?
}

extension MediaStage {
    /// Returns the next output, or nil at the end. Sends the inputs that it needs, which `source` returns in order and
    /// then nil.
    package func next(from source: () throws(MediaError) -> Input?) throws(MediaError) -> Output? {
        while true {
            if let output = try next() { return output }
            guard !hasEnded else { return nil }
            try send(try source())
        }
    }
}
