import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Exhausted memory causes a `limit` error, not a crash.
@Suite struct NoMemoryTests {
    @Test func encodingWebPThrows() async {
        await #expect(processExitsWith: .success) {
            let image = try Image(size: PixelSize(width: 4000, height: 4000))
            try WebPMemory.warmUp()
            try WebPMemory.limit(to: 20 << 20)
            let error = #expect(throws: MediaError.self) { try WebPMemory.encode(image) }
            #expect(error?.kind == .limit && error?.step == .encode, "\(String(describing: error))")
        }
    }

    @Test func blurringThrows() async {
        await #expect(processExitsWith: .success) {
            var image = try Image(size: PixelSize(width: 4000, height: 4000))
            try WebPMemory.limit(to: 20 << 20)
            let chain = try FilterChain([Filter("disc-blur", ["radius": 200])])
            let error = #expect(throws: MediaError.self) { try chain.apply(to: &image, task: TaskContext()) }
            #expect(error?.kind == .limit && error?.step == .filter, "\(String(describing: error))")
        }
    }
}

private enum WebPMemory {
    static func encode(_ image: Image) throws { _ = try image.encoded(Encoding(.webp)) }

    /// Loads the library.
    static func warmUp() throws { try encode(Image(size: PixelSize(width: 8, height: 8))) }

    /// Allows the process `bytes` more of private memory than it has now.
    static func limit(to bytes: Int) throws {
        let status = String(decoding: try Fixture.bytes("/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
        let now = try #require(Int(line.split(whereSeparator: \.isWhitespace)[1])) * 1024
        var limit = rlimit(rlim_cur: rlim_t(now + bytes), rlim_max: rlim_t(now + bytes))
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0)
    }
}
