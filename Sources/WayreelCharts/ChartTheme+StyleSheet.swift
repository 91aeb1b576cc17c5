internal import WayreelCore
internal import WayreelDrawing

extension ChartTheme {
    /// CSS that switches charts of the light theme to dark if the viewer prefers it.
    ///
    /// Charts only use their theme's colours, with any opacity, so one rule per colour is sufficient and one SVG
    /// supports both themes.
    package static let darkStyleSheet: String = {
        let rules = zip(light.colors, dark.colors).filter { $0 != $1 }.map { light, dark in
            let (from, to) = (light.hexadecimal, dark.hexadecimal)
            return "[fill=\"\(from)\"]{fill:\(to)}[stroke=\"\(from)\"]{stroke:\(to)}"
        }
        return "@media screen and (prefers-color-scheme:dark){\(rules.joined())}"
    }()

    /// All colours, in the same order in every theme.
    var colors: [RGBColor] { [background, text, axisText, axis, grid, muted] + series + layers + [layerText] }
}
