import TestSupport
import Testing
import WayreelCore
import WayreelDrawing
import WayreelImage

/// SVG drawings: their sizes, what is refused, and how they are drawn.
@Suite struct SVGDocumentTests {
    private func document(_ text: String) throws -> SVGDocument {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/a.svg"
        try OutputFile.write(Array(text.utf8), to: path)
        return try SVGDocument(path: path)
    }

    private func svg(_ content: String, _ attributes: String = #"viewBox="0 0 40 20""#) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \(attributes)>\(content)</svg>"
    }

    /// An inch has 96 pixels of CSS and 25.4 mm.
    @Test(arguments: [
        (#"viewBox="0 0 40 20""#, 40.0, 20.0), (#"viewBox="-5,-5 40.5,20" width="9" height="9""#, 40.5, 20),
        (#"width="300" height="150px""#, 300, 150), (#"width="254mm" height="1in""#, 960, 96),
        (#"width=" 72pt " height="6pc""#, 96, 96),
    ])
    func sizesAreThoseOfTheViewBox(_ attributes: String, _ width: Double, _ height: Double) throws {
        let found = try document(svg("", attributes))
        #expect(abs(found.width - width) < 1e-9 && abs(found.height - height) < 1e-9)
    }

    @Test(arguments: [
        #"width="100%" height="100%""#, #"viewBox="0 0 40""#, #"viewBox="0 0 a 20""#, "", #"viewBox="0 0 0 20""#,
        #"viewBox="0 0 1e300 20""#, #"viewBox="0 0 nan 20""#,
    ])
    func withoutASizeItIsRefused(_ attributes: String) {
        #expect(throws: MediaError.self) { try document(svg("", attributes)) }
    }

    @Test func whatIsOutsideIsRefused() throws {
        for content in [
            #"<image href="photo.png" width="9" height="9"/>"#, #"<image xlink:href="file:///etc/passwd"/>"#,
            #"<use href="other.svg#a"/>"#, #"<rect fill="url(other.svg#a)" width="9" height="9"/>"#,
            #"<style>@import url(a.css);</style>"#, #"<style>rect { fill: url('https://example.org/a#b') }</style>"#,
            #"<image href="http://169.254.169.254/latest"/>"#,
            #"<rect style="filter:url( &quot;//a/b.svg#c&quot; )"/>"#,
            #"<image href="data:image/svg+xml;base64,PHN2Zy8+"/>"#, #"<g xml:base="http://example.org/"/>"#,
        ] {
            let error = #expect(throws: MediaError.self, "\(content)") { try document(svg(content)) }
            #expect(error?.kind == .unsupported && error?.reason.contains("outside of it") == true, "\(content)")
        }
        for content in [
            #"<a href="https://example.org/"><rect width="9" height="9"/></a>"#, ##"<use href="#a"/>"##,
            ##"<rect fill="url(#a)"/><style>rect { fill: url("#b") }</style>"##,
            #"<image href="data:image/png;base64,iVBORw0KGgo="/>"#, #"<text>see url(a) or photo.png</text>"#,
        ] { _ = try document(svg(content)) }
    }

    @Test func entitiesAreRefused() throws {
        let entities = #"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>"#
        let bomb = entities + svg("<text>&b;</text>")
        let error = #expect(throws: MediaError.self) { try document(bomb) }
        #expect(error?.reason == "the SVG drawing declares entities in its line 1")
        let standard = """
            <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
            """
        #expect(try document(standard + svg("")).width == 40)
    }

    @Test func damagedAndDeepDocumentsAreRefused() {
        for text in [svg("<g>"), "<html></html>", "<svg", svg(String(repeating: "<g>", count: 100_000))] {
            #expect(throws: MediaError.self) { try document(text) }
        }
    }

    @Test func sizesInPixelsKeepTheShape() throws {
        let found = try document(svg(""))
        #expect(found.pixels(width: 100, orHeight: 0, longest: 8192) == PixelSize(width: 100, height: 50))
        #expect(found.pixels(width: 0, orHeight: 100, longest: 8192) == PixelSize(width: 200, height: 100))
        #expect(found.pixels(width: 9000, orHeight: 0, longest: 8192) == PixelSize(width: 8192, height: 4096))
        let flat = try document(svg("", #"viewBox="0 0 100000 1""#))
        #expect(flat.pixels(width: 100, orHeight: 0, longest: 8192) == PixelSize(width: 100, height: 1))
    }

    /// Half of the drawing is red, the other half is left out; its `width` and `height` do not matter.
    @Test func drawingsFillTheirSize() throws {
        let text = svg(##"<rect width="20" height="20" fill="#f00"/>"##, #"viewBox="0 0 40 20" width="3" height="90""#)
        let surface = try Array(text.utf8).withUnsafeBytes { (bytes) throws(MediaError) in
            try SVGPicture.draw(bytes, width: 40, height: 20, size: PixelSize(width: 80, height: 40))
        }
        surface.withBytes { bytes in
            for y in [0, 20, 39] {
                let row = (bytes.baseAddress! + y * surface.stride).assumingMemoryBound(to: UInt32.self)
                #expect(row[0] == 0xFFFF_0000 && row[38] == 0xFFFF_0000 && row[41] == 0 && row[79] == 0)
            }
        }
        #expect(throws: MediaError.self) {
            try Array("<svg".utf8).withUnsafeBytes { (bytes) throws(MediaError) in
                try SVGPicture.draw(bytes, width: 40, height: 20, size: PixelSize(width: 8, height: 4))
            }
        }
    }
}
