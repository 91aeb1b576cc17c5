internal import ArgumentParser
internal import Wayreel

extension TranscodeCommand {
    func printPlans(_ options: TranscodeOptions) throws {
    }
}
