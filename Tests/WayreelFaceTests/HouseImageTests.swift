import TestSupport
import Testing
import WayreelCore
import WayreelFace
import WayreelImage

/// Icons, and images for links.
@Suite struct HouseImageTests {
    private let folder = TemporaryFolder()
    private let navy = RGBColor(red: 0, green: 0, blue: 0.4)

    /// The pixels that are not of a colour, as x and y.
    private func marks(_ path: String, on ground: RGBColor) throws -> [(x: Int, y: Int)] {
        let image = try Image.load(path: path, limits: .standard)
        var found: [(Int, Int)] = []
        for y in 0..<image.height {
            let rows = (0..<3).map { plane in image.withRow(y, plane: plane) { row in (0..<row.count).map { row[$0] } }
            }
            for x in 0..<image.width {
                let distance =
                    abs(rows[0][x] - Float(ground.red)) + abs(rows[1][x] - Float(ground.green))
                    + abs(rows[2][x] - Float(ground.blue))
                if distance > 0.1 { found.append((x, y)) }
            }
        }
        return found
    }

    private func icons(_ name: String, _ look: HouseLook) throws -> [(icon: HouseIcon, path: String)] {
        let paths = HouseIcon.all.indices.map { "\(folder.path)/\(name)-\($0).png" }
        let task = IconsTask(outputs: paths, options: IconsOptions(name: name, look: look))
        let report = try task.makePipeline().run(task)
        #expect(report.error == nil)
        let made = [report.output] + (report.furtherOutputs ?? [])
        #expect(made.map(\.width) == HouseIcon.all.map(\.side) && made.map(\.height) == HouseIcon.all.map(\.side))
        return Array(zip(HouseIcon.all, paths))
    }

    /// Android may cut everything outside of a circle of 80 % of the side.
    @Test func logosOfMaskableIconsAreWithinTheCircle() throws {
        for (width, height) in [(40, 40), (90, 30), (20, 100)] {
            let logo = try folder.write(PNGFile.black(width: width, height: height), to: "\(width).png")
            for (icon, path) in try icons("\(width)", HouseLook(color: navy, text: .white, logo: logo)) {
                let marks = try marks(path, on: navy)
                #expect(!marks.isEmpty)
                guard icon.shape == .maskable else { continue }
                let middle = Double(icon.side - 1) / 2
                let farthest =
                    marks.map { mark in
                        let (x, y) = (Double(mark.x) - middle, Double(mark.y) - middle)
                        return (x * x + y * y).squareRoot()
                    }.max() ?? 0
                // The logo is as large as the circle allows, to a pixel.
                #expect(abs(farthest - 0.4 * Double(icon.side)) < 2, "\(width)×\(height): \(farthest)")
            }
        }
    }

    @Test(arguments: ["Museum of Everyday Letters", "متحف الرسائل", "👩‍👩‍👧 école", "क्षेत्र", "«", "", "\u{202E}\u{0}"])
    func lettersAreInTheMiddle(name: String) throws {
        for (icon, path) in try icons("letters", HouseLook(color: navy, text: .white)).prefix(4) {
            _ = icon
            let marks = try marks(path, on: navy)
            guard !name.filter(\.isLetter).isEmpty else { continue }
            let (left, right) = (marks.map(\.x).min() ?? 0, marks.map(\.x).max() ?? 0)
            let (top, bottom) = (marks.map(\.y).min() ?? 0, marks.map(\.y).max() ?? 0)
            #expect(abs(left + right - (icon.side - 1)) <= 3 && abs(top + bottom - (icon.side - 1)) <= 3, "\(name)")
        }
    }

    private func share(_ name: String, _ options: ShareImageOptions) throws -> String {
        let path = "\(folder.path)/\(name).jpg"
        let task = ShareImageTask(output: path, options: options)
        let report = try task.makePipeline().run(task)
        #expect(report.error == nil)
        #expect(report.output.width == 1200 && report.output.height == 630)
        #expect(try Fixture.bytes(path).count <= 300_000)
        return path
    }

    /// A name begins at the left, and one of Arabic at the right.
    @Test func namesBeginWhereTheirLanguageDoes() throws {
        let look = HouseLook(color: .white, text: .black)
        for (name, isRightToLeft) in [("The Late Post", false), ("البريد", true)] {
            let path = try share(
                name, ShareImageOptions(title: name, house: name, isRightToLeft: isRightToLeft, look: look))
            let marks = try marks(path, on: .white)
            let edges = (marks.map(\.x).min() ?? 0, marks.map(\.x).max() ?? 0)
            #expect(isRightToLeft ? edges.0 > 600 && edges.1 > 1100 : edges.0 < 100 && edges.1 < 900, "\(edges)")
        }
    }

    /// Names of any length and kind leave the edges free.
    @Test func longNamesFit() throws {
        let names = [
            String(repeating: "x", count: 10_000), String(repeating: "Donaudampfschifffahrt ", count: 60),
            "\u{202E}\u{0}\n<b>", "", String(repeating: "e\u{301}\u{302}\u{303}", count: 3000),
            String(repeating: "漢", count: 400),
        ]
        for (index, name) in names.enumerated() {
            let path = try share(
                "\(index)", ShareImageOptions(title: name, house: name, look: HouseLook(color: .white, text: .black)))
            let marks = try marks(path, on: .white)
            #expect(marks.allSatisfy { (40..<1160).contains($0.x) && (30..<600).contains($0.y) }, "name \(index)")
        }
    }

    /// On a white cover, white text has a contrast of 4.5 and more: what is behind it is dark enough.
    @Test func coversAreDarkBehindTheText() throws {
        var white = try Image(size: PixelSize(width: 120, height: 63))
        for plane in 0..<3 {
            for y in 0..<63 { white.withMutableRow(y, plane: plane) { row in for x in 0..<120 { row[x] = 1 } } }
        }
        let cover = try folder.write(
            ImageEncoders.encode(white, as: Encoding(.png), metadata: OutputMetadata(), task: TaskContext()).bytes,
            to: "white.png")
        let path = try share(
            "cover", ShareImageOptions(title: "A", cover: cover, look: HouseLook(color: navy, text: .white)))
        let image = try Image.load(path: path, limits: .standard)
        // The text ends above the margin of 64 and the bar of 16 pixels.
        for y in 440..<540 {
            let value = Double(image.withRow(y, plane: 1) { $0[1000] })
            #expect(RGBColor(red: 1, green: 1, blue: 1).contrastOfGrey(value) >= 4.5, "row \(y)")
        }
    }

    /// A file that is no image, and a font that must not be embedded, are named.
    @Test func filesThatCannotBeReadAreNamed() throws {
        let text = try folder.write(Array("<svg onload=\"alert(1)\"/>".utf8), to: "logo.svg")
        for look in [
            HouseLook(color: navy, text: .white, logo: text), HouseLook(color: navy, text: .white, font: text),
        ] {
            let task = IconsTask(
                outputs: HouseIcon.all.indices.map { "\(folder.path)/\($0).png" },
                options: IconsOptions(name: "A", look: look))
            let report = try task.makePipeline().run(task)
            #expect(report.error?.subject == text)
        }
    }
}

extension RGBColor {
    /// The contrast of white with a grey (WCAG 2.2).
    fileprivate func contrastOfGrey(_ value: Double) -> Double {
        let linear = value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
        return 1.05 / (linear + 0.05)
    }
}
