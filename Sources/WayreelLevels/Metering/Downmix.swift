internal import WayreelCore

/// Weights of audio channels in left and right.
///
/// The weights of ITU-R BS.775, table 2, without normalisation: left and right; centre at √½ in both; surround
/// channels, side or back, at √½ on their side; a single back channel at ½ in both; LFE is dropped. Channels not in the
/// recommendation are treated like similar ones: a front channel between the centre and a side like that side, a top
/// channel like the surround below it. Unnamed channels alternate between left and right and share their side equally.
enum Downmix {
    struct Share: Equatable {
        var left: Float
        var right: Float
    }

    private static let table: [String: Share] = {
        let half = Float(0.5).squareRoot()
        return [
            "left": Share(left: 1, right: 0), "right": Share(left: 0, right: 1),
            "left-of-center": Share(left: 1, right: 0), "right-of-center": Share(left: 0, right: 1),
            "center": Share(left: half, right: half), "mono": Share(left: half, right: half),
            "lfe": Share(left: 0, right: 0),
            "side-left": Share(left: half, right: 0), "side-right": Share(left: 0, right: half),
            "back-left": Share(left: half, right: 0), "back-right": Share(left: 0, right: half),
            "back-center": Share(left: 0.5, right: 0.5),
            "top-front-left": Share(left: half, right: 0), "top-front-right": Share(left: 0, right: half),
            "top-back-left": Share(left: half, right: 0), "top-back-right": Share(left: 0, right: half),
            "top-center": Share(left: 0.5, right: 0.5), "top-front-center": Share(left: 0.5, right: 0.5),
            "top-back-center": Share(left: 0.5, right: 0.5),
        ]
    }()

    static func shares(_ channels: [AudioChannel]) -> [Share] {
        let unnamed = channels.indices.filter { table[channels[$0].name] == nil }
        return channels.indices.map { index in
            if let share = table[channels[index].name] { return share }
            let isLeft = unnamed.firstIndex(of: index)! % 2 == 0
            let onSide = isLeft ? (unnamed.count + 1) / 2 : unnamed.count / 2
            return Share(left: isLeft ? 1 / Float(onSide) : 0, right: isLeft ? 0 : 1 / Float(onSide))
        }
    }
}
