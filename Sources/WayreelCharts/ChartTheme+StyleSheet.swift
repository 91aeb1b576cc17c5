internal import WayreelCore
internal import WayreelDrawing

extension ChartTheme {
    /// CSS that turns charts of the light theme dark on screens whose reader prefers that.
    ///
    /// A chart paints with nothing but its theme's colours, as opaque as it likes, so that a rule for each of them is enough
    /// and one SVG holds both themes.
    package static let darkStyleSheet: String = {
        let rules = zip(light.colors, dark.colors).filter { $0 != $1 }.map { light, dark in
            let (from, to) = (light.hexadecimal, dark.hexadecimal)
            return "[fill=\"\(from)\"]{fill:\(to)}[stroke=\"\(from)\"]{stroke:\(to)}"
        }
        return "@media screen and (prefers-color-scheme:dark){\(rules.joined())}"
    }()

    /// All of them, in the same order in every theme.
    var colors: [RGBColor] { [background, text, axisText, axis, grid, muted] + series + layers + [layerText] }
}
