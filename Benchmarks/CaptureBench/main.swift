// In-process figures of the capture pipeline, compared with the codecs' floor. Prints JSON.
//
//     CaptureBench CAPTURE OVERLAY ROUNDS

internal import Glibc
internal import Wayreel
internal import WayreelCore
internal import WayreelImage

guard CommandLine.arguments.count == 4, let rounds = Int(CommandLine.arguments[3]) else {
    print("usage: CaptureBench CAPTURE OVERLAY ROUNDS")
    exit(2)
}
let source = try MediaBytes.read(path: CommandLine.arguments[1], limit: 1 << 30)
let framing = Framing(screen: PixelSize(width: 960, height: 640))
let encoding = Encoding(.jpeg, quality: 85)
let resize = try CapturePipeline(CaptureOptions(framing: framing, encoding: encoding))
let dressed = try CapturePipeline(
    CaptureOptions(
        framing: framing, filters: [Filter("sepia-tone", ["intensity": 0.8])],
        overlays: [
            .text(TextOverlay("The Mission Bell")),
            .image(ImageOverlay(path: CommandLine.arguments[2], gravity: .northEast, x: .pixels(16), y: .pixels(16))),
        ],
        encoding: encoding))
let floor = try CodecFloor(source, framing: framing).prepared(quality: 85)

/// Returns the CPU time of this thread in milliseconds.
func cpu(_ work: () throws -> Void) rethrows -> Double {
    let start = Clock.thread
    try work()
    return (Clock.thread - start) * 1000
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Returns images per second on `threads` threads.
func throughput(threads: Int, images: Int) async throws -> Double {
    let pool = WorkPool(workers: threads)
    let start = Clock.wall
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<images {
            group.addTask {
                _ = try await pool.run { (_) throws(MediaError) in try dressed.prepare(source).bytes.count }
            }
        }
        try await group.waitForAll()
    }
    return Double(images) / (Clock.wall - start)
}

var costs: [(floor: Double, resize: Double, dressed: Double)] = []
for round in 0...rounds {
    let cost = (cpu(floor), try cpu { _ = try resize.prepare(source) }, try cpu { _ = try dressed.prepare(source) })
    if round > 0 { costs.append(cost) }
}
var scaling: [Double] = []
for round in 0...max(3, rounds / 2) {
    // The order alternates, so that a machine that slows down over time does not always affect the same case.
    let order = round.isMultiple(of: 2) ? [1, 2] : [2, 1]
    var rates: [Int: Double] = [:]
    for threads in order { rates[threads] = try await throughput(threads: threads, images: 8 * threads) }
    if round > 0, let one = rates[1], let two = rates[2] { scaling.append(two / one) }
}
scaling.sort()
print(
    """
    {
      "floor_ms": \(median(costs.map(\.floor))),
      "resize_ms": \(median(costs.map(\.resize))),
      "dressed_ms": \(median(costs.map(\.dressed))),
      "resize_to_floor": \(median(costs.map { $0.resize / $0.floor })),
      "dressed_to_floor": \(median(costs.map { $0.dressed / $0.floor })),
      "two_threads_to_one": \([scaling[scaling.count / 4], median(scaling), scaling[scaling.count * 3 / 4]])
    }
    """)
