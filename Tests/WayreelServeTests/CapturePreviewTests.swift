import TestSupport
import Testing

/// Previews of photos for browsers that do not show their format.
@Suite struct CapturePreviewTests {
    private static let photo = "Media/story/captures/sign-iphone11pro-12mp.heic"
    private let path = "/v1/stories/late-post/events/bell-tower/previews"

    /// 3024×4032 pixels fit into 1600×1600 as 1200×1600, by ffprobe; nothing is stored.
    @Test func aPreviewIsAJPEGThatNobodyKeeps() throws {
        let server = try RunningServer("--data data --stories bundles") { try $0.prepareSampleStory() }
        let preview = try server.head("\(path)?player=ines", "--data-binary @\(Self.photo)")
        #expect(preview.status == "HTTP/1.1 200 OK")
        #expect(preview.headers["content-type"] == "image/jpeg" && preview.headers["cache-control"] == "no-store")
        let probed = try server.bench.shell(
            "ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 body.out")
        #expect(probed.text == "mjpeg,1200,1600\n", "\(probed.errors)")
        let kept = try server.bench.shell(
            "find data -name '*.jpg' -o -name '*.heic' | wc -l; ls data/pending 2> /dev/null | wc -l")
        #expect(kept.text == "0\n0\n")
        let journal = try server.curl("", path: "/v1/players/ines/stories/late-post/journal").text
            .filter { !$0.isWhitespace }
        #expect(journal.contains(#""captures":[]"#), "\(journal)")
        // A small photo is not enlarged.
        _ = try server.head("\(path)?player=ines", "--data-binary @photo.jpg")
        let sizes = "ffprobe -v error -show_entries stream=width,height -of csv=p=0"
        #expect(try server.bench.shell("\(sizes) body.out").text == server.bench.shell("\(sizes) photo.jpg").text)
    }

    @Test func aPreviewNeedsAPlayerAnEventAndAPhoto() throws {
        let server = try RunningServer("--data data --stories bundles") { try $0.prepareSampleStory() }
        try server.bench.write("This is no photo.", to: "letter.docx")
        let refused = [
            (path, "photo.jpg", "400 Bad Request"),
            ("\(path)?player=ines&screen=10x10", "photo.jpg", "400 Bad Request"),
            ("/v1/stories/late-post/events/nowhere/previews?player=ines", "photo.jpg", "404 Not Found"),
            ("/v1/stories/late-post/events/counter/previews?player=ines", "photo.jpg", "404 Not Found"),
            ("\(path)?player=ines", "letter.docx", "415 Unsupported Media Type"),
        ]
        for (path, file, status) in refused {
            let answer = try server.head(path, "--data-binary @\(file)")
            #expect(answer.status == "HTTP/1.1 \(status)", "\(path), \(file)")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }
}

/// Captures with texts over them, which differ by language.
@Suite struct CaptureLanguageTests {
    /// The text is that of the language that suits the player best; one that the story does not have is no reason to lose a
    /// photo. A photo that is sent again in another language is another request.
    @Test func capturesHaveTheTextsOfThePlayersLanguage() throws {
        let server = try RunningServer("--data data --stories bundles") { try $0.prepareSampleStory() }
        func capture(_ language: String, key: Int) throws -> (status: String, image: [UInt8]) {
            let path = "/v1/stories/late-post/events/library-door/captures?player=ines&screen=480x320\(language)"
            let id = "00000000-0000-4000-8000-00000000000\(key)"
            let answer = try server.head(path, "-H 'Idempotency-Key: \(id)' --data-binary @photo.jpg")
            return (answer.status, try server.bench.bytes("body.out"))
        }
        let own = try capture("", key: 1)
        #expect(own.status == "HTTP/1.1 201 Created")
        let german = try capture("&language=de", key: 2)
        #expect(german.status == "HTTP/1.1 201 Created" && german.image != own.image)
        #expect(try capture("&language=de-CH", key: 3).image == german.image)
        #expect(try capture("&language=fr", key: 4).image == own.image)
        #expect(try capture("&language=de", key: 2).image == german.image)
        #expect(try capture("", key: 2).status == "HTTP/1.1 422 Unprocessable Entity")
    }
}
