internal import CXML
package import WayreelCore

/// Receives an XML document in reading order. A function that returns false ends the parsing.
package protocol XMLEventReceiver: AnyObject {
    /// A start tag; `space`: its namespace.
    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool
    /// The end of the element that began last and has not ended.
    func end() -> Bool
    /// A piece of text, in UTF-8.
    func text(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// A document type declaration begins. What it declares is not read: a receiver refuses it, so that there are no entities to expand.
    func doctype(at place: XMLPlace) -> Bool
    /// The document is not well-formed there, or a namespace is not declared, which does not end the parsing.
    func fault(_ message: String, line: Int, column: Int)
}

/// Where a tag begins.
package struct XMLPlace {
    /// Bytes from the document's first.
    package var offset: Int
    /// Counted from 1.
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

/// Parses XML by libxml2, which opens no other file and no address, and substitutes no entities but the predefined ones.
package enum XMLEvents {
    /// Call it before anything else. Throws an `io` error where libxml2 is missing.
    package static func load() throws(MediaError) {
        try SharedLibrary.check(cxml_load(), "libxml2", packages: "libxml2", step: "read")
    }

    /// Parses a document in memory. Returns whether it is well-formed and no function of the receiver has ended it.
    package static func parse(_ bytes: UnsafeRawBufferPointer, to receiver: any XMLEventReceiver) -> Bool {
        withHandler(Parsing(receiver)) { handler in
            cxml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &handler)
        }
    }

    /// Parses a document that is read piece by piece. `read` fills a buffer and returns the number of bytes: 0 at the end, nil where they
    /// cannot be read.
    package static func parse(
        to receiver: any XMLEventReceiver, reading read: @escaping (UnsafeMutableRawBufferPointer) -> Int?
    ) -> Bool {
        withHandler(Parsing(receiver, read)) { handler in
            cxml_parse_pieces(
                { user, bytes, room in
                    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(room))
                    return Parsing.of(user).read(buffer).map { Int32($0) } ?? -1
                }, &handler)
        }
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
            error: { user, message, line, column in
                Parsing.of(user).receiver.fault(String(cString: message!), line: Int(line), column: Int(column))
            }, violation: nil)
        return withExtendedLifetime(parsing) { body(&handler) }
    }
}

extension XMLPlace {
    fileprivate init(_ place: cxml_place) { self.init(offset: place.offset, line: Int(place.line)) }
}

/// What C's callbacks get hold of.
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
