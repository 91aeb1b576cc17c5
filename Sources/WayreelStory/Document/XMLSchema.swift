internal import WayreelCore

/// The XML Schema of story documents, generated from the vocabulary.
enum XMLSchema {
    /// The namespace of a document's elements.
    static let namespace = "urn:wayreel:story:1"

    /// The text of the schema.
    static var text: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            "<!-- The documents of Wayreel's stories. Made by `wayreel story schema`. -->",
            #"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="\#(namespace)""#,
            #"    targetNamespace="\#(namespace)" elementFormDefault="qualified">"#,
            #"  <xs:element name="\#(Vocabulary.root.name)" type="\#(Vocabulary.root.type.rule.name)"/>"#,
        ]
        let rules = ElementType.allCases.map(\.rule)
        for rule in rules { lines += complexType(rule) }
        lines += richTypes
        lines += simpleTypes(of: rules)
        return (lines + ["</xs:schema>", ""]).joined(separator: "\n")
    }

    private static func complexType(_ rule: ElementRule) -> [String] {
        let attributes = rule.attributes.map { attribute in
            let use = attribute.isRequired ? #" use="required""# : ""
            let value = attribute.defaultValue.map { #" default="\#($0)""# } ?? ""
            return #"    <xs:attribute name="\#(attribute.name)" type="\#(attribute.type.name)"\#(use)\#(value)/>"#
        }
        return switch rule.content {
        case .text(let type):
            [
                #"  <xs:complexType name="\#(rule.name)"><xs:simpleContent><xs:extension base="\#(type.name)">"#
            ] + attributes + ["  </xs:extension></xs:simpleContent></xs:complexType>"]
        // Either a rich text or elements, which XML Schema cannot say.
        case .richOrList(let child): mixedType(rule.name, ["Blocks", "Words"], attributes, [child])
        case .rich: mixedType(rule.name, ["Blocks", "Words"], attributes)
        case .empty:
            [#"  <xs:complexType name="\#(rule.name)">"#] + attributes + ["  </xs:complexType>"]
        case .sequence(let children):
            [#"  <xs:complexType name="\#(rule.name)">"#, "    <xs:sequence>"] + particles(children)
                + ["    </xs:sequence>"] + attributes + ["  </xs:complexType>"]
        case .list(let children, let count):
            [
                #"  <xs:complexType name="\#(rule.name)">"#,
                #"    <xs:choice minOccurs="\#(count.lowerBound)" maxOccurs="\#(count.upperBound)">"#,
            ] + children.map { element($0, indent: "      ") } + ["    </xs:choice>"] + attributes
                + ["  </xs:complexType>"]
        }
    }

    // MARK: Rich texts

    /// A type of words mixed with the elements of groups.
    private static func mixedType(
        _ name: String, _ groups: [String], _ attributes: [String] = [], _ children: [ChildRule] = []
    ) -> [String] {
        [
            #"  <xs:complexType name="\#(name)" mixed="true">"#,
            #"    <xs:choice minOccurs="0" maxOccurs="unbounded">"#,
        ] + groups.map { #"      <xs:group ref="\#($0)"/>"# } + children.map { element($0, indent: "      ") }
            + ["    </xs:choice>"] + attributes + ["  </xs:complexType>"]
    }

    private static func group(_ name: String, _ elements: [(name: String, type: String)]) -> [String] {
        [#"  <xs:group name="\#(name)">"#, "    <xs:choice>"]
            + elements.map { #"      <xs:element name="\#($0.name)" type="\#($0.type)"/>"# }
            + ["    </xs:choice>", "  </xs:group>"]
    }

    /// What is in rich texts, for which the vocabulary has no rules: see `RichTextBuilder`. There is no link in a link.
    private static var richTypes: [String] {
        let item = [
            #"    <xs:sequence><xs:element name="li" type="RichText" maxOccurs="unbounded"/></xs:sequence>"#
        ]
        let start = #"    <xs:attribute name="start" type="\#(TextRule.listStart.name)" default="1"/>"#
        let address = #"    <xs:attribute name="href" type="\#(TextRule.link.name)" use="required"/>"#
        return group(
            "Blocks",
            [("p", "Phrase"), ("ul", "BulletedList"), ("ol", "NumberedList"), ("blockquote", "RichText")])
            + group("Words", [("em", "Phrase"), ("strong", "Phrase"), ("a", "Link")])
            + group("LinkWords", [("em", "LinkPhrase"), ("strong", "LinkPhrase")])
            + mixedType("Phrase", ["Words"]) + mixedType("LinkPhrase", ["LinkWords"])
            + mixedType("Link", ["LinkWords"], [address])
            + [#"  <xs:complexType name="BulletedList">"#] + item + ["  </xs:complexType>"]
            + [#"  <xs:complexType name="NumberedList">"#] + item + [start, "  </xs:complexType>"]
    }

    private static func particles(_ children: [ChildRule]) -> [String] {
        var lines: [String] = []
        var open: String?
        for child in children {
            if open != nil, child.choice != open { lines.append("      </xs:choice>") }
            if let choice = child.choice, choice != open {
                lines.append("      <xs:choice\(child.count == .optional ? #" minOccurs="0""# : "")>")
            }
            open = child.choice
            lines.append(element(child, indent: child.choice == nil ? "      " : "        "))
        }
        return lines + (open == nil ? [] : ["      </xs:choice>"])
    }

    private static func element(_ child: ChildRule, indent: String) -> String {
        let occurs =
            switch (child.choice == nil, child.count) {
            case (false, _), (true, .one): ""
            case (true, .optional): #" minOccurs="0""#
            case (true, .any): #" minOccurs="0" maxOccurs="unbounded""#
            case (true, .some): #" maxOccurs="unbounded""#
            }
        return #"\#(indent)<xs:element name="\#(child.name)" type="\#(child.type.rule.name)"\#(occurs)/>"#
    }

    private static func simpleTypes(of rules: [ElementRule]) -> [String] {
        var types = [TextRule.link.name: TextRule.link, TextRule.listStart.name: .listStart]
        for rule in rules {
            for attribute in rule.attributes { types[attribute.type.name] = attribute.type }
            if case .text(let type) = rule.content { types[type.name] = type }
        }
        return types.values.sorted { $0.name < $1.name }.map { type in
            let facets = type.facets.map { facet in
                let space = facet.firstIndex(of: " ") ?? facet.endIndex
                return #"<xs:\#(facet[..<space]) value="\#(facet[space...].dropFirst())"/>"#
            }
            return #"  <xs:simpleType name="\#(type.name)"><xs:restriction base="\#(type.base)">"# + facets.joined()
                + "</xs:restriction></xs:simpleType>"
        }
    }
}

/// Writes a tree of elements as XML, indented by two spaces.
struct XMLWriter {
    private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

    mutating func write(_ root: Element, namespace: String) {
        write(root, depth: 0, namespace: namespace)
    }

    private mutating func write(_ element: Element, depth: Int, namespace: String? = nil) {
        text += String(repeating: "  ", count: depth)
        text += Self.tag(of: element, namespace: namespace)
        guard !element.children.isEmpty || !element.text.isEmpty || element.rich?.blocks.isEmpty == false else {
            text += "/>\n"
            return
        }
        text += ">"
        if let rich = element.rich {
            text += rich.xml(depth: depth)
        } else if element.children.isEmpty {
            text += element.text.xmlText
        } else {
            text += "\n"
            for child in element.children { write(child, depth: depth + 1) }
            text += String(repeating: "  ", count: depth)
        }
        text += "</\(element.name)>\n"
    }

    /// The start tag without its `>`.
    static func tag(of element: Element, namespace: String? = nil) -> String {
        "<\(element.name)" + (namespace.map { #" xmlns="\#($0)""# } ?? "")
            + element.attributes.map { #" \#($0.name)="\#($0.value.xmlAttribute)""# }.joined()
    }
}
