import TestSupport
import Testing

/// `--crop`, `--flip` and `--rotate`, also in recipes, addresses and uploads.
@Suite struct CropTests {
    /// Python lists of rows are cropped, reversed and transposed. ExifTool writes the orientation, and FFmpeg decodes the
    /// result.
    private static let prelude = #"""
        W, H = 9, 7
        def chunked(rows):
            def chunk(name, data): return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            raw = b"".join(b"\0" + bytes(v for pixel in row for v in pixel) for row in rows)
            head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
            return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
        def decoded(path):
            size = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path],
                capture_output=True, text=True, check=True).stdout.strip().split(",")
            raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
            w, h = map(int, size)
            return [[tuple(raw[3 * (y * w + x):3 * (y * w + x) + 3]) for x in range(w)] for y in range(h)]
        upright = [[(x * 25, y * 30, 200) for x in range(W)] for y in range(H)]
        mirror = lambda rows: [row[::-1] for row in rows]
        flip = lambda rows: rows[::-1]
        clockwise = lambda rows: [list(column) for column in zip(*rows[::-1])]
        turned = lambda rows, degrees: rows if degrees == 0 else turned(clockwise(rows), degrees - 90)
        # What a viewer does to the stored image by its orientation (EXIF 2.32, section 4.6.4), undone.
        stored = {1: upright, 2: mirror(upright), 3: turned(upright, 180), 4: flip(upright), 5: mirror(turned(upright, 90)),
            6: turned(upright, 270), 7: mirror(turned(upright, 270)), 8: turned(upright, 90)}
        mirrors = {None: lambda rows: rows, "horizontal": mirror, "vertical": flip, "both": lambda rows: turned(rows, 180)}
        def expected(crop, side, degrees):
            x, y, w, h = crop
            return turned(mirrors[side]([row[x:x + w] for row in upright[y:y + h]]), degrees)

        """#

    @Test func keepsThePartThatAViewerShows() throws {
        let bench = Workbench()
        let text = try bench.python(
            Self.prelude + #"""
                crops = {"2,1,5,4": (2, 1, 5, 4), "0,0,9,7": (0, 0, 9, 7), "4,3,100,100": (4, 3, 5, 4), "33.3%,0,33.4%,100%": (3, 0, 3, 7)}
                for orientation, rows in stored.items():
                    open("in.png", "wb").write(chunked(rows))
                    subprocess.run(["exiftool", "-q", "-overwrite_original", f"-Orientation#={orientation}", "in.png"], check=True)
                    for index, (text, crop) in enumerate(crops.items()):
                        side, degrees = list(mirrors)[(orientation + index) % 4], [0, 90, 180, 270][(orientation // 2 + index) % 4]
                        options = ["--crop", text] + (["--flip", side] if side else []) + (["--rotate", str(degrees)] if degrees else [])
                        run = subprocess.run(["wayreel", "capture", "in.png", "-o", "out.png", *options], capture_output=True, text=True)
                        assert run.returncode == 0, run.stderr
                        assert ("reaches beyond" in run.stderr) == ("100," in text), run.stderr
                        assert decoded("out.png") == expected(crop, side, degrees), (orientation, options)
                print("same")
                """#)
        #expect(text == "same\n")
    }

    /// Sizes and gravity apply to the result; a JPEG is read only where it is needed.
    @Test func framesTheResult() throws {
        let bench = Workbench()
        expectDone(try bench.shell("ffmpeg -v error -f lavfi -i testsrc=s=640x480 -frames:v 1 -q:v 2 in.jpg"))
        expectDone(
            try bench.shell(
                "wayreel capture in.jpg -o a.png --crop 320,0,320,240 --rotate 90 --screen 120x160 --no-turn"))
        #expect(try bench.header("a.png") == ImageFileHeader("png", 120, 160))
        // FFmpeg scales with another filter: the mean difference is small.
        let compared = try bench.shell(
            """
            ffmpeg -v error -i in.jpg -vf crop=320:240:320:0,transpose=clock,scale=120:160:flags=lanczos b.png && \
            ffmpeg -hide_banner -i a.png -i b.png -lavfi psnr -f null - 2>&1 | grep -o 'average:[0-9.]*'
            """)
        let decibels = try #require(Double(String(compared.text.dropFirst("average:".count).filter { !$0.isNewline })))
        #expect(decibels > 30)
    }

    @Test func saysWhatIsWrong() throws {
        let bench = Workbench()
        try bench.write("output: {crop: '0,0,5'}\n", to: "bad.yml")
        for (options, words) in [
            ("--crop 1,2,3", "x,y,width,height"), ("--crop 0,0,0,5", "crop"), ("--crop -1,0,5,5", "crop"),
            ("--crop 0,0,101%,5", "crop"), ("--rotate 45", "rotate"), ("--flip left", "flip"),
            ("--crop 0,0,5,5 --trim", "leave out one of them"), ("--recipe bad.yml", "bad.yml:1"),
        ] {
            let run = try bench.shell("wayreel capture \(Workbench.smallPhoto) -o out.png \(options)")
            #expect(run.ending == .exited(2) && run.errors.contains(words), "\(options): \(run.errors)")
        }
        let outside = try bench.shell("wayreel capture \(Workbench.smallPhoto) -o out.png --crop 90000,0,10,10")
        #expect(
            outside.ending == .exited(1) && outside.errors.contains("lies outside of the image"), "\(outside.errors)")
        #expect(!bench.exists("out.png"))
    }

    /// The same in an address, in an upload and in a recipe.
    @Test func servesParts() throws {
        let server = try RunningServer("--recipes recipes") { bench in
            _ = try bench.shell(
                "mkdir recipes; printf 'output: {crop: \"2,1,5,4\", flip: vertical, rotate: 90, format: png}\\n' > recipes/part.yml"
            )
        }
        let text = try server.bench.python(
            Self.prelude + #"""
                base = sys.argv[1]
                image = chunked(upright)
                open("photos/small.png", "wb").write(image)
                for method, path in [("GET", "/v1/images/unsafe/crop:2,1,5,4/flip:vertical/rotate:90/format:png/small.png"),
                        ("GET", "/v1/images/unsafe/recipe:part/small.png"),
                        ("POST", "/v1/captures?crop=2,1,5,4&flip=vertical&rotate=90&format=png"), ("POST", "/v1/captures?recipe=part")]:
                    status, _, body = call(base, method, path, image if method == "POST" else None)
                    open("got.png", "wb").write(body)
                    assert status == 200 and decoded("got.png") == expected((2, 1, 5, 4), "vertical", 90), (path, status)
                print(*[call(base, "GET", f"/v1/images/unsafe/{option}/small.png")[0] for option in
                    ("crop:9,0,5,5", "crop:0,0,5", "rotate:45", "flip:no", "crop:0,0,5,5/trim:true")])
                """#, server.base)
        #expect(text == "400 400 400 400 400\n")
    }
}
