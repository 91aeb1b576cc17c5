internal import WayreelCharts
internal import WayreelCore
internal import WayreelDrawing

extension HTMLReport {
    /// The page uses the colours of its charts and follows the viewer's theme; in print it is light.
    static let styleSheet: String = {
        let layers = ChartTheme.light.layers.enumerated().map { ".layer-\($0){background:\($1.hexadecimal)}" }
        return """
            :root{color-scheme:light dark;\(colors(.light));--good:#0b6e4f;--bad:#b3261e;--flag:#fff0c2}
            @media screen and (prefers-color-scheme:dark){:root{\(colors(.dark));--good:#4fd1a5;--bad:#ff8a80;--flag:#4a3b0c}}
            \(rules)
            \(layers.joined(separator: "\n"))
            \(ChartTheme.darkStyleSheet)
            """
    }()

    private static func colors(_ theme: ChartTheme) -> String {
        let colors = [
            ("ground", theme.background), ("ink", theme.text), ("dim", theme.axisText), ("line", theme.grid),
            ("edge", theme.axis), ("link", theme.series[0]),
        ]
        return colors.map { "--\($0):\($1.hexadecimal)" }.joined(separator: ";")
    }

    private static let rules = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;max-width:70.5rem;padding:2.5rem 1rem 4rem;background:var(--ground);color:var(--ink);
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
        font-variant-numeric:tabular-nums;overflow-wrap:break-word}
        h1,h2,h3{line-height:1.2;text-wrap:balance}
        h1{margin:0 0 .25rem;font-size:2rem;letter-spacing:-.015em}
        h2{margin:0 0 .5rem;font-size:1.4rem;letter-spacing:-.01em}
        h3{margin:2rem 0 .5rem;font-size:1rem}
        p,ul{max-width:42rem;margin:0 0 .75rem}
        ul{padding-left:1.2rem}
        section{margin-top:3rem;padding-top:1.75rem;border-top:1px solid var(--edge)}
        a{color:var(--link);text-underline-offset:.15em}
        .lead{font-size:1.1rem;color:var(--dim)}
        .dim{color:var(--dim)}
        .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(max(10rem,21%),1fr));gap:.75rem 2rem;margin:1.5rem 0 0}
        .facts dt,.facts dd{margin:0}
        .facts dt{font-size:.8rem;color:var(--dim)}
        th,td,dt,dd,code{unicode-bidi:isolate}
        .scroll{max-width:100%;overflow-x:auto;margin:0 0 1rem}
        table{border-collapse:collapse;font-size:.9rem;line-height:1.35}
        th,td{padding:.45rem 0 .45rem 1.75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        th:first-child{padding-left:0}
        th{font-weight:600}
        thead th{font-weight:400;color:var(--dim);border-bottom-color:var(--edge);vertical-align:bottom}
        tbody th{min-width:7rem;max-width:22rem}
        details tbody th{min-width:0}
        .better,.worse,.even{min-width:10rem}
        tfoot th,tfoot td{border-bottom:0;border-top:1px solid var(--edge)}
        .n{text-align:right;white-space:nowrap}
        small{display:block;font-size:.8rem;font-weight:400;color:var(--dim)}
        mark{padding:0 .25em;border-radius:.2em;background:var(--flag);color:inherit}
        .better{color:var(--good)}
        .worse{color:var(--bad)}
        .failed strong{color:var(--bad)}
        .key{display:inline-block;width:.75em;height:.75em;margin-right:.5em;border-radius:.15em;
        print-color-adjust:exact;-webkit-print-color-adjust:exact}
        .row{display:flex;flex-wrap:wrap;gap:1rem 2rem;align-items:flex-start;margin:0 0 1rem}
        .row .scroll{margin:0}
        .row th,.row td{padding-left:1.25rem}
        .row th:first-child{padding-left:0}
        figure{margin:0;max-width:100%}
        figcaption{font-size:.9rem;font-weight:600;margin:.5rem 0 .25rem}
        figure svg{display:block;max-width:100%;height:auto}
        .narrow{display:none}
        @media (max-width:45rem){.broad{display:none}.narrow{display:block}}
        details{margin:.5rem 0}
        summary{cursor:pointer;color:var(--link)}
        details .scroll,details dl{margin:.75rem 0 1rem}
        details dt{font-weight:600}
        details dd{margin:0 0 .75rem}
        pre{margin:.25rem 0 0;font:.8rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
        white-space:pre-wrap;overflow-wrap:anywhere}
        @media print{
        body{padding:0;max-width:none;font-size:10pt}
        section{margin-top:1.5rem;padding-top:1rem}
        h2,h3,figcaption{break-after:avoid}
        figure,tr,.facts{break-inside:avoid}
        .scroll{overflow:visible}
        .broad{display:block}
        .narrow{display:none}
        .figures{flex-wrap:nowrap;gap:1rem}
        a{color:inherit;text-decoration:none}
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

    static func + (first: Markup, second: Markup) -> Markup { Markup(first.text + second.text) }
}

extension [Markup] {
    func joined(separator: Markup) -> Markup { Markup(map(\.text).joined(separator: separator.text)) }
}
