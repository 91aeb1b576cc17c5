/// The file of a form (`multipart/form-data`, RFC 7578).
enum MultipartForm {
    /// Returns the boundary in a content type; nil for another type. Throws a ``Problem`` if it is missing or too long.
    static func boundary(_ contentType: String) throws -> String? {
        let parts = contentType.split(separator: ";").map { String($0.drop { $0 == " " }) }
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        let parameter = parts.first { $0.lowercased().hasPrefix("boundary=") }?.dropFirst(9)
        let boundary = parameter.map { $0.hasPrefix("\"") ? $0.dropFirst().prefix { $0 != "\"" } : $0 }
        guard let boundary, (1...70).contains(boundary.utf8.count) else {
            throw Problem.badRequest("the form states no boundary of 1 to 70 characters")
        }
        return String(boundary)
    }

    /// Returns the content of the first part with a file name. Throws a ``Problem`` if there is none, or if the form is
    /// truncated.
    static func file(in bytes: [UInt8], boundary: String) throws -> ArraySlice<UInt8> {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may be at the very beginning.
        var rest = (Array("\r\n".utf8) + bytes)[...]
        guard let preamble = rest.firstRange(of: delimiter) else { throw damaged }
        rest = rest[preamble.upperBound...]
        while !rest.starts(with: "--".utf8) {
            guard let head = rest.firstRange(of: Array("\r\n\r\n".utf8)),
                let end = rest[head.upperBound...].firstRange(of: delimiter)
            else { throw damaged }
            let lines = String(decoding: rest[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
            let isFile = lines.contains { line in
                let line = line.lowercased()
                return line.hasPrefix("content-disposition:") && line.contains("filename")
            }
            if isFile { return rest[head.upperBound..<end.lowerBound] }
            rest = rest[end.upperBound...]
        }
        throw Problem.badRequest("the form holds no file")
    }

    private static var damaged: Problem { .badRequest("the form is cut off or damaged") }
}
