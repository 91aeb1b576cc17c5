import Glibc

/// A folder of small files that is gone when the test is.
final class RecipeFolder {
    let path: String
    private var files: [String] = []

    init(_ files: KeyValuePairs<String, String>) {
        var template = Array("/tmp/wayreel-recipes-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
        mkdir(path + "/sub", 0o700)
        for (name, text) in files { write(text, to: name) }
    }

    deinit {
        for file in files { unlink("\(path)/\(file)") }
        rmdir(path + "/sub")
        rmdir(path)
    }

    func write(_ text: String, to name: String) {
        files.append(name)
        let file = fopen("\(path)/\(name)", "w")
        fputs(text, file)
        fclose(file)
    }

    /// The names of the files in a folder.
    static func listing(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
