/// A strong entity tag (RFC 9110, section 8.8.3).
struct EntityTag {
    /// The tag with its quotes.
    let text: String

    init(_ hash: String) { text = "\"\(hash)\"" }

    /// Whether an `If-None-Match` header names it, as a strong or weak tag, or is `*`.
    func matches(ifNoneMatch header: String?) -> Bool {
        header?.split(separator: ",").contains { item in
            let tag = item.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            return tag.elementsEqual("*")
                || (tag.starts(with: "W/") ? Array(tag.dropFirst(2)) : Array(tag)) == Array(text)
        } ?? false
    }
}
