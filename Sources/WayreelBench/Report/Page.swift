internal import WayreelCore
internal import WayreelDrawing

/// The elements of a page with tables, without external resources and scripts.
enum Page {
    /// A page as polyglot HTML and XML.
    static func document(title: String, head: Markup, main: Markup) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>\(title)</title>
        <style>
        \(Markup(styleSheet))
        </style>
        </head>
        <body>
        \(head)
        <main>
        \(main)
        </main>
        </body>
        </html>

        """
    }

    /// A table that scrolls horizontally if it is too wide.
    static func table(_ name: String, head: Markup, rows: [Markup]) -> Markup {
        """
        <div class="scroll" role="region" tabindex="0" aria-label="\(name)"><table>
        <thead><tr>\(head)</tr></thead>
        <tbody>
        \(rows.joined(separator: "\n"))
        </tbody>
        </table></div>

        """
    }

    /// Column headers; those of numbers start with `#`.
    static func heads(_ names: [String]) -> Markup {
        names.map { name in
            name.hasPrefix("#")
                ? "<th scope=\"col\" class=\"n\">\(String(name.dropFirst()))</th>" as Markup
                : "<th scope=\"col\">\(name)</th>"
        }.joined(separator: "")
    }

    /// A number, with a bar if `share`, from 0 to 1, is not nil.
    static func cell(_ number: String, share: Double? = nil) -> Markup {
        let percent = share.flatMap { $0 > 0 ? Int(min($0, 1) * 100) : nil }
        let bar = percent.map { "<meter max=\"100\" value=\"\($0)\">\($0) %</meter>" as Markup } ?? ""
        return "<td class=\"n\">\(number)\(bar)</td>"
    }

    // MARK: The look of a page

    /// The page uses the colours of charts and follows the viewer's theme; in print it is light.
    private static let styleSheet = """
        :root{color-scheme:light dark;\(colors(.light));--bad:#b3261e}
        @media screen and (prefers-color-scheme:dark){:root{\(colors(.dark));--bad:#ff8a80}}
        \(rules)
        """

    private static func colors(_ theme: ChartTheme) -> String {
        let colors = [
            ("ground", theme.background), ("ink", theme.text), ("dim", theme.axisText), ("line", theme.grid),
            ("edge", theme.axis),
        ]
        return colors.map { "--\($0):\($1.hexadecimal)" }.joined(separator: ";")
    }

    private static let rules = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;max-width:70.5rem;padding:2.5rem 1rem 4rem;background:var(--ground);color:var(--ink);
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
        font-variant-numeric:tabular-nums;overflow-wrap:break-word}
        h1,h2{line-height:1.2;text-wrap:balance}
        h1{margin:0 0 .25rem;font-size:2rem;letter-spacing:-.015em}
        h2{margin:0 0 .5rem;font-size:1.4rem;letter-spacing:-.01em}
        p,ul{max-width:42rem;margin:0 0 .75rem}
        ul{padding-left:1.2rem}
        section{margin-top:3rem;padding-top:1.75rem;border-top:1px solid var(--edge)}
        .lead{font-size:1.1rem;color:var(--dim)}
        .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(max(10rem,21%),1fr));gap:.75rem 2rem;margin:1.5rem 0 0}
        .facts dt,.facts dd{margin:0}
        .facts dt{font-size:.8rem;color:var(--dim)}
        th,td,dt,dd{unicode-bidi:isolate}
        .scroll{max-width:100%;overflow-x:auto;margin:0 0 1rem}
        table{border-collapse:collapse;font-size:.9rem;line-height:1.35}
        th,td{padding:.45rem 0 .45rem 1.75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        th:first-child{padding-left:0}
        th{font-weight:600}
        thead th{font-weight:400;color:var(--dim);border-bottom-color:var(--edge);vertical-align:bottom}
        tbody th{min-width:7rem;max-width:22rem}
        .n{text-align:right;white-space:nowrap}
        small{display:block;font-size:.8rem;font-weight:400;color:var(--dim)}
        .failed strong{color:var(--bad)}
        meter{display:block;width:8rem;margin:.15rem 0 0 auto}
        @media print{
        body{padding:0;max-width:none;font-size:10pt}
        section{margin-top:1.5rem;padding-top:1rem}
        h2{break-after:avoid}
        tr,.facts{break-inside:avoid}
        .scroll{overflow:visible}
        }
        """
}

/// Markup that is well-formed as HTML and XML. Literals are markup; interpolated text is escaped, in elements and
/// quoted attributes.
struct Markup: ExpressibleByStringInterpolation {
    private(set) var text: String

    /// Adopts existing markup.
    init(_ text: String) { self.text = text }

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ text: String) { self.text += text.onOneLine.xmlAttribute }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { text += part.text } }
    }
}

extension [Markup] {
    func joined(separator: Markup) -> Markup { Markup(map(\.text).joined(separator: separator.text)) }
}
