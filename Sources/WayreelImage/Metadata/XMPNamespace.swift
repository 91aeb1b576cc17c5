/// An XMP namespace (ISO 16684-1, section 8; IPTC Photo Metadata Standard), named by its common prefix.
package enum XMPNamespace: String, Sendable {
    case dc
    case photoshop
    case xmpRights
    case iptcCore = "Iptc4xmpCore"
    case tiff

    var prefix: String { rawValue }

    var uri: String {
        switch self {
        case .dc: "http://purl.org/dc/elements/1.1/"
        case .photoshop: "http://ns.adobe.com/photoshop/1.0/"
        case .xmpRights: "http://ns.adobe.com/xap/1.0/rights/"
        case .iptcCore: "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
        case .tiff: "http://ns.adobe.com/tiff/1.0/"
        }
    }

    /// The namespace of RDF, the syntax of XMP.
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
}
