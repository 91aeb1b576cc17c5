internal import CXML
package import WayreelCore

/// Receives the events of an XML document in order. A function that returns false stops the parser.
package protocol XMLEventReceiver: AnyObject {
    /// Called for a start tag; `space` is its namespace.
    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool
    /// Called for the end of the innermost open element.
    func end() -> Bool
    /// Called for a piece of text, in UTF-8.
    func text(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// Called at the start of a document type declaration. Declarations are not read: receivers should refuse them,
    /// so that there are no entities to expand.
    func doctype(at place: XMLPlace) -> Bool
    /// Called for a comment that begins in a line, counted from 1.
    func comment(line: Int)
    /// Called if the document is not well-formed, or for an undeclared namespace, which does not stop the parser.
    func fault(_ message: String, line: Int, column: Int)
}

extension XMLEventReceiver {
    /// Ignores the comment.
    package func comment(line: Int) {}
}

/// The position of a tag.
package struct XMLPlace {
    /// The offset in bytes from the start of the document.
    package var offset: Int
    /// The line, counted from 1.
    package var line: Int
}

/// The attributes of a start tag, valid while it is received.
package struct XMLAttributes {
    fileprivate var list: UnsafeBufferPointer<cxml_attribute>

    /// The names, without prefix, and values, in order.
    package var all: [(name: String, value: String)] { list.map { (String(cString: $0.name), value($0)) } }

    package subscript(name: String) -> String? {
        list.first { String(cString: $0.name) == name }.map(value)
    }

    private func value(_ attribute: cxml_attribute) -> String {
        String(decoding: UnsafeRawBufferPointer(start: attribute.value, count: attribute.value_length), as: UTF8.self)
    }
}

extension SharedLibrary {
    package static let libxml2 = SharedLibrary("libxml2", packages: "libxml2", load: xml_load)
}

/// Parses XML with libxml2, which must be loaded first. It does not access other files or URLs, and substitutes only
/// the predefined entities.
package enum XMLEvents {
    /// Parses a document in memory. Returns whether it is well-formed and the receiver did not stop the parser.
    package static func parse(_ bytes: UnsafeRawBufferPointer, to receiver: any XMLEventReceiver) -> Bool {
        var attributes = AttributeCount()
        guard attributes.read(bytes) else { return refuse(attributes, receiver) }
        return withHandler(Parsing(receiver)) { handler in
            cxml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &handler)
        }
    }

    /// Parses a document that is read in pieces. `read` fills a buffer and returns the number of bytes: 0 at the end,
    /// nil if they cannot be read.
    package static func parse(
        to receiver: any XMLEventReceiver, reading read: @escaping (UnsafeMutableRawBufferPointer) -> Int?
    ) -> Bool {
        var attributes = AttributeCount()
        let counted = { (buffer: UnsafeMutableRawBufferPointer) -> Int? in
            guard let count = read(buffer) else { return nil }
            if attributes.read(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return count }
            _ = refuse(attributes, receiver)
            return nil
        }
        return withHandler(Parsing(receiver, counted)) { handler in
            cxml_parse_pieces(
                { user, bytes, room in
                    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(room))
                    return Parsing.of(user).read(buffer).map { Int32($0) } ?? -1
                }, &handler)
        }
    }

    /// Tells of a tag with too many attributes.
    private static func refuse(_ attributes: AttributeCount, _ receiver: any XMLEventReceiver) -> Bool {
        receiver.fault(
            "a tag has more than \(AttributeCount.limit) attributes", line: attributes.line, column: 1)
        return false
    }

    private static func withHandler(_ parsing: Parsing, _ body: (inout cxml_handler) -> Bool) -> Bool {
        var handler = cxml_handler(
            user: Unmanaged.passUnretained(parsing).toOpaque(),
            start: { user, name, space, attributes, count, place in
                Parsing.of(user).receiver.start(
                    String(cString: name!), space: space.map { String(cString: $0) },
                    XMLAttributes(list: UnsafeBufferPointer(start: attributes, count: Int(count))), at: XMLPlace(place))
            },
            end: { user in Parsing.of(user).receiver.end() },
            text: { user, bytes, count in
                Parsing.of(user).receiver.text(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            doctype: { user, place in Parsing.of(user).receiver.doctype(at: XMLPlace(place)) },
            comment: { user, line in Parsing.of(user).receiver.comment(line: Int(line)) },
            error: { user, message, line, column in
                Parsing.of(user).receiver.fault(String(cString: message!), line: Int(line), column: Int(column))
            })
        return withExtendedLifetime(parsing) { body(&handler) }
    }
}

extension XMLPlace {
    fileprivate init(_ place: cxml_place) { self.init(offset: place.offset, line: Int(place.line)) }
}

/// The context of the C callbacks.
private final class Parsing {
    let receiver: any XMLEventReceiver
    let read: (UnsafeMutableRawBufferPointer) -> Int?

    init(_ receiver: any XMLEventReceiver, _ read: @escaping (UnsafeMutableRawBufferPointer) -> Int? = { _ in nil }) {
        self.receiver = receiver
        self.read = read
    }

    static func of(_ user: UnsafeMutableRawPointer?) -> Parsing {
        Unmanaged<Parsing>.fromOpaque(user!).takeUnretainedValue()
    }
}
