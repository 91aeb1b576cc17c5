internal import Glibc

/// The C library's functions, under names that no test file has to import Glibc for.
package func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
package func sine(_ angle: Double) -> Double { sin(angle) }
package func cosine(_ angle: Double) -> Double { cos(angle) }
