internal import Glibc

/// An axis-aligned rectangle in pixels, y downwards, with fractional edges.
package struct Rectangle: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var midX: Double { x + width / 2 }
    package var midY: Double { y + height / 2 }
    package var isEmpty: Bool { !(width > 0 && height > 0) }

    /// Whether the point is inside or on an edge.
    package func contains(x: Double, y: Double) -> Bool { (self.x...maxX).contains(x) && (self.y...maxY).contains(y) }

    /// Returns the rectangle moved by (`x`, `y`).
    package func moved(x: Double, y: Double) -> Rectangle {
        Rectangle(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// Returns the rectangle with `margin` added on every side.
    package func grown(by margin: Double) -> Rectangle {
        Rectangle(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
    }

    /// Returns the bounding box of both; an empty one is ignored.
    package func union(_ other: Rectangle) -> Rectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x), top = min(y, other.y)
        return Rectangle(
            x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Returns the common part; empty, without negative size, if they do not intersect.
    package func intersection(_ other: Rectangle) -> Rectangle {
        let left = max(x, other.x), top = max(y, other.y)
        return Rectangle(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
            height: max(0, min(maxY, other.maxY) - top))
    }

    /// Returns the bounding box after a clockwise rotation by `angle` radians about (`centerX`, `centerY`).
    package func bounds(turnedBy angle: Double, aboutX centerX: Double, y centerY: Double) -> Rectangle {
        guard angle != 0 else { return self }
        let (sine, cosine) = (sin(angle), cos(angle))
        let turned = [(x, y), (maxX, y), (x, maxY), (maxX, maxY)].map { corner in
            let (dx, dy) = (corner.0 - centerX, corner.1 - centerY)
            return (x: centerX + dx * cosine - dy * sine, y: centerY + dx * sine + dy * cosine)
        }
        let left = turned.map(\.x).min()!, top = turned.map(\.y).min()!
        return Rectangle(
            x: left, y: top, width: turned.map(\.x).max()! - left, height: turned.map(\.y).max()! - top)
    }
}
