/// Arguments that suites of several families share.
extension BenchSuite {
    static let ffmpeg = ["-nostdin", "-v", "error", "-y"]
    static let title = "The Mission Bell"

    static let toQuarterHD = "scale=960:540"
    static let aac = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]

    static func x264(_ preset: String) -> [String] {
        ["-c:v", "libx264", "-preset", preset, "-pix_fmt", "yuv420p"]
    }

    static let toMedium = ["--screen", "960x540", "--crf", "23", "--preset", "medium"]
}

extension [String] {
    /// Shell arguments after a program name; placeholders are expanded later.
    func commandLine(after program: String, _ more: [String] = []) -> String {
        ([program] + self + more).map { "'\($0)'" }.joined(separator: " ")
    }
}
