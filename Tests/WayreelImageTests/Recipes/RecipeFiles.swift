import Glibc
import TestSupport
import WayreelCore
import WayreelImage

/// Runs `body` with a folder, its path given, that holds these files; a name may begin with `sub/`.
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

/// Takes every filter as it is, for tests of the reader alone.
func acceptEveryFilter(_ filter: Filter, _ folder: String?) throws(MediaError) -> Filter { filter }
