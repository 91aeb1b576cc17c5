import Dispatch
import WayreelJPEG

/// A JPEG that WayreelJPEG decodes, or refuses.
struct Decoding {
    let bytes: [UInt8]
    /// The header's verdict, or the scan's.
    private(set) var verdict: wj_verdict
    private(set) var frame = wj_frame()
    /// The planes of each component, and their widths in samples or blocks.
    private(set) var samples: [[UInt8]] = []
    private(set) var coefficients: [[Int16]] = []

    /// The rows of a plane are as long as its blocks are wide.
    func stride(_ component: Int, scale: Int) -> Int { Int(components[component].blocks_wide) * scale }

    var components: [wj_component] {
        Array([frame.components.0, frame.components.1, frame.components.2].prefix(Int(frame.component_count)))
    }

    /// Decodes coefficients (no `scales`), or samples at the scales of the components, on `threads` threads.
    init(_ bytes: [UInt8], scales: [Int]? = nil, threads: Int = 1) {
        self.bytes = bytes
        verdict = WJ_ACCEPTED
        verdict = bytes.withUnsafeBufferPointer { wj_read_frame($0.baseAddress, $0.count, &frame) }
        guard verdict == WJ_ACCEPTED else { return }
        for (index, component) in components.enumerated() {
            let blocks = Int(component.blocks_wide) * Int(component.blocks_high)
            if let scales {
                samples.append([UInt8](repeating: 0, count: blocks * scales[index] * scales[index]))
            } else {
                coefficients.append([Int16](repeating: 0, count: blocks * 64))
            }
        }
        // The header points into the bytes.
        verdict = bytes.withUnsafeBufferPointer { buffer in
            wj_read_frame(buffer.baseAddress, buffer.count, &frame)
            return decode(scales, threads)
        }
    }

    private mutating func decode(_ scales: [Int]?, _ threads: Int) -> wj_verdict {
        var planes: [wj_plane] = []
        var owned: [UnsafeMutableRawPointer] = []
        defer { owned.forEach { $0.deallocate() } }
        for (index, _) in components.enumerated() {
            let byteCount = scales == nil ? coefficients[index].count * 2 : samples[index].count
            let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
            owned.append(memory)
            let scale = scales?[index] ?? 8
            planes.append(
                wj_plane(
                    scale: Int32(scale), samples: scales == nil ? nil : memory.assumingMemoryBound(to: UInt8.self),
                    stride: stride(index, scale: scale),
                    coefficients: scales == nil ? memory.assumingMemoryBound(to: Int16.self) : nil))
        }
        var decoder: OpaquePointer?
        let opened = wj_decoder_open(&frame, planes, &decoder)
        guard opened == WJ_ACCEPTED, let decoder else { return opened }
        let work = Work(decoder: decoder)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in wj_decoder_work(work.decoder, nil, nil) }
        let verdict = wj_decoder_close(decoder)
        guard verdict == WJ_ACCEPTED else { return verdict }
        for (index, memory) in owned.enumerated() {
            if scales == nil {
                let values = memory.assumingMemoryBound(to: Int16.self)
                coefficients[index] = Array(UnsafeBufferPointer(start: values, count: coefficients[index].count))
            } else {
                let values = memory.assumingMemoryBound(to: UInt8.self)
                samples[index] = Array(UnsafeBufferPointer(start: values, count: samples[index].count))
            }
        }
        return verdict
    }
}

/// A decoder that several threads work with.
private struct Work: @unchecked Sendable {
    let decoder: OpaquePointer
}
