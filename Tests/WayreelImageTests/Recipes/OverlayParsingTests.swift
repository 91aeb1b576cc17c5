import Testing
import WayreelCore
import WayreelImage

@Suite struct OverlayParsingTests {
    private static func image(_ path: String, _ change: (inout ImageOverlay) -> Void = { _ in }) -> ImageOverlay {
        var overlay = ImageOverlay(path: path)
        change(&overlay)
        return overlay
    }

    @Test(arguments: [
        ("badge.png", image("badge.png")),
        (
            "Media/overlays/badge.png@north-east+16+16",
            ImageOverlay(path: "Media/overlays/badge.png", gravity: .northEast, x: .pixels(16), y: .pixels(16))
        ),
        ("badge.png@south", image("badge.png") { $0.gravity = .south }),
        ("badge.png@south-east", image("badge.png") { $0.gravity = .southEast }),
        (
            "badge.png@south-2%-4.5%",
            ImageOverlay(path: "badge.png", gravity: .south, x: .percent(-2), y: .percent(-4.5))
        ),
        (
            "badge.png@south-east-16+4%",
            ImageOverlay(path: "badge.png", gravity: .southEast, x: .pixels(-16), y: .percent(4))
        ),
        (
            "badge.png@center+0+8px:scale=20%,opacity=0.5,blend=soft-light,tile",
            ImageOverlay(
                path: "badge.png", y: .pixels(8), scale: .widthShare(0.2), opacity: 0.5, blend: .softLight, tile: true)
        ),
        ("grain.png:tile,blend=overlay", image("grain.png") { ($0.tile, $0.blend) = (true, .overlay) }),
        ("a.png:scale=0.5", image("a.png") { $0.scale = .factor(0.5) }),
        ("a.png:x=4%,y=-3,gravity=west", ImageOverlay(path: "a.png", gravity: .west, x: .percent(4), y: .pixels(-3))),
        ("a.png@west:tile=false", image("a.png") { $0.gravity = .west }),
        // Text that only resembles the syntax belongs to the path.
        ("logo@2x.png", image("logo@2x.png")),
        ("logo@2x.png@north+1+2", ImageOverlay(path: "logo@2x.png", gravity: .north, x: .pixels(1), y: .pixels(2))),
        ("me@example.org/west+wing:2.png", image("me@example.org/west+wing:2.png")),
        ("a@west.png", image("a@west.png")),
        ("a@b:c/d.png", image("a@b:c/d.png")),
        ("odd@north@center", image("odd@north")),
        ("C:\\badge.png", image("C:\\badge.png")),
        ("a+b.png@east", image("a+b.png") { $0.gravity = .east }),
    ])
    func parses(text: String, overlay: ImageOverlay) throws {
        #expect(try ImageOverlay(parsing: text) == overlay)
    }

    @Test(arguments: [
        ("", "the path is missing; write path@gravity+x+y:key=value,…"),
        ("@north", "the path is missing; write path@gravity+x+y:key=value,…"),
        ("a.png@nort-east+16+16", "unknown gravity 'nort-east'; did you mean 'north-east'?"),
        ("a.png@sout", "unknown gravity 'sout'; did you mean 'south'?"),
        ("a.png@north+16", "'+16' is not an offset; write two lengths, each with its sign, as in +16+16 or +2%-8"),
        ("a.png@north+16+", "'+16+' is not an offset; write two lengths, each with its sign, as in +16+16 or +2%-8"),
        ("a.png@north+a+b", "'+a+b' is not an offset; write two lengths, each with its sign, as in +16+16 or +2%-8"),
        (
            "a.png@north+1+2+3",
            "'+1+2+3' is not an offset; write two lengths, each with its sign, as in +16+16 or +2%-8"
        ),
        (
            "a.png@north:scale=big",
            "'scale' takes a factor such as 0.5, or a percentage of the image's width such as 20%, not 'big'"
        ),
        ("a.png:opactiy=0.5", "unknown key 'opactiy'; did you mean 'opacity'?"),
        ("a.png@north:tiled", "unknown key 'tiled'; did you mean 'tile'?"),
        ("a.png:opacity=2", "'opacity' takes a number from 0 to 1, not '2'"),
        ("a.png:opacity", "'opacity' takes a number from 0 to 1, not 'true'"),
        ("a\u{0}.png", "a path may not hold a NUL character"),
    ])
    func refuses(text: String, message: String) {
        let error = #expect(throws: MediaError.self) { try ImageOverlay(parsing: text) }
        #expect(error?.kind == .parameter)
        #expect(error?.description == "\(text.onOneLine): overlay: \(message)")
    }

    @Test func aTextIsTakenAsItIs() throws {
        let text = "50% off: a=b, @home + “quotes”\nسلام 🔔"
        #expect(try TextOverlay(text, style: "") == TextOverlay(text))
    }

    @Test func aStyleSetsEveryProperty() throws {
        let style = #"""
            size=6%,color=#fff,font=DejaVu Serif\, Noto Serif Bold,gravity=south,outline=#000/2,shadow=#000/0/2/4,\#
            box=#0008/12/4,margin=5%,margin-x=3,width=70%,alignment=start,rotation=-5,opacity=0.5,blend=multiply
            """#
        let black = RGBColor(red: 0, green: 0, blue: 0)
        var expected = TextOverlay(
            "hi", font: "DejaVu Serif, Noto Serif Bold", size: .percent(6), color: .white, gravity: .south,
            marginX: .pixels(3), marginY: .percent(5), width: .percent(70), alignment: .start, rotation: -5,
            opacity: 0.5, blend: .multiply)
        expected.outline = TextOverlay.Outline(color: black, width: .pixels(2))
        expected.shadow = TextOverlay.Shadow(color: black, x: .pixels(0), y: .pixels(2), blur: .pixels(4))
        expected.box = TextOverlay.Box(
            color: RGBColor(red: 0, green: 0, blue: 0, alpha: 136.0 / 255), padding: .pixels(12), radius: .pixels(4))
        #expect(try TextOverlay("hi", style: style) == expected)
    }

    @Test(arguments: [
        (
            "hi", "color=reed",
            "text: 'color' takes a colour: #rgb, #rrggbb, #rrggbbaa, or a name such as white, not 'reed'; did you mean 'red'?"
        ),
        ("hi", "sise=5", "text: unknown key 'sise'; did you mean 'size'?"),
        ("hi", "size", "text: 'size' is not key=value"),
        ("hi", "size=", "text: 'size' has no value; write size=value"),
        ("hi", "outline=#000/2/3", "text: 'outline' takes color/width, or a mapping of those, not '#000/2/3'"),
        ("", "size=5", "text: the text is empty"),
        ("a\u{0}", "", "text: a text may not hold a NUL character"),
    ])
    func refusesAStyle(text: String, style: String, message: String) {
        let error = #expect(throws: MediaError.self) { try TextOverlay(text, style: style) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ("1", 1), ("200000", 200_000), ("200kB", 200_000), ("200 KB", 200_000), ("1.5MB", 1_500_000),
        ("512KiB", 524_288), ("2M", 2_000_000), ("3g", 3_000_000_000), ("10b", 10),
    ])
    func readsSizes(text: String, bytes: Int) {
        #expect(Quantity.bytes.parse(text) == bytes)
    }

    @Test(arguments: ["", "0", "-1", "kB", "1e9", "1.5.2M", "1 2", "99999999TB", "9999999999999", "inf", "0x10"])
    func rejectsSizes(text: String) {
        #expect(Quantity.bytes.parse(text) == nil)
    }

    @Test(arguments: [
        ("150MP", 150_000_000), ("0.3mp", 300_000), ("9 kp", 9000), ("7", 7), ("1MB", nil), ("1MiP", nil),
    ])
    func readsPixels(text: String, pixels: Int?) {
        #expect(Quantity.pixels.parse(text) == pixels)
    }
}
