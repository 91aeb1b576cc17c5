internal import Glibc

/// Functions of the C library under other names, so that test files need not import Glibc for them.
package func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
package func sine(_ angle: Double) -> Double { sin(angle) }
package func cosine(_ angle: Double) -> Double { cos(angle) }
