/// Checks that the colours of a house's face can be read, and that its font may be delivered.
enum FaceCheck {
    static func check(_ story: Story, _ locations: StoryLocations, _ issues: inout IssueLog) {
        guard let face = story.face else { return }
        let location = locations.first(.face, "")
        if let font = face.font, !font.isEmpty, face.fontLicense?.isEmpty ?? true {
            issues.error(
                location,
                "the font '\(font)' has no fontLicense; say under which licence it may be delivered with the story, such as "
                    + "OFL-1.1, or \"licensed for www.museum.example\"")
        }
        if let accent = face.accent, let warning = FaceColors.warning(ofAccent: accent) {
            issues.warning(location, warning)
        }
    }
}
