package import WayreelCore

extension Framing {
    /// A part of an image, as a viewer shows it: upright, from the top left corner.
    public struct Crop: Hashable, Sendable, Codable {
        /// A length along a side of the image.
        public enum Length: Hashable, Sendable, Codable {
            case pixels(Int)
            /// A part of the side, 0 to 1.
            case share(Double)

            fileprivate init?(_ text: Substring) {
                if text.hasSuffix("%") {
                    guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
                    self = .share(percent / 100)
                } else {
                    guard let pixels = Int(text), (0...1_000_000).contains(pixels) else { return nil }
                    self = .pixels(pixels)
                }
            }

            /// In pixels of a side.
            fileprivate func along(_ side: Int) -> Double {
                switch self {
                case .pixels(let pixels): Double(pixels)
                case .share(let share): share * Double(side)
                }
            }

            fileprivate var text: String {
                switch self {
                case .pixels(let pixels): "\(pixels)"
                case .share(let share): "\((share * 100).shortDescription)%"
                }
            }

            public init(from decoder: any Decoder) throws {
                let length = try CaseDecoder(decoder)
                self =
                    switch length.name {
                    case "pixels": .pixels(try length.member("pixels"))
                    case "share": .share(try length.member("share"))
                    default: throw length.unknownName
                    }
            }

            public func encode(to encoder: any Encoder) throws {
                switch self {
                case .pixels(let pixels): try encoder.encode(case: "pixels", "pixels", pixels)
                case .share(let share): try encoder.encode(case: "share", "share", share)
                }
            }
        }

        public var x: Length
        public var y: Length
        public var width: Length
        public var height: Length

        public init(x: Length, y: Length, width: Length, height: Length) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        /// Parses `x,y,width,height`, each a whole number of pixels up to 1 000 000 or a percentage: `10%,10%,80%,80%`.
        package init?(_ text: String) {
            let lengths = text.split(separator: ",", omittingEmptySubsequences: false).map(Length.init)
            guard lengths.count == 4, let x = lengths[0], let y = lengths[1], let width = lengths[2],
                let height = lengths[3], width.along(1) > 0, height.along(1) > 0
            else { return nil }
            self.init(x: x, y: y, width: width, height: height)
        }

        package var text: String { [x, y, width, height].map(\.text).joined(separator: ",") }

        /// Returns the part that lies in an upright image of `size`, and whether the crop reaches beyond the image. Edges
        /// are rounded to pixels, so that neighbouring crops share them. nil if nothing lies in the image.
        package func area(in size: PixelSize) -> (area: PixelRectangle, isCut: Bool)? {
            func range(_ start: Length, _ length: Length, _ side: Int) -> (range: Range<Int>, isCut: Bool)? {
                let first = start.along(side)
                let (low, high) = (Int(first.rounded()), Int((first + length.along(side)).rounded()))
                let end = min(max(high, low + 1), side)
                return low < end ? (low..<end, high > side) : nil
            }
            guard let columns = range(x, width, size.width), let rows = range(y, height, size.height) else {
                return nil
            }
            return (
                PixelRectangle(columns: columns.range, rows: rows.range), columns.isCut || rows.isCut
            )
        }
    }

    /// A rotation clockwise, in degrees.
    public enum Rotation: Int, Hashable, Sendable, Codable {
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    /// The sides that a mirror image exchanges.
    public enum Flip: String, Hashable, Sendable, Codable, CaseIterable {
        /// Left and right.
        case horizontal
        /// Top and bottom.
        case vertical
        case both
    }

    /// What ``flip`` and then ``rotation`` do to an upright image.
    package var turning: Orientation {
        let flipped: Orientation =
            switch flip {
            case nil: .upright
            case .horizontal: .mirrored
            case .vertical: .flipped
            case .both: .halfTurn
            }
        let rotated: Orientation =
            switch rotation {
            case nil: .upright
            case .quarter: .quarterTurnClockwise
            case .half: .halfTurn
            case .threeQuarters: .quarterTurnCounterclockwise
            }
        return flipped.then(rotated)
    }
}
