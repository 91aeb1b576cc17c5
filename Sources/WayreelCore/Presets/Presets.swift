/// The files of `Filters/`, which are part of the binary: it needs none of them beside it.
package enum Presets {
    /// The YAML of each recipe, by the preset's name. A new preset is a file in `Filters/` and a line here.
    package static let recipes: KeyValuePairs<String, [UInt8]> = [
        "blueprint": PackageResources.blueprint_yml,
        "comic-book": PackageResources.comic_book_yml,
        "cyanotype": PackageResources.cyanotype_yml,
        "dream": PackageResources.dream_yml,
        "faded-film": PackageResources.faded_film_yml,
        "first-snow": PackageResources.first_snow_yml,
        "golden-hour": PackageResources.golden_hour_yml,
        "haunted-house": PackageResources.haunted_house_yml,
        "lomo": PackageResources.lomo_yml,
        "newsprint": PackageResources.newsprint_yml,
        "night-vision": PackageResources.night_vision_yml,
        "noir-alley": PackageResources.noir_alley_yml,
        "old-postcard": PackageResources.old_postcard_yml,
        "pixel-quest": PackageResources.pixel_quest_yml,
        "pulp-magazine": PackageResources.pulp_magazine_yml,
        "silver-gelatin": PackageResources.silver_gelatin_yml,
        "stained-glass": PackageResources.stained_glass_yml,
        "sunday-1974": PackageResources.sunday_1974_yml,
        "thermal-scout": PackageResources.thermal_scout_yml,
        "tin-type": PackageResources.tin_type_yml,
        "wanted-poster": PackageResources.wanted_poster_yml,
        "x-ray-lab": PackageResources.x_ray_lab_yml,
    ]

    /// The named screens: `name,pixels,label`, a header first.
    package static let screens = PackageResources.screens_csv
}
