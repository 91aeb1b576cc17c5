internal import Glibc

/// A shared library that replaces another one: it has the functions that Wayreel looks up, none of which returns.
package enum StandInLibrary {
    package struct Failure: Error { var reason: String }

    /// Makes a library in `folder` for each of `names` with the functions of `target`, a folder of Sources/System,
    /// which lists them as `F(name)`. Programs started with `LD_LIBRARY_PATH` set to `folder` load it.
    package static func make(_ names: [String], for target: String, in folder: String) throws {
        let sources = "\(Fixture.root)/Sources/System/\(target)"
        var functions: Set<Substring> = []
        for name in Fixture.listing(sources) where name.hasSuffix(".c") {
            let text = try Fixture.text("\(sources)/\(name)")
            functions.formUnion(text.matches(of: /\bF\(([A-Za-z]\w+)\)/).map(\.1))
        }
        guard !functions.isEmpty else { throw Failure(reason: "\(sources) lists no functions") }
        let code = functions.sorted().map { "void \($0)(void) { for (;;) pause(); }\n" }.joined()
        try compile("int pause(void);\n" + code, to: "\(folder)/\(names[0])")
        for name in names.dropFirst() { symlink(names[0], "\(folder)/\(name)") }
    }

    /// Compiles C into a shared library at `path`.
    package static func compile(_ code: String, to path: String) throws {
        var compiler = Command(
            "/bin/sh",
            ["-c", "printf '%s' \"$1\" | $(command -v cc || command -v clang) -shared -fPIC -x c -o \"$2\" -", "sh"])
        compiler.arguments += [code, path]
        let outcome = try compiler.run()
        guard outcome.ending == .exited(0) else { throw Failure(reason: outcome.errors) }
    }
}
