internal import Wayreel
internal import WayreelCore
internal import WayreelImage

/// The cost of the capture pipeline, compared with the codecs' floor.
enum CaptureCost {
    private static let rounds = 30

    static func report(photo: String, overlay: String) async throws -> String {
        let source = try MediaBytes.read(path: photo, limit: 1 << 30)
        let framing = Framing(screen: PixelSize(width: 960, height: 640))
        let encoding = Encoding(.jpeg, quality: 85)
        let resize = try CapturePipeline(CaptureOptions(framing: framing, encoding: encoding))
        let dressed = try CapturePipeline(
            CaptureOptions(
                framing: framing, filters: [Filter("sepia-tone", ["intensity": 0.8])],
                overlays: [
                    .text(TextOverlay("The Mission Bell")),
                    .image(ImageOverlay(path: overlay, gravity: .northEast, x: .pixels(16), y: .pixels(16))),
                ],
                encoding: encoding))
        let floor = try CodecFloor(source, framing: framing).prepared(quality: 85)
        var costs: [[Double]] = []
        for _ in 0...rounds {
            costs.append([
                seconds(floor), try seconds { _ = try resize.prepare(source) },
                try seconds { _ = try dressed.prepare(source) },
            ])
        }
        costs.removeFirst()
        let names = [
            "libjpeg-turbo: full decode + encode at 960×640 (floor)", "wayreel: decode → 960×640 cover → encode",
            "wayreel: the same with sepia, text and logo",
        ]
        let rows = names.enumerated().map { index, name in
            [
                name, Clock.milliseconds(median(costs.map { $0[index] })).formatted(1),
                median(costs.map { $0[index] / $0[0] }).formatted(2),
            ]
        }
        let gains = try await gainsOfTwoThreads { () throws(MediaError) in _ = try dressed.prepare(source) }
        return """
            \(table([["", "CPU ms per image", "× floor"]] + rows))

            Two threads do \(median(gains).formatted(2)) × the images of one (half of the rounds: \
            \(percentile(25, of: gains).formatted(2)) to \(percentile(75, of: gains).formatted(2))).
            """
    }

    /// Returns the ratios of the images that two threads and one prepare in the same time.
    private static func gainsOfTwoThreads(_ work: @escaping @Sendable () throws(MediaError) -> Void) async throws
        -> [Double]
    {
        var gains: [Double] = []
        for round in 0...rounds / 2 {
            // The order alternates, so that a machine that slows down over time does not always affect the same case.
            let order = round.isMultiple(of: 2) ? [1, 2] : [2, 1]
            var rates: [Int: Double] = [:]
            for threads in order {
                let pool = WorkPool(workers: threads)
                let start = Clock.wall
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 * threads {
                        group.addTask { try await pool.run { (_) throws(MediaError) in try work() } }
                    }
                    try await group.waitForAll()
                }
                rates[threads] = Double(8 * threads) / (Clock.wall - start)
            }
            if round > 0, let one = rates[1], let two = rates[2] { gains.append(two / one) }
        }
        return gains
    }
}
