internal import WayreelCore

/// Joins the modules of a page into few scripts, so that a first visit makes few requests.
///
/// Each module becomes a function in a table, which runs when the module is first imported. Static and dynamic imports of
/// other modules become calls; what a module exports is the function's result. The lines of a module stay lines, without
/// indentation and without empty ones, and a source map leads from a joined line to that of the module.
///
/// The imports and exports that this understands are those that the pages use, each on one line without indentation:
///
///     import { a, b as c } from './path.js';
///     export { a } from './path.js';
///     export function a() …        also async function, class, const and let, of one name
///     import('./path.js')          anywhere in a line
///     new Worker(new URL('./path.js', import.meta.url)     likewise: a script of its own, with all that it imports
///     import.meta.url
///
/// Everything else is refused, as are modules that import each other in a circle: they need the bindings of a browser's
/// own loader.
package struct JoinedScripts {
    /// Why modules cannot be joined.
    package struct Fault: Error, Equatable {
        /// `path:line`, or a path.
        package var place: String
        package var reason: String
    }

    /// A joined script. Its last line names the map, which lies beside it.
    package struct Script {
        package var path: String
        package var text: String
        /// A source map (ECMA-426) of lines, in JSON.
        package var map: String
    }

    /// Modules that many visits do without, in a script of their own, which is imported with the first of them.
    package struct Extra: Sendable {
        package var path: String
        /// What the paths of the modules begin with. Those that other modules import statically belong to these.
        package var folders: [String]

        package init(path: String, folders: [String]) {
            (self.path, self.folders) = (path, folders)
        }

        fileprivate func contains(_ path: String) -> Bool { folders.contains { path.hasPrefix($0) } }
    }

    /// The first one contains the entry, and imports the others when a module of them is first needed.
    package private(set) var scripts: [Script] = []

    /// The paths of the joined modules.
    package var paths: Set<String> { Set(modules.keys).union(ofWorkers) }

    /// The paths of the modules of workers.
    private var ofWorkers: Set<String> = []

    private struct Module {
        var path: String
        var lines: [String] = []
        /// Resolved paths, in the order of the imports.
        var imports: [String] = []
        /// Those of imports while the page runs.
        var laterImports: [String] = []
        /// The modules that run as workers.
        var workers: [String] = []
        /// Imported names by their module, to be checked.
        var wanted: [(place: String, module: String, name: String, local: String)] = []
        var exports: [String] = []
        /// Members of the result beside `exports`: names of other modules.
        var forwarded: [String] = []
        /// Exports that the module may assign: all modules share the variable, as they share a binding of ES modules.
        var variables: [String] = []
    }

    private var modules: [String: Module] = [:]

    /// Joins the module `entry`, which runs at once, and all that it imports, of the texts at their paths without comments.
    /// `first`, the entry and what they import statically go into the script at the path `start`. What is reached only through a
    /// dynamic import of a module of one extra goes into that one's script, and all others into the one at `rest`. There
    /// are no scripts without modules. A module that runs as a worker is the entry of the script that `workers` names.
    package init(
        _ files: [String: [UInt8]], entry: String, first: [String] = [], start: String, rest: String,
        extras: [Extra] = [], workers: [String: String] = [:]
    ) throws(Fault) {
        var open = first + [entry]
        while let path = open.popLast() {
            guard modules[path] == nil else { continue }
            guard let text = files[path] else { throw Fault(place: path, reason: "there is no such module") }
            let module = try Self.read(text, path: path, among: files, workers: workers)
            modules[path] = module
            open += module.imports + module.laterImports
        }
        for module in modules.values { try check(module) }
        var early: [String] = []
        for path in first + [entry] { try order(path, into: &early) }
        let separate = separated(extras, from: first + [entry])
        var all = early
        for path in modules.keys.sorted() where !separate.contains(where: { $0.contains(path) }) {
            try order(path, into: &all)
        }
        let late = Array(all.dropFirst(early.count))
        let (shared, sharedLate) = (variables(of: early), variables(of: late))

        var addresses: [String: String] = [:]
        for (extra, paths) in zip(extras, separate) { for path in paths { addresses[path] = extra.path } }
        let later = Set(modules.values.flatMap(\.laterImports))
        let extraAddresses = addresses.filter { later.contains($0.key) }.sorted { $0.key < $1.key }
            .map { "'\($0.key)': './\($0.value)'" }
        let address = extraAddresses.isEmpty ? "'./\(rest)'" : "$extras[path] ?? './\(rest)'"
        scripts.append(
            script(
                start, of: early,
                head: """
                    export const $modules = {}, $values = {}; \
                    export function $use(path) { return $values[path] ??= $modules[path](); } \
                    export async function $load(path) { if (!$modules[path]) await import(\(address)); return $use(path); } \
                    \(extraAddresses.isEmpty ? "" : "const $extras = { \(extraAddresses.joined(separator: ", ")) }; ")\
                    \(shared.isEmpty ? "" : "export let \(shared.joined(separator: ", "));")
                    """, tail: "$use('\(entry)');"))
        let names = (["$modules", "$use", "$load"] + shared).joined(separator: ", ")
        if !late.isEmpty {
            scripts.append(
                script(
                    rest, of: late,
                    head: """
                        import { \(names) } from './\(start)'; \
                        \(sharedLate.isEmpty ? "" : "export let \(sharedLate.joined(separator: ", "));")
                        """, tail: ""))
        }
        for (extra, paths) in zip(extras, separate) where !paths.isEmpty {
            let before = all.count
            for path in paths.sorted() { try order(path, into: &all) }
            let own = variables(of: Array(all[before...]))
            // What it imports of `rest` is there before it runs.
            let needsRest = paths.contains { path in modules[path]!.imports.contains { late.contains($0) } }
            let list = sharedLate.isEmpty ? "" : "{ \(sharedLate.joined(separator: ", ")) } from "
            scripts.append(
                script(
                    extra.path, of: Array(all[before...]),
                    head: """
                        import { \(names) } from './\(start)'; \(needsRest ? "import \(list)'./\(rest)'; " : "")\
                        \(own.isEmpty ? "" : "let \(own.joined(separator: ", "));")
                        """, tail: ""))
        }
        for worker in Set(modules.values.flatMap(\.workers)).sorted() {
            let own = try Self(files, entry: worker, start: workers[worker]!, rest: rest, workers: workers)
            guard own.scripts.count == 1 else { throw Fault(place: worker, reason: "imports modules while it runs") }
            scripts += own.scripts
            ofWorkers.formUnion(own.paths)
        }
    }

    private func variables(of paths: [String]) -> [String] { paths.flatMap { modules[$0]!.variables } }

    /// Returns the modules of each extra: those that neither `roots` nor another extra reaches, except through a dynamic
    /// import of a module in its folders.
    private func separated(_ extras: [Extra], from roots: [String]) -> [Set<String>] {
        func reached(from roots: [String]) -> Set<String> {
            var (found, open) = (Set<String>(), roots)
            while let path = open.popLast() {
                guard found.insert(path).inserted, let module = modules[path] else { continue }
                open += module.imports + module.laterImports.filter { path in !extras.contains { $0.contains(path) } }
            }
            return found
        }
        let common = reached(from: roots)
        let later = modules.values.flatMap(\.laterImports)
        let reached = extras.map { extra in reached(from: later.filter { extra.contains($0) }).subtracting(common) }
        return reached.indices.map { index in
            reached.enumerated().reduce(reached[index]) { $1.offset == index ? $0 : $0.subtracting($1.element) }
        }
    }

    // MARK: Modules

    private static func read(
        _ text: [UInt8], path: String, among files: [String: [UInt8]], workers: [String: String]
    ) throws(Fault) -> Module {
        var module = Module(path: path)
        var isOver = false
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            var code = String(decoding: line, as: UTF8.self)
            // Most lines have nothing to do with modules.
            if !hasWords(line) {
                isOver = isOver || !line.isEmpty
            } else {
                let reading = Reading(
                    place: "\(path):\(index + 1)", path: path, files: files, workers: workers, isOver: isOver)
                code = try reading.line(code, into: &module)
                isOver = isOver || !code.hasPrefix("\u{1}") && !code.hasPrefix("$use(")
            }
            module.lines.append(code)
        }
        return module
    }

    private static let words = ["import", "export", "await", "$modules", "$values", "$use", "$load", "$extras"].map {
        Array($0.utf8)
    }
    private static let firstBytes = Set(words.map { $0[0] })

    /// Whether a line has a word of modules.
    private static func hasWords(_ line: ArraySlice<UInt8>) -> Bool {
        line.indices.contains { start in
            firstBytes.contains(line[start]) && words.contains { line[start...].starts(with: $0) }
        }
    }

    /// One line of a module with words of modules.
    private struct Reading {
        let place: String
        let path: String
        let files: [String: [UInt8]]
        let workers: [String: String]
        /// Whether other code is above the line.
        let isOver: Bool

        func fault(_ reason: String) -> Fault { Fault(place: place, reason: reason) }

        /// Returns the line for the joined script; a static import as U+0001, the path, U+0001 and the names.
        func line(_ line: String, into module: inout Module) throws(Fault) -> String {
            guard line.firstMatch(of: /\$(modules|values|use|load|extras)\b/) == nil else {
                throw fault("uses a name of the joined scripts")
            }
            if let found = line.wholeMatch(of: /(import|export) \{ ([^{}]+) \} from '([^']+)';/) {
                return try statement(isExport: found.1 == "export", found.2, from: found.3, into: &module)
            }
            if let found = line.prefixMatch(
                of: /export (async function|function|class|const|let) ([A-Za-z_$][A-Za-z0-9_$]*)(?=[ (;])/)
            {
                let (kind, name) = (found.1, String(found.2))
                let declaration = line.dropFirst("export ".count)
                guard kind == "let" else {
                    module.exports.append(name)
                    return try withoutImports(String(declaration), into: &module)
                }
                guard !declaration.contains(",") else {
                    throw fault("has a comma, which may begin another variable")
                }
                module.variables.append(name)
                return try withoutImports(String(declaration.dropFirst("let ".count)), into: &module)
            }
            guard line.prefixMatch(of: /(import|export)\b(?! *\()/) == nil else {
                throw fault("has an import or export of another form")
            }
            guard line.prefixMatch(of: /(await |for await|(const|let) .*= await )/) == nil else {
                throw fault("awaits outside of a function")
            }
            return try withoutImports(line, into: &module)
        }

        private func statement(
            isExport: Bool, _ list: Substring, from specifier: Substring, into module: inout Module
        ) throws(Fault) -> String {
            guard !isOver else { throw fault("imports after other code") }
            let target = try resolved(specifier)
            if !module.imports.contains(target) { module.imports.append(target) }
            var names: [(source: String, local: String)] = []
            for item in list.split(separator: ",") {
                let words = item.split(separator: " ").map(String.init)
                guard words.count == 1 || words.count == 3 && words[1] == "as", words.allSatisfy(isName) else {
                    throw fault("'\(item)' is not a name")
                }
                names.append((words[0], words.last!))
                module.wanted.append((place, target, words[0], words.last!))
            }
            guard isExport else {
                let texts = names.map { $0.source == $0.local ? $0.source : "\($0.source): \($0.local)" }
                return "\u{1}\(target)\u{1}\(texts.joined(separator: ", "))"
            }
            module.forwarded += names.map { "get \($0.local)() { return $use('\(target)').\($0.source); }" }
            return "$use('\(target)');"
        }

        /// Replaces dynamic imports, the addresses of workers, and the module's own address.
        private func withoutImports(_ line: String, into module: inout Module) throws(Fault) -> String {
            if let found = line.firstMatch(of: /new Worker\(new URL\('([^']+)', import\.meta\.url\)/) {
                let target = try resolved(found.1)
                guard let script = workers[target] else {
                    throw fault("there is no script for the worker '\(found.1)'")
                }
                module.workers.append(target)
                let (before, behind) = (line[..<found.range.lowerBound], line[found.range.upperBound...])
                let address = "new Worker(new URL('./\(script)', import.meta.url)"
                return try withoutImports(String(before), into: &module) + address
                    + withoutImports(String(behind), into: &module)
            }
            var (result, rest) = ("", line[...])
            while let found = rest.firstMatch(of: /\bimport\('([^']+)'\)/) {
                let target = try resolved(found.1)
                module.laterImports.append(target)
                result += rest[..<found.range.lowerBound] + "$load('\(target)')"
                rest = rest[found.range.upperBound...]
            }
            result += rest
            let parts = result.split(separator: "import.meta.url", omittingEmptySubsequences: false)
            for part in parts where part.firstMatch(of: /\bimport *[.(]/) != nil {
                throw fault("has an import of another form")
            }
            return parts.joined(separator: "new URL('\(path)', import.meta.url).href")
        }

        private func isName(_ text: String) -> Bool {
            text.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil && text != "default"
        }

        /// Returns the path that `./a.js` or `../a.js` names. Throws if there is no such file.
        private func resolved(_ specifier: Substring) throws(Fault) -> String {
            var parts = path.split(separator: "/").dropLast().map(String.init)
            let steps = specifier.split(separator: "/")
            var isInside = steps.first == "." || steps.first == ".."
            for step in steps where step != "." {
                if step != ".." { parts.append(String(step)) } else if parts.popLast() == nil { isInside = false }
            }
            let target = parts.joined(separator: "/")
            guard isInside, files[target] != nil else { throw fault("there is no module '\(specifier)'") }
            return target
        }
    }

    private func check(_ module: Module) throws(Fault) {
        for (place, path, name, local) in module.wanted {
            let source = modules[path]!
            let isForwarded = source.forwarded.contains { $0.hasPrefix("get \(name)()") }
            guard source.exports.contains(name) || source.variables.contains(name) || isForwarded else {
                throw Fault(place: place, reason: "'\(path)' does not export '\(name)'")
            }
            if source.variables.contains(name), local != name {
                throw Fault(place: place, reason: "renames the variable '\(name)', which '\(path)' may assign")
            }
        }
        for name in module.variables {
            for other in modules.values where other.path != module.path && other.variables.contains(name) {
                throw Fault(place: module.path, reason: "'\(other.path)' has a variable '\(name)' too")
            }
        }
    }

    /// Appends a module after those that it imports, the order in which a browser runs them.
    private func order(_ path: String, into done: inout [String], _ above: [String] = []) throws(Fault) {
        guard !done.contains(path) else { return }
        guard let module = modules[path] else { throw Fault(place: path, reason: "there is no such module") }
        guard !above.contains(path) else {
            throw Fault(place: path, reason: "imports itself through \(above.joined(separator: ", "))")
        }
        for target in module.imports { try order(target, into: &done, above + [path]) }
        done.append(path)
    }

    // MARK: Scripts

    private func script(_ path: String, of paths: [String], head: String, tail: String) -> Script {
        var lines = [head]
        var map = LineMap()
        map.skip()
        for (source, path) in paths.enumerated() {
            let module = modules[path]!
            // A text in backquotes may go over several lines, which stay as they are.
            var isWithinText = false
            for (index, line) in module.lines.enumerated() {
                // The ends of a module are on its first and last lines, so that each line belongs to one module.
                let begin = index == 0 ? "$modules['\(path)'] = () => { " : ""
                let isLast = index == module.lines.count - 1
                let code = isWithinText ? line[...] : line.drop { $0 == " " }
                if code.isEmpty, !isWithinText, begin.isEmpty, !isLast { continue }
                // A backquote within another text only keeps more.
                if !line.utf8.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) { isWithinText.toggle() }
                let end = isLast ? "return { \(members(of: module)) }; };" : ""
                lines.append([begin + final(String(code)), end].filter { !$0.isEmpty }.joined(separator: " "))
                map.add(source: source, line: index)
            }
        }
        let text =
            (lines + (tail.isEmpty ? [] : [tail])).joined(separator: "\n") + "\n//# sourceMappingURL=\(path).map\n"
        let sources = paths.map(\.jsonQuoted).joined(separator: ",")
        let json = "{\"version\":3,\"sources\":[\(sources)],\"names\":[],\"mappings\":\"\(map.text)\"}"
        return Script(path: path, text: text, map: json)
    }

    /// The names that a module exports. Those that it may assign are read when they are asked for.
    private func members(of module: Module) -> String {
        (module.exports + module.variables.map { "get \($0)() { return \($0); }" } + module.forwarded)
            .joined(separator: ", ")
    }

    /// Completes a static import: the variables that its module shares need none.
    private func final(_ line: String) -> String {
        guard line.hasPrefix("\u{1}") else { return line }
        let parts = line.split(separator: "\u{1}")
        let shared = modules[String(parts[0])]!.variables
        let names = parts[1].split(separator: ", ").filter { !shared.contains(String($0)) }
        let use = "$use('\(parts[0])');"
        return names.isEmpty ? use : "const { \(names.joined(separator: ", ")) } = \(use)"
    }
}

/// The mappings of a source map whose lines each come from one line, in Base64 VLQ.
private struct LineMap {
    private(set) var text = ""
    private var (source, line) = (0, 0)
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    /// A line that comes from no module.
    mutating func skip() { text += ";" }

    mutating func add(source: Int, line: Int) {
        text += "A\(Self.number(source - self.source))\(Self.number(line - self.line))A;"
        (self.source, self.line) = (source, line)
    }

    private static func number(_ value: Int) -> String {
        var (rest, result) = (value < 0 ? -value << 1 | 1 : value << 1, "")
        repeat {
            result.append(digits[rest & 31 | (rest > 31 ? 32 : 0)])
            rest >>= 5
        } while rest > 0
        return result
    }
}
