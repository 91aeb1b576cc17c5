import TestSupport
import Testing
import WayreelPages

/// Modules of a page are joined, or refused with the place.
@Suite struct JoinedScriptsTests {
    private static func join(
        _ files: [String: String], extras: [JoinedScripts.Extra] = []
    ) throws -> JoinedScripts {
        try JoinedScripts(
            files.mapValues { Array($0.utf8) }, entry: "app.js", start: "start.js", rest: "rest.js", extras: extras)
    }

    @Test func joinsModulesInTheirOrder() throws {
        let joined = try Self.join([
            "app.js": "import { b, a as c } from './lib/b.js';\nb(c);\nimport('./later.js');",
            "lib/b.js": "import { a } from './a.js';\nexport { a } from './a.js';\nexport function b() {\n}",
            "lib/a.js": "export const a = import.meta.url;",
            "later.js": "export class Later {}",
            "other.js": "import 'nothing';",
        ])
        #expect(joined.paths == ["app.js", "lib/b.js", "lib/a.js", "later.js"])
        #expect(joined.scripts.map(\.path) == ["start.js", "rest.js"])
        let lines = joined.scripts[0].text.split(separator: "\n").dropFirst()
        #expect(
            Array(lines) == [
                "$modules['lib/a.js'] = () => { const a = new URL('lib/a.js', import.meta.url).href; return { a }; };",
                "$modules['lib/b.js'] = () => { const { a } = $use('lib/a.js');", "$use('lib/a.js');", "function b() {",
                "} return { b, get a() { return $use('lib/a.js').a; } }; };",
                "$modules['app.js'] = () => { const { b, a: c } = $use('lib/b.js');", "b(c);",
                "$load('later.js'); return {  }; };", "$use('app.js');", "//# sourceMappingURL=start.js.map",
            ])
        // AAAA is line 0 of source 0, ACAA line 0 of the next source, AACA the next line; H is 3 lines back (ECMA-426).
        #expect(joined.scripts[0].map.contains(#""sources":["lib/a.js","lib/b.js","app.js"]"#))
        #expect(joined.scripts[0].map.contains(#""mappings":";AAAA;ACAA;AACA;AACA;AACA;ACHA;AACA;AACA;""#))
        #expect(
            joined.scripts[1].text.hasPrefix(
                "import { $modules, $use, $load } from './start.js'; \n$modules['later.js'] = "))
    }

    /// Lines have no indentation, and none is empty, but within a text.
    @Test func leavesOutWhatNoBrowserNeeds() throws {
        let joined = try Self.join(["app.js": "a(\n\n  b,\n  `\n\n   c`);\n"])
        #expect(
            joined.scripts[0].text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix(6) == [
                "$modules['app.js'] = () => { a(", "b,", "`", "", "   c`);", "return {  }; };",
            ])
        // E is two lines on (ECMA-426).
        #expect(joined.scripts[0].map.contains(#""mappings":";AAAA;AAEA;AACA;AACA;AACA;AACA;""#))
    }

    /// A worker has a script of its own, with what it shares with the page, and without the page's entry.
    @Test func partsWorkers() throws {
        let files = [
            "app.js": "import { a } from './lib/a.js';\nimport('./later.js');",
            "later.js":
                "new Worker(new URL('./lib/work.js', import.meta.url), { type: 'module' });\nexport class Later {}",
            "lib/a.js": "export const a = 1;",
            "lib/work.js": "import { a } from './a.js';\naddEventListener('message', () => postMessage(a));",
        ].mapValues { Array($0.utf8) }
        let joined = try JoinedScripts(
            files, entry: "app.js", start: "start.js", rest: "rest.js", workers: ["lib/work.js": "work.js"])
        #expect(joined.paths == ["app.js", "later.js", "lib/a.js", "lib/work.js"])
        #expect(joined.scripts.map(\.path) == ["start.js", "rest.js", "work.js"])
        let call = "new Worker(new URL('./work.js', import.meta.url), { type: 'module' });"
        #expect(joined.scripts[1].text.contains(call))
        let lines = joined.scripts[2].text.split(separator: "\n").dropFirst()
        #expect(
            Array(lines) == [
                "$modules['lib/a.js'] = () => { const a = 1; return { a }; };",
                "$modules['lib/work.js'] = () => { const { a } = $use('lib/a.js');",
                "addEventListener('message', () => postMessage(a)); return {  }; };", "$use('lib/work.js');",
                "//# sourceMappingURL=work.js.map",
            ])
        let error = #expect(throws: JoinedScripts.Fault.self) {
            try JoinedScripts(files, entry: "app.js", start: "start.js", rest: "rest.js")
        }
        #expect(error?.place == "later.js:1")
    }

    /// A variable that its module assigns later is shared, also with the second script.
    @Test func sharesVariables() throws {
        let joined = try Self.join([
            "app.js": "import { word, set } from './words.js';\nset();\nimport('./later.js');",
            "words.js": "export let word = 'a';\nexport function set() { word = 'b'; }",
            "later.js": "import { word } from './words.js';\nconsole.log(word);",
        ])
        #expect(joined.scripts[0].text.contains("export let word;\n"))
        #expect(joined.scripts[0].text.contains("$modules['words.js'] = () => { word = 'a';\n"))
        #expect(joined.scripts[0].text.contains("{ const { set } = $use('words.js');\n"))
        #expect(joined.scripts[0].text.contains("return { set, get word() { return word; } };"))
        #expect(joined.scripts[1].text.hasPrefix("import { $modules, $use, $load, word } from './start.js';"))
        #expect(joined.scripts[1].text.contains("{ $use('words.js');\nconsole.log(word);"))
    }

    /// What others need too stays with these, as does a module of an extra's folder that one of them imports statically.
    @Test func partsExtras() throws {
        let joined = try Self.join(
            [
                "app.js":
                    "import { a } from './a.js';\nimport('./later.js');\nimport('./map/map.js');\nimport('./list/list.js');",
                "a.js": "export let a = 1;", "later.js": "import { line } from './map/line.js';",
                "map/map.js": "import { a } from '../a.js';\nimport { both } from '../both.js';\n"
                    + "import { own } from '../own.js';\nimport { line } from './line.js';\nexport const map = own;",
                "map/line.js": "export let line = 1;", "own.js": "export let own = 1;\nimport('./list/list.js');",
                "both.js": "import { deep } from './deep.js';\nexport const both = deep;",
                "deep.js": "export const deep = 1;",
                "list/list.js": "import('../both.js');\nimport('./row.js');\nexport const list = 1;",
                "list/row.js": "export const row = 1;",
            ],
            extras: [
                .init(path: "map.js", folders: ["map/", "routes/"]), .init(path: "none.js", folders: ["none/"]),
                .init(path: "list.js", folders: ["list/"]),
            ])
        #expect(joined.scripts.map(\.path) == ["start.js", "rest.js", "map.js", "list.js"])
        let sources = joined.scripts.map { script in
            script.map.firstMatch(of: /"sources":\[(.*?)\]/)!.1.split(separator: ",").joined(separator: " ")
        }
        #expect(
            sources == [
                #""a.js" "app.js""#, #""deep.js" "both.js" "map/line.js" "later.js""#, #""own.js" "map/map.js""#,
                #""list/list.js" "list/row.js""#,
            ])
        let heads = joined.scripts.map { $0.text.prefix { $0 != "\n" } }
        #expect(heads[0].contains("await import($extras[path] ?? './rest.js')"))
        let addresses = "'list/list.js': './list.js', 'list/row.js': './list.js', 'map/map.js': './map.js'"
        #expect(heads[0].contains("const $extras = { \(addresses) };"))
        #expect(heads[1] == "import { $modules, $use, $load, a } from './start.js'; export let line;")
        let both = "import { $modules, $use, $load, a } from './start.js'; import { line } from './rest.js'; let own;"
        #expect(heads[2] == both)
        #expect(heads[3] == "import { $modules, $use, $load, a } from './start.js'; ")
        #expect(joined.scripts[3].text.contains("() => { $load('both.js');\n$load('list/row.js');"))
    }

    @Test(arguments: [
        ("export default 1;", "app.js:1"), ("let a;\nexport { a };", "app.js:2"), ("import './b.js';", "app.js:1"),
        ("import b from './b.js';", "app.js:1"), ("import * as b from './b.js';", "app.js:1"),
        ("import { b } from 'b';", "app.js:1"), ("import { b } from '../b.js';", "app.js:1"),
        ("import { b } from './none.js';", "app.js:1"), ("import { none } from './b.js';", "app.js:1"),
        ("import { b as default } from './b.js';", "app.js:1"), ("import {\n b } from './b.js';", "app.js:1"),
        ("let a;\nimport { b } from './b.js';", "app.js:2"), ("export const { a } = {};", "app.js:1"),
        ("export function* a() {}", "app.js:1"), ("export let a = 1, c = 2;", "app.js:1"),
        ("export let a, c;", "app.js:1"), ("export * from './b.js';", "app.js:1"), ("await 1;", "app.js:1"),
        ("const a = await 1;", "app.js:1"), ("import(name);", "app.js:1"), ("x = import.meta.env;", "app.js:1"),
        ("import('./none.js');", "app.js:1"), ("const $use = 1;", "app.js:1"), ("const $extras = 1;", "app.js:1"),
        ("import { v as w } from './b.js';", "app.js:1"), ("import { c } from './c.js';", "c.js"),
    ])
    func refusesWhatItDoesNotUnderstand(text: String, place: String) throws {
        let error = #expect(throws: JoinedScripts.Fault.self) {
            try Self.join([
                "app.js": text, "b.js": "export const b = 1;\nexport let v = 1;",
                "c.js": "import { d } from './d.js';\nexport const c = 1;",
                "d.js": "import { c } from './c.js';\nexport const d = 1;",
            ])
        }
        #expect(error?.place == place, "\(error?.reason ?? "")")
    }

    /// Those of the pages are understood.
    @Test func joinsThePages() throws {
        for (files, scripts) in [
            (
                PageFile.player,
                [
                    "player.js", "player-views.js", "player-codes.js", "player-collections.js", "player-ground.js",
                    "player-ground-worker.js", "player-plans.js", "player-preview.js", "player-sharing.js",
                ]
            ),
            (PageFile.apiPage, ["requests.js"]),
        ] {
            let asked = files.filter(\.isRequested).map(\.path)
            #expect(asked.filter { $0.hasSuffix(".js") && $0 != "service-worker.js" }.sorted() == scripts.sorted())
            #expect(asked.filter { $0.hasSuffix(".css") }.count == 1)
            // Of the texts, those of one language; each extra is one more file.
            #expect(asked.count { !$0.hasPrefix("strings/") } < 16, "\(asked)")
        }
        // A player on the way does not load an author's tools.
        let stored = PageFile.player.filter(\.isStored).map(\.path)
        #expect(stored == PageFile.player.filter(\.isRequested).map(\.path).filter { $0 != "player-preview.js" })
    }
}
