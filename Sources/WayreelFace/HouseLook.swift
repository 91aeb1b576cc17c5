public import WayreelCore
internal import WayreelDrawing
internal import WayreelImage

/// What images of a house have in common: its ground, its logo and its font.
public struct HouseLook: Hashable, Sendable, Codable {
    /// The ground, and the text on it.
    public var color: RGBColor
    public var text: RGBColor
    /// The path of the logo.
    public var logo: String?
    /// The path of the font.
    public var font: String?

    public init(color: RGBColor, text: RGBColor, logo: String? = nil, font: String? = nil) {
        self.color = color
        self.text = text
        self.logo = logo
        self.font = font
    }

    var files: [String] { [logo, font].compactMap(\.self) }
}

/// A house's files, opened.
struct HouseFiles {
    let look: HouseLook
    let logo: Image?
    private let fonts: FontSet?
    let task: TaskContext

    /// The longer side of a logo as it is kept in memory.
    private static let logoSide = 1024

    init(_ look: HouseLook, limits: Limits, task: TaskContext) throws(MediaError) {
        self.look = look
        self.task = task
        logo = try look.logo.map { (path) throws(MediaError) in
            try Image.load(
                path: path,
                framing: Framing(
                    screen: PixelSize(width: Self.logoSide, height: Self.logoSide), fit: .contain, turnsScreen: false),
                limits: limits)
        }
        if let path = look.font {
            // What the font says of itself is checked before it is used.
            do throws(MediaError) {
                _ = try FontFile(path: path, task: task)
                fonts = try FontSet(path: path)
            } catch { throw error.naming(path) }
        } else {
            fonts = nil
        }
    }

    /// Lays out a text in the house's font, else in that of the installed ones.
    func layout(
        _ text: String, size: Double, isBold: Bool = false, width: Double? = nil,
        alignment: TextLayout.Alignment = .center
    ) throws(MediaError) -> TextLayout {
        try task.check()
        return try TextLayout(
            text, font: isBold && fonts == nil ? "Noto Sans, DejaVu Sans Bold" : "Noto Sans, DejaVu Sans", size: size,
            width: width, alignment: alignment, fonts: fonts)
    }

    /// Draws the logo as large as `area` allows, in its middle.
    func drawLogo(_ logo: Image, on canvas: Canvas, in area: Rectangle) throws(MediaError) {
        let factor = min(area.width / Double(logo.width), area.height / Double(logo.height))
        let size = PixelSize(
            width: max(1, Int((Double(logo.width) * factor).rounded())),
            height: max(1, Int((Double(logo.height) * factor).rounded())))
        let surface = try PixelSurface(try ImageScaler.scale(logo, to: size, task: task)) { _ in 1 }
        canvas.draw(
            surface, x: (area.midX - Double(size.width) / 2).rounded(),
            y: (area.midY - Double(size.height) / 2).rounded())
    }
}

extension PixelSurface {
    /// Copies an image; `shade` is the factor of a row's brightness.
    convenience init(_ image: Image, shade: (_ row: Int) -> Float) throws(MediaError) {
        try self.init(size: image.size, format: .argb32)
        let stride = stride
        withBytes { bytes in
            image.withPlanes { planes in
                for y in 0..<planes.height {
                    let row = (bytes.baseAddress! + y * stride).assumingMemoryBound(to: UInt32.self)
                    let factor = shade(y)
                    let colors = (0..<3).map { planes.row(y, plane: $0) }
                    let alphas = planes.count == 4 ? planes.row(y, plane: 3) : nil
                    for x in 0..<planes.width {
                        let alpha = alphas.map { Self.byte($0[x], most: 255) } ?? 255
                        let pixel = colors.map { Self.byte($0[x] * factor, most: alpha) }
                        row[x] = alpha << 24 | pixel[0] << 16 | pixel[1] << 8 | pixel[2]
                    }
                }
            }
        }
    }

    /// A value of 0 to 1 as a byte; filters may leave that range. A premultiplied colour is at most its alpha.
    private static func byte(_ value: Float, most: UInt32) -> UInt32 {
        value > 0 ? min(UInt32((min(value, 1) * 255).rounded()), most) : 0
    }

    /// The pixels as an opaque image.
    func image() throws(MediaError) -> Image {
        var image = try Image(unset: size, hasAlpha: false)
        let (stride, size) = (stride, size)
        withBytes { bytes in
            image.withMutablePlanes { planes in
                for y in 0..<size.height {
                    let row = (bytes.baseAddress! + y * stride).assumingMemoryBound(to: UInt32.self)
                    for plane in 0..<3 {
                        let values = planes.row(y, plane: plane)
                        let shift = UInt32(16 - 8 * plane)
                        for x in 0..<size.width { values[x] = Float(row[x] >> shift & 0xFF) / 255 }
                    }
                }
            }
        }
        return image
    }
}
