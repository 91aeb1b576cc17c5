extension BenchSuite {
    /// Whole stories, compared with a script of commonly used programs.
    static let stories = [
        BenchSuite(
            "story", "a story of 200 captures, half of them HEIC, 50 audio files and 10 clips, for one screen",
            [.image],
            input: "story", output: .folder, isStandard: false, preparation: media + document,
            ["prepare", "{in}/story.xml", "-o", "{out}", "--screen", "640x960", "--quality", "85"],
            peers: [
                Peer(
                    "a script of vipsthumbnail and ffmpeg", needs: [["vipsthumbnail"], ["ffmpeg"], ["xargs"]],
                    shell([
                        "mkdir -p '{out}'",
                        each(
                            "'{in}'/*.jpg '{in}'/*.heic",
                            #"vipsthumbnail "$2" --size 640x -o "$1/$(basename "$2").out.jpg[Q=85]""#),
                        each(
                            "'{in}'/*.mp3",
                            #"ffmpeg -nostdin -v error -y -i "$2" -filter_complex "[0:a]showwavespic=s=1200x300[plot]" "#
                                + #"-map 0:a -c:a aac -b:a 128k "$1/$(basename "$2").m4a" "#
                                + #"-map "[plot]" -frames:v 1 "$1/$(basename "$2").png""#),
                        each(
                            "'{in}'/*.webm",
                            #"ffmpeg -nostdin -v error -y -i "$2" -vf "#
                                + #"scale=w=960:h=640:force_original_aspect_ratio=decrease:force_divisible_by=2 "#
                                + #"-c:v libx264 -preset medium -crf 23 -pix_fmt yuv420p -c:a aac -b:a 128k -ac 2 "#
                                + #"-movflags +faststart "$1/$(basename "$2").mp4"; "#
                                + #"ffmpeg -nostdin -v error -y -i "$2" -vf thumbnail,scale=960:-2 -frames:v 1 "#
                                + #""$1/$(basename "$2").jpg""#),
                    ]))
            ])
    ]

    /// Runs a line for each file, two at once: `$1` is the output's folder, `$2` the file.
    private static func each(_ files: String, _ line: String) -> String {
        #"printf '%s\0' "# + files + " | xargs -0 -n 1 -P 2 sh -ec '" + line + "' sh '{out}'"
    }

    /// The samples. Each copy has different bytes at its end, which decoders skip: a box of the type `free` in HEIF.
    private static let media = [
        "mkdir '{made}'",
        """
        for i in $(seq 100 199); do
            cp '{media}'/captures/wisteria-iphone6-8mp.jpg '{made}'/$i.jpg; printf $i >> '{made}'/$i.jpg
            sample=library; [ $((i % 2)) = 0 ] || sample=sign
            cp '{media}'/story/captures/$sample-iphone11pro-12mp.heic '{made}'/$i.heic
            printf '\\000\\000\\000\\013free%d' $i >> '{made}'/$i.heic
        done
        """,
        """
        for i in $(seq 10 59); do
            start=$(((i - 10) * 3 / 10)).$(((i - 10) * 3 % 10))
            ffmpeg -nostdin -v error -y -ss $start -t 12 -i '{media}'/radio/bunny.mp3 -c copy '{made}'/$i.mp3
        done
        """,
        """
        for i in $(seq 0 9); do
            ffmpeg -nostdin -v error -y -ss $((2 * i)) -t 5 -i '{media}'/scrapbook/bunny-720p-vp8.webm -c copy '{made}'/$i.webm
        done
        """,
    ]

    private static let document = [
        """
        {
            echo '<story xmlns="urn:wayreel:story:1" id="bench" language="en"><name>Bench</name>'
            echo '<chapter id="all"><name>All</name><event id="book"><name>Book</name><position latitude="1" longitude="2"/>'
            echo '<activation radius="10"/><scrapbook>'
            for file in $(cd '{made}'; ls *.jpg *.heic); do echo "<image source='$file' alt='A capture'/>"; done
            for file in $(cd '{made}'; ls *.webm); do echo "<video source='$file' alt='A clip'/>"; done
            echo '</scrapbook></event><event id="radio"><name>Radio</name><position latitude="1" longitude="3"/>'
            echo '<activation radius="10"/><radio>'
            for file in $(cd '{made}'; ls *.mp3); do echo "<audio source='$file' alt='A recording'/>"; done
            echo '<visualizer/></radio></event></chapter></story>'
        } > '{made}'/story.xml
        """
    ]
}
