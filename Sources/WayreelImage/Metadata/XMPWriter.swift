internal import WayreelCore

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
