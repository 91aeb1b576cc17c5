import TestSupport
import Testing
import WayreelImage

@Suite struct XMPPacketTests {
    private static let start =
        #"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
    private static let end = #"</rdf:RDF></x:xmpmeta><?xpacket end="w"?>"#

    private static func stripped(_ description: String) -> String? {
        XMPPacket(Array((start + description + end).utf8)).map { packet in
            String(decoding: packet.withoutSourceProperties, as: UTF8.self)
        }
    }

    @Test(arguments: [
        // Attributes with any prefix are removed; others that only look similar are kept.
        (
            #"<rdf:Description xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6" t:Make="Canon" tiff:Orientation='6'/>"#,
            #"<rdf:Description xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Make="Canon" tiff:Orientation='6'/>"#
        ),
        // Elements are removed with their content.
        (
            #"<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"><xmp:Thumbnails><rdf:Alt><rdf:li a=">"/></rdf:Alt></xmp:Thumbnails><xmp:Label>x</xmp:Label></rdf:Description>"#,
            #"<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"><xmp:Label>x</xmp:Label></rdf:Description>"#
        ),
        // A gain map and its offset in the file, with namespaces declared at their first use.
        (
            #"<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"><C:Directory xmlns:C="http://ns.google.com/photos/1.0/container/"><rdf:Seq><rdf:li><C:Item xmlns:I="http://ns.google.com/photos/1.0/container/item/" I:Semantic="GainMap"/></rdf:li></rdf:Seq></C:Directory></rdf:Description>"#,
            #"<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"></rdf:Description>"#
        ),
        // A prefix that is redefined inside.
        (
            #"<rdf:Description xmlns:a="http://ns.adobe.com/tiff/1.0/"><b xmlns:a="else"><a:Orientation>6</a:Orientation></b><a:Orientation>6</a:Orientation></rdf:Description>"#,
            #"<rdf:Description xmlns:a="http://ns.adobe.com/tiff/1.0/"><b xmlns:a="else"><a:Orientation>6</a:Orientation></b></rdf:Description>"#
        ),
        // Comments and character data are not markup.
        (
            #"<rdf:Description xmlns:a="http://ns.adobe.com/tiff/1.0/"><!-- <a:Orientation> --><![CDATA[</x><a:Orientation>]]></rdf:Description>"#,
            #"<rdf:Description xmlns:a="http://ns.adobe.com/tiff/1.0/"><!-- <a:Orientation> --><![CDATA[</x><a:Orientation>]]></rdf:Description>"#
        ),
    ])
    func dropsWhatIsAboutTheSource(description: String, expected: String) {
        #expect(Self.stripped(description) == Self.start + expected + Self.end)
    }

    /// Bytes that XML forbids, before, in and after a packet, do not hide its tags.
    @Test(
        arguments: [
            [0x00], [0x03], [0xE9], [0xE2, 0x82], Array(" & ".utf8), Array("&nbsp;".utf8), Array("&#3;".utf8),
        ] as [[UInt8]])
    func keepsTheBytesOfADamagedPacket(damage: [UInt8]) throws {
        func packet(orientation: String) -> [UInt8] {
            let parts = [
                "", Self.start + #"<rdf:Description xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Software=""#,
                "\"\(orientation)><t:Artist>", "</t:Artist><t:Model>X</t:Model></rdf:Description>" + Self.end, "",
            ]
            return Array(parts.map { Array($0.utf8) }.joined(separator: damage))
        }
        let damaged = try #require(XMPPacket(packet(orientation: #" t:Orientation="6""#)))
        #expect(damaged.withoutSourceProperties == packet(orientation: ""))
        #expect(damaged.hasDevice)
    }

    @Test func reportsLocationDeviceAndGainMap() throws {
        let packet = try #require(
            XMPPacket(
                Array(
                    #"<d xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:t="http://ns.adobe.com/tiff/1.0/" e:GPSLatitude="43,28N"><t:Model>X</t:Model></d>"#
                        .utf8)))
        #expect(packet.hasLocation && packet.hasDevice && !packet.hasGainMap)
        let pixel = try XMPPacket(#require(EXIFBlockTests.capture("rooftop-pixel8-gainmap").xmp))
        #expect(pixel?.hasGainMap == true)
    }

    @Test(arguments: [
        "<a>", "</a>", "<a></b>", "<a b></a>", "<a b=c/>", #"<a b="c/>"#, "<", "<a", "<a ",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        "<!-- ", "<?x", "<![CDATA[", "<a/", "<a / >", String(repeating: "<a>", count: 101),
    ])
    func rejectsWhatIsNotWellFormed(text: String) {
        #expect(XMPPacket(Array(text.utf8)) == nil)
    }

    @Test func flipsAndTruncationsAreHarmless() throws {
        let original = try #require(EXIFBlockTests.capture("rooftop-pixel8-gainmap").xmp)
        for length in 0..<original.count { _ = XMPPacket(Array(original.prefix(length)))?.withoutSourceProperties }
        var random = SeededRandom(seed: 2)
        for _ in 0..<2000 {
            _ = XMPPacket(original.changed(3, using: &random))?.withoutSourceProperties
        }
    }

    @Test func manyNamespacesAndTagsAreHarmless() {
        let namespaces = (0..<101).map { " xmlns:n\($0)=\"u\"" }.joined()
        #expect(XMPPacket(Array("<a\(namespaces)/>".utf8)) == nil)
        let tags = "<a>" + String(repeating: "<b/>", count: 200_000) + "</a>"
        #expect(XMPPacket(Array(tags.utf8)) != nil)
        #expect(XMPPacket([UInt8](repeating: 0x20, count: 2 << 20)) == nil)
    }
}
