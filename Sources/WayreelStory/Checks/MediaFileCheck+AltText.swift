extension MediaFileCheck {
    /// Warns about a file without a text for players who cannot see or hear it.
    mutating func checkAltText(of asset: Asset, at location: SourceLocation) {
        if asset.alt == nil { issues.warning(location, "'\(asset.source)' has no alt text") }
    }
}
