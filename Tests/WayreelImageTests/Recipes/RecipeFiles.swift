import Glibc
import TestSupport
import WayreelCore
import WayreelImage

/// Runs `body` with the path of a folder that contains these files; a name may begin with `sub/`.
func withRecipes<Result>(_ files: [String: String], _ body: (String) throws -> Result) rethrows -> Result {
    try Fixture.withFolder { folder in
        mkdir(folder + "/sub", 0o700)
        for (name, text) in files {
            let file = fopen("\(folder)/\(name)", "w")
            fputs(text, file)
            fclose(file)
        }
        return try body(folder)
    }
}

/// Returns the message of the error of `body`.
func message(of body: () throws -> Recipe) -> String {
    do {
        return "no error: \(try body())"
    } catch {
        return "\(error)"
    }
}

/// Accepts every filter unchanged, for tests of the reader only.
func acceptEveryFilter(_ filter: Filter, _ folder: String?) throws(MediaError) -> Filter { filter }
