internal import CJPEG
internal import WayreelCore
internal import WayreelImage

let bytes = try MediaBytes.read(path: "Media/captures/wisteria-iphone6-8mp.jpg", limit: 1 << 30)
let pix: [UInt8] = try {
    let watch = TaskWatch()
    let reader = try JPEGReader(bytes, limits: .standard, watch: watch)
    let plan = Framing(screen: PixelSize(width: 960, height: 640)).plan(for: reader.header.size, orientation: .upright)
    let p = try Resampling.resample(reader, plan: plan, watch: watch)
    var o: [UInt8] = []
    p.withPlanes { pl in for y in 0..<640 { for x in 0..<960 { for c in 0..<3 { o.append(UInt8(max(0, min(255, pl.row(y, plane: c)[x] * 255 + 0.5)))) } } } }
    return o
}()
func floorRun(_ w: Int, _ h: Int) {
    var m = [CChar](repeating: 0, count: 200)
    let r = wr_jpeg_reader_open(bytes.buffer.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, &m)!
    var row = [UInt8](repeating: 0, count: 3264 * 3 + 64)
    for _ in 0..<2448 { _ = wr_jpeg_reader_read(r, &row) }
    wr_jpeg_reader_close(r)
    let wr = wr_jpeg_writer_open(wr_jpeg_options(width: UInt32(w), height: UInt32(h), quality: 85, progressive: 0, horizontal_ratio: 2, vertical_ratio: 2), &m)!
    for i in 0..<h { pix.withUnsafeBufferPointer { _ = wr_jpeg_writer_write(wr, $0.baseAddress! + i * 2880) } }
    var n = 0
    _ = wr_jpeg_writer_finish(wr, &n)
    wr_jpeg_writer_close(wr)
}
func ours() throws {
    let watch = TaskWatch()
    let reader = try JPEGReader(bytes, limits: .standard, watch: watch)
    let plan = Framing(screen: PixelSize(width: 960, height: 640)).plan(for: reader.header.size, orientation: .upright)
    let p = try Resampling.resample(reader, plan: plan, watch: watch)
    let out = try JPEGWriter.encode(p, as: Encoding(quality: 85), metadata: OutputMetadata(), watch: watch)
    if out.count < 100 { print("?") }
}
var mf = 1e9
var mo = 1e9
for _ in 0..<30 {
    var t = Clock.thread; floorRun(960, 640); let f = Clock.thread - t
    t = Clock.thread; try ours(); let o = Clock.thread - t
    mf = min(mf, f); mo = min(mo, o)
}
print(mf * 1000, mo * 1000, mo / mf)
