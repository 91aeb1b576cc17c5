/// The files of `Filters/`, which are part of the binary: it needs none of them beside it.
package enum Presets {
    /// The YAML of each recipe, by the preset's name. A new preset is a file in `Filters/` and a line here.
    package static let recipes: KeyValuePairs<String, [UInt8]> = [:]

    /// The named screens: `name,pixels,label`, a header first.
    package static let screens = PackageResources.screens_csv
}
