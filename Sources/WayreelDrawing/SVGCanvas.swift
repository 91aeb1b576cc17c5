internal import CPango
internal import FoundationEssentials
package import WayreelCore

/// A canvas that writes each painted path as SVG 1.1.
///
/// Text is written as outlines, so that it looks the same everywhere. Equal drawings give equal bytes.
package final class SVGCanvas: PathCanvas {
    private let sink: any ByteSink
    private var failure: MediaError?

    /// Throws a `limit` error for a side outside 1 to 32 767 pixels, like ``PixelSurface``.
    package init(
        size: PixelSize, preamble: SVGPreamble = SVGPreamble(), sink: some ByteSink
    ) throws(MediaError) {
        try PixelSurface.check(size)
        self.sink = sink
        super.init(on: try PathSurface(size: size))
        write(preamble.text(for: size))
    }

    package override func fill(_ color: RGBColor, keepingPath: Bool = false) {
        writePath(paint("fill", color), keepingPath: keepingPath)
    }

    package override func stroke(_ color: RGBColor, width: Double, keepingPath: Bool = false) {
        let line = #" fill="none" stroke-width="\#(SVGNumber(width))" stroke-linecap="round" stroke-linejoin="round""#
        writePath(paint("stroke", color) + line, keepingPath: keepingPath)
    }

    package override func strokeFlat(_ color: RGBColor, width: Double, dash: [Double] = []) {
        let lengths = dash.map { "\(SVGNumber($0))" }.joined(separator: " ")
        let line = #" fill="none" stroke-width="\#(SVGNumber(width))" stroke-linejoin="round""#
        let dashes = dash.isEmpty ? "" : " stroke-dasharray=\"\(lengths)\""
        writePath(paint("stroke", color) + line + dashes, keepingPath: false)
    }

    package override func draw(
        png: [UInt8], corner: (x: Double, y: Double), right: (x: Double, y: Double), down: (x: Double, y: Double)
    ) throws(MediaError) {
        _ = try PixelSurface(png: png)
        let terms = [right.x, right.y, down.x, down.y, corner.x, corner.y].map { "\(SVGNumber($0))" }
        write(
            #"<image width="1" height="1" preserveAspectRatio="none" transform="matrix(\#(terms.joined(separator: ",")))""#
                + #" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="data:image/png;base64,"#)
        write(Data(png).base64EncodedString())
        write("\"/>\n")
    }

    /// Ends the file.
    package override func finish() throws(MediaError) {
        write("</svg>\n")
        if let failure { throw failure }
        try super.finish()
    }

    private func writePath(_ attributes: String, keepingPath: Bool) {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        let terms = [matrix.xx, matrix.yx, matrix.xy, matrix.yy, matrix.x0, matrix.y0]
        let transform =
            terms == [1, 0, 0, 1, 0, 0]
            ? "" : #" transform="matrix(\#(terms.map { "\($0)" }.joined(separator: ",")))""#
        let path = cairo_copy_path(context)!
        defer { cairo_path_destroy(path) }
        let data = SVGPathData(path.pointee)
        if !data.text.isEmpty { write("<path\(attributes)\(transform) d=\"\(data.text)\"/>\n") }
        if !keepingPath { cairo_new_path(context) }
    }

    private func paint(_ kind: String, _ color: RGBColor) -> String {
        let opacity = color.alpha < 1 ? " \(kind)-opacity=\"\(SVGNumber(color.alpha))\"" : ""
        return " \(kind)=\"\(color.hexadecimal)\"" + opacity
    }

    /// Keeps the first error of the sink for ``finish()``.
    private func write(_ text: String) {
        guard failure == nil else { return }
        do throws(MediaError) { try sink.write(text) } catch { failure = error }
    }
}

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

/// The start of an SVG file before its first path.
package struct SVGPreamble: Sendable {
    /// Title for screen readers; browsers show it as a tooltip.
    package var title = ""
    package var summary = ""
    /// CSS for this file.
    package var styleSheet = ""
    /// Drawing units in a millimetre, for a drawing with a true size; nil: a unit is a pixel of the page.
    package var unitsPerMillimetre: Double?

    package init() {}

    func text(for size: PixelSize) -> String {
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let role = title.isEmpty ? "" : " role=\"img\""
        let sides = [size.width, size.height].map { side in
            unitsPerMillimetre.map { "\(SVGNumber(Double(side) / $0))mm" } ?? "\(side)"
        }
        let root =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(sides[0])\" height=\"\(sides[1])\" "
            + "viewBox=\"0 0 \(size.width) \(size.height)\"\(role)>\n"
        let elements = [("title", title.onOneLine.xmlText), ("desc", summary.onOneLine.xmlText), ("style", styleSheet)]
        return declaration + root
            + elements.filter { !$1.isEmpty }.map { "<\($0)>\($1)</\($0)>\n" }.joined()
    }
}
