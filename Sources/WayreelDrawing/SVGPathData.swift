internal import CPango

/// A number with two decimals in SVG's shortest form: `.5`, `-3.25`, `12`.
struct SVGNumber: CustomStringConvertible {
    let hundredths: Int

    init(hundredths: Int) { self.hundredths = hundredths }
    init(_ value: Double) { self.init(hundredths: Int((value * 100).rounded())) }

    var description: String {
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(sign)\(whole == 0 ? "" : "\(whole)").\(decimals)"
    }
}

/// The `d` attribute of a path (SVG 1.1, section 8.3) in relative coordinates, which are shorter.
///
/// Points are rounded before subtraction, so that errors do not accumulate.
struct SVGPathData {
    private(set) var text = ""
    private var pen = (x: 0, y: 0)
    private var start = (x: 0, y: 0)

    init(_ path: cairo_path_t) {
        var index = 0
        while index < Int(path.num_data) {
            let header = path.data[index].header
            let points = (1..<Int(header.length)).map { offset in
                let point = path.data[index + offset].point
                return (x: Int((point.x * 100).rounded()), y: Int((point.y * 100).rounded()))
            }
            // A move before another move draws nothing.
            let isLast = index + Int(header.length) >= Int(path.num_data)
            if header.type != CAIRO_PATH_MOVE_TO || !isLast { append(header.type, points) }
            index += Int(header.length)
        }
    }

    private mutating func append(_ type: cairo_path_data_type_t, _ points: [(x: Int, y: Int)]) {
        switch type {
        case CAIRO_PATH_MOVE_TO:
            write("m", relative(points))
            start = points[0]
        case CAIRO_PATH_LINE_TO:
            let step = (x: points[0].x - pen.x, y: points[0].y - pen.y)
            switch step {
            case (0, 0): return
            case (_, 0): write("h", [step.x])
            case (0, _): write("v", [step.y])
            default: write("l", [step.x, step.y])
            }
        case CAIRO_PATH_CURVE_TO:
            write("c", relative(points))
        default:
            text += "z"
            pen = start
            return
        }
        pen = points[points.count - 1]
    }

    private func relative(_ points: [(x: Int, y: Int)]) -> [Int] { points.flatMap { [$0.x - pen.x, $0.y - pen.y] } }

    /// Writes a command and its numbers; a minus sign also separates numbers.
    private mutating func write(_ command: String, _ hundredths: [Int]) {
        text += command
        for (index, number) in hundredths.enumerated() {
            if index > 0, number >= 0 { text += " " }
            text += SVGNumber(hundredths: number).description
        }
    }
}
