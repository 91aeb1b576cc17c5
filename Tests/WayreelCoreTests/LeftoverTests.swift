internal import Glibc
import TestSupport
import Testing
import WayreelCore

/// Leftovers of killed processes beside an output, and files with similar names.
@Suite struct LeftoverTests {
    /// Returns the start time of this process: proc(5), field 22, in base 36.
    private static func startTime() throws -> String {
        let line = String(decoding: try Fixture.bytes("/proc/self/stat"), as: UTF8.self)
        let fields = line[(try #require(line.lastIndex(of: ")")))...].split(separator: " ")
        return String(try #require(UInt64(fields[20])), radix: 36)
    }

    /// A process number above the largest that Linux assigns.
    private static let deadProcess = 99_999_999

    @Test func removesWhatDeadProcessesLeftAndNothingElse() throws {
        let own = getpid()
        let start = try Self.startTime()
        let left = [
            ".out.bin.\(Self.deadProcess)-3w5e.1z4.wayreel-part", ".other.jpg.\(Self.deadProcess)-0.k.wayreel-part",
            // The number of a process that was started later.
            ".out.bin.\(own)-1.2x.wayreel-part",
        ]
        let kept = [
            ".out.bin.\(own)-\(start).2y.wayreel-part", ".locked.\(Self.deadProcess)-3w5e.1z5.wayreel-part",
            // Files of other programs.
            ".out.bin.\(Self.deadProcess)-3w5e.part", ".wayreel-part", ".\(Self.deadProcess).wayreel-part",
            "out.bin.\(Self.deadProcess)-3w5e.1z4.wayreel-part", ".out.\(Self.deadProcess)-3w5e.1!4.wayreel-part",
            ".out.\(Self.deadProcess)-3w5e-9.1z4.wayreel-part", ".out.0-0.1z4.wayreel-part",
        ]
        try Fixture.withFolder { folder in
            for name in left.dropFirst() + kept { try write("\(folder)/\(name)") }
            mkdir("\(folder)/\(left[0])", 0o755)
            mkdir("\(folder)/\(left[0])/deep", 0o755)
            try write("\(folder)/\(left[0])/deep/segment.m4s")
            let lock = open("\(folder)/\(kept[1])", O_RDONLY)
            defer { close(lock) }
            try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
            try OutputFile.write([1], to: "\(folder)/out.bin")
            #expect(Set(Fixture.listing(folder)) == Set(kept + ["out.bin"]))
        }
    }

    @Test func unfinishedFoldersAreLocked() throws {
        try Fixture.withFolder { folder in
            let output = try AtomicFolder("\(folder)/hls")
            let name = try #require(Fixture.listing(folder).first)
            #expect(name.hasPrefix(".hls.\(getpid())-\(try Self.startTime()).") && name.hasSuffix(".wayreel-part"))
            let other = open("\(folder)/\(name)", O_RDONLY | O_DIRECTORY)
            defer { close(other) }
            #expect(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK)
            try output.write([1], to: "a")
            try output.finish()
            #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
            #expect(Fixture.listing(folder) == ["hls"])
        }
    }

    private func write(_ path: String) throws {
        let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
        try #require(file >= 0)
        close(file)
    }
}
