internal import WayreelCore

/// The elements and attributes of an XMP packet as a tree (ISO 16684-1, section 7).
struct XMPTree {
    struct Node {
        let uri: String
        let name: String
        let isAttribute: Bool
        let range: Range<Int>
        let content: Range<Int>
        let children: [Node]

        func child(_ uri: String, _ name: String) -> Node? { children.first { $0.uri == uri && $0.name == name } }
    }

    private let bytes: [UInt8]
    private let roots: [Node]

    /// Returns nil unless `bytes` are well-formed XML in UTF-8.
    init?(_ bytes: [UInt8]) {
        // Completed nodes by depth, waiting for their parent to end.
        var waiting: [[Node]] = []
        let isValid = XMLScanner.scan(bytes) { node in
            while waiting.count <= node.depth + 1 { waiting.append([]) }
            var children: [Node] = []
            if !node.isAttribute { swap(&children, &waiting[node.depth + 1]) }
            waiting[node.depth].append(
                Node(
                    uri: node.uri, name: node.name, isAttribute: node.isAttribute, range: node.range,
                    content: node.content, children: children))
        }
        guard isValid else { return nil }
        self.bytes = bytes
        roots = waiting.isEmpty ? [] : waiting[0]
    }

    /// The `rdf:RDF` element, by itself or inside `x:xmpmeta`.
    private var rdf: Node? {
        (roots + roots.flatMap(\.children)).first { $0.uri == XMPNamespace.rdf && $0.name == "RDF" && !$0.isAttribute }
    }

    /// Descriptions of the image itself; those of its ingredients are nested deeper.
    private var descriptions: [Node] {
        rdf?.children.filter { $0.uri == XMPNamespace.rdf && $0.name == "Description" } ?? []
    }

    /// The packet's descriptive texts.
    var descriptive: DescriptiveMetadata {
        var found = DescriptiveMetadata()
        for property in DescriptiveProperty.all { found[property] = texts(property.namespace, property.name) }
        // Property names of EXIF fields in earlier XMP versions.
        var earlier = DescriptiveMetadata()
        earlier[.creator] = texts(.tiff, "Artist").flatMap { ArtistList.names(in: $0.text) }
            .compactMap { DescriptiveMetadata.Text($0) }
        earlier[.notice] = texts(.tiff, "Copyright")
        return found.completed(by: earlier)
    }

    /// The licence that `cc:license` names.
    var license: String? { texts(.creativeCommons, "license").first?.text }

    /// The values of the first property of that name that has any.
    private func texts(_ namespace: XMPNamespace, _ name: String) -> [DescriptiveMetadata.Text] {
        descriptions.flatMap(\.children).lazy.filter { $0.uri == namespace.uri && $0.name == name }.map(self.texts)
            .first { !$0.isEmpty } ?? []
    }

    private func texts(_ property: Node) -> [DescriptiveMetadata.Text] {
        let arrays = ["Alt", "Bag", "Seq"].compactMap { property.child(XMPNamespace.rdf, $0) }
        guard let array = arrays.first else { return [text(property)].compactMap(\.self) }
        return array.children.filter { $0.uri == XMPNamespace.rdf && $0.name == "li" }.compactMap(text)
    }

    /// Returns the value of a property or item: text, a reference in an attribute, or a value with qualifiers.
    private func text(_ node: Node) -> DescriptiveMetadata.Text? {
        let language = node.children.first { $0.isAttribute && $0.name == "lang" }.map(decoded)
        let inner = node.child(XMPNamespace.rdf, "Description") ?? node
        let value = inner.child(XMPNamespace.rdf, "value") ?? node.child(XMPNamespace.rdf, "resource")
        if let value { return DescriptiveMetadata.Text(decoded(value), language: language) }
        guard node.isAttribute || node.children.allSatisfy(\.isAttribute) else { return nil }
        return DescriptiveMetadata.Text(decoded(node), language: language)
    }

    private func decoded(_ node: Node) -> String { XMLText.decoded(bytes[node.content]) }

    /// Returns the packet with a further description at the end; nil if it has no RDF element.
    func adding(_ metadata: DescriptiveMetadata) -> [UInt8]? {
        guard let rdf, rdf.content.upperBound < rdf.range.upperBound else { return nil }
        let about = descriptions.lazy.compactMap { $0.child(XMPNamespace.rdf, "about") }.first.map(decoded) ?? ""
        let description = XMPWriter.description(metadata, about: about)
        return bytes[..<rdf.content.upperBound] + Array(description.utf8) + bytes[rdf.content.upperBound...]
    }
}

/// An XMP namespace (ISO 16684-1, section 8; IPTC Photo Metadata Standard), named by its common prefix.
package enum XMPNamespace: String, Sendable {
    case dc
    case photoshop
    case xmpRights
    case iptcCore = "Iptc4xmpCore"
    case tiff
    case creativeCommons = "cc"

    var prefix: String { rawValue }

    var uri: String {
        switch self {
        case .dc: "http://purl.org/dc/elements/1.1/"
        case .photoshop: "http://ns.adobe.com/photoshop/1.0/"
        case .xmpRights: "http://ns.adobe.com/xap/1.0/rights/"
        case .iptcCore: "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
        case .tiff: "http://ns.adobe.com/tiff/1.0/"
        case .creativeCommons: "http://creativecommons.org/ns#"
        }
    }

    /// The namespace of RDF, the syntax of XMP.
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
}

/// Writes descriptive texts as XMP (ISO 16684-1, section 7).
enum XMPWriter {
    /// Returns a complete packet; nil without texts.
    static func packet(_ metadata: DescriptiveMetadata) -> [UInt8]? {
        guard !metadata.isEmpty else { return nil }
        let text =
            "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
            + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMPNamespace.rdf)\">"
            + description(metadata) + "</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>"
        return Array(text.utf8)
    }

    /// Returns an `rdf:Description` that declares its namespaces.
    static func description(_ metadata: DescriptiveMetadata, about: String = "") -> String {
        let properties = metadata.properties
        let namespaces = Set(properties.map(\.namespace)).sorted { $0.prefix < $1.prefix }
        let declared = namespaces.map { " xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined()
        return
            "<rdf:Description xmlns:rdf=\"\(XMPNamespace.rdf)\" rdf:about=\"\(about.xmlAttribute)\"\(declared)>"
            + properties.map { element($0, metadata[$0]) }.joined() + "</rdf:Description>"
    }

    private static func element(_ property: DescriptiveProperty, _ texts: [DescriptiveMetadata.Text]) -> String {
        let name = "\(property.namespace.prefix):\(property.name)"
        let value =
            switch property.form {
            case .text, .date: texts.first.map { $0.text.xmlText } ?? ""
            case .bag, .sequence, .alternatives:
                "<rdf:\(property.form.rawValue)>" + texts.map { item($0, of: property) }.joined()
                    + "</rdf:\(property.form.rawValue)>"
            }
        return "<\(name)>\(value)</\(name)>"
    }

    private static func item(_ text: DescriptiveMetadata.Text, of property: DescriptiveProperty) -> String {
        let language = (text.language ?? "x-default").xmlAttribute
        let attribute = property.form == .alternatives ? " xml:lang=\"\(language)\"" : ""
        return "<rdf:li\(attribute)>\(text.text.xmlText)</rdf:li>"
    }
}
