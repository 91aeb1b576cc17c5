public import ArgumentParser
public import Wayreel

// The library's choices, as values of options.
extension Fit: ExpressibleByArgument {}
extension Gravity: ExpressibleByArgument {}
extension DamageTolerance: ExpressibleByArgument {}
extension ExistingOutput: ExpressibleByArgument {}
extension Encoding.Format: ExpressibleByArgument {}
extension Encoding.Subsampling: ExpressibleByArgument {}
extension Encoding.Metadata: ExpressibleByArgument {}
