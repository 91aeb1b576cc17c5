internal import JPEGReference
internal import WayreelJPEG

/// JPEG scans: what WayreelJPEG accepts has libjpeg's coefficients, and libjpeg has no warning. The same images are decoded at
/// reduced sizes.
@Sendable func decodeScan(_ data: UnsafeRawBufferPointer) {
    let bytes = data.assumingMemoryBound(to: UInt8.self)
    var frame = wj_frame()
    guard let base = bytes.baseAddress, wj_read_frame(base, bytes.count, &frame) == WJ_ACCEPTED,
        Int(frame.width) * Int(frame.height) <= 1_000_000
    else { return }
    let all = [frame.components.0, frame.components.1, frame.components.2]
    let components = all.prefix(Int(frame.component_count))
    let blocks = components.map { Int($0.blocks_wide) * Int($0.blocks_high) }
    let memory = blocks.map { UnsafeMutablePointer<Int16>.allocate(capacity: $0 * 64) }
    defer { memory.forEach { $0.deallocate() } }
    let coefficients = memory.map { wj_plane(scale: 8, samples: nil, stride: 0, coefficients: $0) }
    let verdict = decode(&frame, coefficients)
    if verdict == WJ_ACCEPTED {
        let difference = jpeg_compare_coefficients(
            base, bytes.count, memory.map { UnsafePointer($0) as UnsafePointer<Int16>? }, components.map(\.blocks_wide))
        precondition(difference.failed == 0 && difference.warnings == 0 && difference.different == 0)
    }
    // The same memory has room for the samples.
    for scale in [Int32(3), 4, 6] {
        let planes = zip(memory, components).map { memory, component in
            let samples = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: UInt8.self)
            return wj_plane(
                scale: scale, samples: samples, stride: Int(component.blocks_wide) * Int(scale), coefficients: nil)
        }
        precondition(decode(&frame, planes) == verdict)
    }
}

private func decode(_ frame: inout wj_frame, _ planes: [wj_plane]) -> wj_verdict {
    var decoder: OpaquePointer?
    let verdict = wj_decoder_open(&frame, planes, &decoder)
    guard verdict == WJ_ACCEPTED, let decoder else { return verdict }
    wj_decoder_work(decoder, nil, nil)
    return wj_decoder_close(decoder)
}
