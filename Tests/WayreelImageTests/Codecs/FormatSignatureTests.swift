import Testing
import WayreelCore
import WayreelImage

@Suite struct FormatSignatureTests {
    @Test(arguments: [
        ("%PDF-1.7\n", "PDF"), ("PK\u{03}\u{04}rest", "ZIP"), ("<!DOCTYPE html><html>", "web page"),
        ("  \n<svg xmlns='x'/>", "SVG"), ("<?xml version='1.0'?><a/>", "XML"), ("{\"a\": 1}", "JSON"),
        ("SIMPLE  =                    T", "FITS"), ("/* XPM */\nstatic char *a[] = {", "XPM"),
        ("#define a_width 16\n#define a_height 16\n", "XBM"), ("just some words, not an image", "plain text"),
        ("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", "MP4"),
        ("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", "QuickTime"), ("RIFF\0\0\0\0AVI LIST", "AVI"), ("ID3\u{04}", "MP3"),
        ("\u{7F}ELF\u{02}", "program"),
        ("\0\0\u{01}\0\0\0\u{01} \0\u{C4}\u{8D}", "MPEG-4"),
    ])
    func refuses(content: String, looks: String) throws {
        let bytes = content.unicodeScalars.map { UInt8($0.value) }
        let error = #expect(throws: MediaError.self) { try DecodedImage(bytes) }
        #expect(error?.kind == .unsupported)
        #expect(error?.reason.contains(looks) == true)
        #expect(error?.advice != nil)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func refusesWhatItDoesNotKnow() {
        let error = #expect(throws: MediaError.self) { try DecodedImage([0x80, 0x81, 0x00, 0x99]) }
        #expect(error?.kind == .unsupported)
    }

    @Test func rejectsNothing() {
        let error = #expect(throws: MediaError.self) { try DecodedImage([]) }
        #expect(error?.kind == .decoding)
    }
}
