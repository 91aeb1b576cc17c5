/// Checks that base maps whose data are not OpenStreetMap's name their licence.
enum BaseMapCheck {
    static func check(_ story: Story, _ locations: StoryLocations, _ issues: inout IssueLog) {
        for map in story.baseMaps where !map.source.isEmpty && !(map.author ?? "").isEmpty {
            guard map.license?.isEmpty ?? true else { continue }
            issues.error(
                locations.first(.source, map.source),
                "the map '\(map.source)' has an author and no license; say under which licence it may be shown, such as "
                    + "CC BY 4.0, or leave out the author of an OpenStreetMap extract")
        }
    }
}
