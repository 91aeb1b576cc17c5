import Testing
import WayreelCore
import WayreelStory

@Suite struct Scratch {
    @Test func scratch() throws {
        let sample = try StoryDocument.read(path: "Media/story/story.xml")
        for issue in sample.issues { print(issue) }
        print(StoryDocument.schema)
        if let story = sample.story {
            print(try StoryDocument.text(of: story, as: .yaml))
            let yaml = try StoryDocument.text(of: story, as: .yaml)
            let back = try StoryDocument.read(Array(yaml.utf8), as: .yaml)
            print(back.issues, back.story == story)
            let xml = try StoryDocument.text(of: story, as: .xml)
            print(try StoryDocument.read(Array(xml.utf8), as: .xml).story == story)
        }
        let bad = """
            <myth id="a" language="en"><name>x</name>
              <shade id="é b" ordr="free"><name></name>
                <event id="e1"><name>n</name><position latitude="95" longitude="x"/><activation radius="0"/></event>
                <evnt id="e2"/>
                <event id="e1"><name>n</name><activation radius="5"/><position latitude="5" longitude="6"/>
                 <camera><clue>c</clue></camera></event>
              </shade>
              <chapter><name>n</name></chapter>
            </myth>
            """
        for issue in try StoryDocument.read(Array(bad.utf8), as: .xml, name: "bad.xml").issues { print(issue) }
        for text in [
            "<story>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "", "<a>&nbsp;</a>", "<a b='&amp;\"'><c></a>",
            "<story id='a' language='en'>text<name>x</name></story>",
        ] {
            for issue in try StoryDocument.read(Array(text.utf8), as: .xml, name: "bad.xml").issues { print(issue) }
            print("--")
        }
        let yaml = """
            story:
              id: a
              language: en
              name: x
              chapters:
                - id: c
                  name: n
                  evnts: []
                  events:
                    - id: e
                      name: [a]
                      position: {latitude: 99, longitude: 5}
                      activation: {radius: 5}
                      scrapbook:
                        - text: hello
                        - foo: x
            """
        for issue in try StoryDocument.read(Array(yaml.utf8), as: .yaml, name: "bad.yml").issues { print(issue) }
    }
}
