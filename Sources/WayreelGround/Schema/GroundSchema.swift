/// What of OpenStreetMap is on a map, in which layer, as which class, and from which zoom on: the one table of it.
/// Layers, classes and attributes have the names of OpenMapTiles' schema (3.15), which styles of others know.
///
/// An object is in each layer of which a row matches; the first row of a layer counts.
package enum GroundSchema {
    /// In the order in which they are drawn.
    package enum Layer: Int, CaseIterable, Sendable {
        case landcover, landuse, park, water, waterway, building, transportation
        case transportationName, waterName, place, poi

        package var name: String {
            switch self {
            case .transportationName: "transportation_name"
            case .waterName: "water_name"
            default: "\(self)"
            }
        }

        /// Whether it holds texts and symbols, at a point or along a line.
        var isLabels: Bool { rawValue >= Layer.transportationName.rawValue }
    }

    /// What a tag makes of an object; the values are those of COSM.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let point = Kinds(rawValue: 1)
        package static let line = Kinds(rawValue: 2)
        package static let polygon = Kinds(rawValue: 4)
    }

    /// A row: objects of `kinds` with one of the values.
    struct Row: Sendable {
        var layer: Layer
        var kinds: Kinds
        var key: String
        /// Empty for all values but `no`.
        var values: [String]
        /// The class; nil if it is the value.
        var name: String?
        var zoom: Int
        /// A second tag that the object must have, with one of some values; with none, any value but `no`.
        var and: (key: String, values: [String])?
        /// Whether a closed way is an area without `area=yes`.
        var isArea: Bool
        var hasSubclass: Bool
        /// Whether it is a link between roads.
        var isRamp: Bool
    }

    private static func row(
        _ layer: Layer, _ kinds: Kinds, _ key: String, _ values: [String] = [], as name: String? = nil, from zoom: Int,
        and: (String, [String])? = nil, isArea: Bool = true, subclass: Bool = false, ramp: Bool = false
    ) -> Row {
        Row(
            layer: layer, kinds: kinds, key: key, values: values, name: name, zoom: zoom,
            and: and.map { (key: $0.0, values: $0.1) }, isArea: isArea, hasSubclass: subclass, isRamp: ramp)
    }

    static let rows: [Row] = surfaces + streets + places + pointsOfInterest

    // MARK: Surfaces

    private static let surfaces: [Row] = [
        row(.landcover, .polygon, "natural", ["wood"], as: "wood", from: 12, subclass: true),
        row(.landcover, .polygon, "landuse", ["forest"], as: "wood", from: 12, subclass: true),
        row(.landcover, .polygon, "natural", ["wetland", "mud"], as: "wetland", from: 12, subclass: true),
        row(.landcover, .polygon, "natural", ["beach", "sand", "dune", "shoal"], as: "sand", from: 12, subclass: true),
        row(
            .landcover, .polygon, "natural", ["bare_rock", "rock", "scree", "shingle"], as: "rock", from: 12,
            subclass: true),
        row(.landcover, .polygon, "natural", ["glacier"], as: "ice", from: 12, subclass: true),
        row(
            .landcover, .polygon, "natural", ["grassland", "heath", "scrub", "fell", "tundra"], as: "grass", from: 12,
            subclass: true),
        row(
            .landcover, .polygon, "landuse", ["farmland", "farm", "orchard", "vineyard", "plant_nursery"],
            as: "farmland",
            from: 12, subclass: true),
        row(
            .landcover, .polygon, "landuse",
            ["grass", "meadow", "allotments", "village_green", "recreation_ground", "flowerbed"], as: "grass", from: 12,
            subclass: true),
        row(.landcover, .polygon, "leisure", ["park", "garden", "golf_course"], as: "grass", from: 12, subclass: true),

        row(
            .landuse, .polygon, "landuse",
            [
                "residential", "commercial", "industrial", "retail", "railway", "cemetery", "military", "quarry",
                "garages",
            ], from: 12),
        row(.landuse, .polygon, "amenity", ["grave_yard"], as: "cemetery", from: 12),
        row(
            .landuse, .polygon, "amenity",
            ["school", "university", "college", "kindergarten", "hospital", "library", "bus_station"], from: 13),
        row(.landuse, .polygon, "leisure", ["stadium", "pitch", "playground", "track"], from: 13),
        row(.landuse, .polygon, "tourism", ["theme_park", "zoo"], from: 12),
        row(.landuse, .polygon, "amenity", ["parking"], from: 15),

        row(.park, .polygon, "boundary", ["national_park"], from: 12),
        row(.park, .polygon, "leisure", ["nature_reserve"], from: 12),
        row(.park, .polygon, "boundary", ["protected_area"], from: 12),

        row(.water, .polygon, "natural", ["water"], as: "lake", from: 12),
        row(.water, .polygon, "waterway", ["riverbank"], as: "river", from: 12),
        row(.water, .polygon, "waterway", ["dock"], as: "dock", from: 12),
        row(.water, .polygon, "landuse", ["reservoir", "basin"], as: "lake", from: 12),
        row(.water, .polygon, "leisure", ["swimming_pool"], as: "swimming_pool", from: 14),
        row(.water, .polygon, "amenity", ["fountain"], as: "pond", from: 15),

        row(.waterway, .line, "waterway", ["river", "canal"], from: 12),
        row(.waterway, .line, "waterway", ["stream"], from: 13),
        row(.waterway, .line, "waterway", ["drain", "ditch"], from: 14),

        row(.building, .polygon, "building", from: 13),
        row(.building, .polygon, "building:part", from: 14),
    ]

    // MARK: Streets

    private static let streets: [Row] = [
        road(["motorway"], from: 12), road(["motorway_link"], as: "motorway", from: 12, ramp: true),
        road(["trunk"], from: 12), road(["trunk_link"], as: "trunk", from: 12, ramp: true),
        road(["primary"], from: 12), road(["primary_link"], as: "primary", from: 12, ramp: true),
        road(["secondary"], from: 12), road(["secondary_link"], as: "secondary", from: 12, ramp: true),
        road(["tertiary"], from: 12), road(["tertiary_link"], as: "tertiary", from: 12, ramp: true),
        road(["residential", "unclassified", "living_street", "road"], as: "minor", from: 13),
        road(["busway", "bus_guideway"], as: "busway", from: 13),
        road(["raceway"], from: 13),
        road(["track"], from: 14),
        road(["service"], from: 15, and: ("service", ["parking_aisle", "driveway", "drive-through"])),
        road(["service"], from: 14),
        road(
            ["footway", "path", "cycleway"], as: "path", from: 16, and: ("footway", ["sidewalk", "crossing", "link"]),
            subclass: true),
        row(
            .transportation, [.line, .polygon], "highway", ["pedestrian"], as: "path", from: 13, isArea: false,
            subclass: true),
        row(
            .transportation, [.line, .polygon], "highway", ["footway", "path", "cycleway", "bridleway", "steps"],
            as: "path",
            from: 14, isArea: false, subclass: true),
        row(
            .transportation, [.line, .polygon], "highway", ["corridor", "platform"], as: "path", from: 16,
            isArea: false,
            subclass: true),
        row(.transportation, [.line, .polygon], "railway", ["platform"], as: "path", from: 15, subclass: true),
        row(
            .transportation, [.line, .polygon], "public_transport", ["platform"], as: "path", from: 15, subclass: true),

        railway(["rail", "narrow_gauge", "preserved", "funicular"], as: "rail", from: 14, and: ("service", [])),
        railway(["rail", "narrow_gauge", "preserved", "funicular"], as: "rail", from: 12),
        railway(["subway", "light_rail", "monorail", "tram"], as: "transit", from: 15, and: ("service", [])),
        railway(["light_rail", "monorail"], as: "transit", from: 12),
        railway(["subway", "tram"], as: "transit", from: 13),
        row(
            .transportation, .line, "aerialway", ["cable_car", "gondola", "mixed_lift", "chair_lift"], as: "aerialway",
            from: 12, subclass: true),
        row(.transportation, .line, "route", ["ferry"], as: "ferry", from: 12),
        row(.transportation, [.line, .polygon], "man_made", ["pier"], as: "pier", from: 13),
        row(.transportation, .polygon, "man_made", ["bridge"], as: "bridge", from: 13),

        name(["motorway", "trunk", "primary", "secondary"], from: 12),
        name(["tertiary"], from: 13),
        name(["residential", "unclassified", "living_street", "road"], as: "minor", from: 14),
        name(["pedestrian"], as: "path", from: 14),
        name(["service", "track"], from: 15),
        name(["footway", "path", "cycleway", "bridleway", "steps"], as: "path", from: 15),
        row(.transportationName, .line, "route", ["ferry"], as: "ferry", from: 13, and: ("name", [])),
    ]

    private static func road(
        _ values: [String], as name: String? = nil, from zoom: Int, and: (String, [String])? = nil,
        subclass: Bool = false, ramp: Bool = false
    ) -> Row {
        row(
            .transportation, [.line, .polygon], "highway", values, as: name, from: zoom, and: and, isArea: false,
            subclass: subclass,
            ramp: ramp)
    }

    private static func railway(
        _ values: [String], as name: String, from zoom: Int, and: (String, [String])? = nil
    ) -> Row {
        row(.transportation, .line, "railway", values, as: name, from: zoom, and: and, isArea: false, subclass: true)
    }

    private static func name(_ values: [String], as name: String? = nil, from zoom: Int) -> Row {
        row(.transportationName, .line, "highway", values, as: name, from: zoom, isArea: false)
    }

    // MARK: Places

    private static let places: [Row] = [
        row(.place, [.point, .polygon], "place", ["city", "town"], from: 12, and: ("name", [])),
        row(.place, [.point, .polygon], "place", ["village", "suburb", "island"], from: 12, and: ("name", [])),
        row(.place, [.point, .polygon], "place", ["hamlet", "quarter"], from: 13, and: ("name", [])),
        row(
            .place, [.point, .polygon], "place", ["neighbourhood", "isolated_dwelling", "islet"], from: 14,
            and: ("name", [])),
        row(.place, [.point, .polygon], "place", ["square"], from: 15, and: ("name", [])),
        row(
            .place, .polygon, "highway", ["pedestrian", "residential", "living_street", "service"], as: "square",
            from: 15, and: ("name", []), isArea: false),

        row(.waterName, .polygon, "natural", ["water"], as: "lake", from: 12, and: ("name", [])),
        row(.waterName, .polygon, "landuse", ["reservoir", "basin"], as: "lake", from: 13, and: ("name", [])),
        row(.waterName, [.point, .polygon], "natural", ["bay"], from: 12, and: ("name", [])),
        row(.waterName, [.point, .polygon], "natural", ["strait"], as: "bay", from: 12, and: ("name", [])),
        row(.waterName, .point, "place", ["sea", "ocean"], from: 12, and: ("name", [])),
    ]

    // MARK: Points of interest

    private static let pointsOfInterest: [Row] = [
        poi("railway", ["station"], as: "railway", from: 12),
        poi("railway", ["halt"], as: "railway", from: 13),
        poi("amenity", ["ferry_terminal"], as: "ferry_terminal", from: 13),
        poi("historic", ["castle", "fort"], as: "castle", from: 13),
        poi("tourism", ["museum", "aquarium"], as: "museum", from: 14),
        poi("tourism", ["attraction", "viewpoint"], as: "attraction", from: 14),
        poi("tourism", ["zoo", "theme_park"], from: 14),
        poi("leisure", ["park"], as: "park", from: 14, and: ("name", [])),
        poi("leisure", ["stadium"], from: 14),
        poi("leisure", ["marina"], as: "harbor", from: 14),
        poi("amenity", ["townhall", "courthouse"], as: "town_hall", from: 14),
        poi("amenity", ["university", "college"], as: "college", from: 14),
        poi("amenity", ["hospital"], from: 14),
        poi("amenity", ["place_of_worship", "monastery"], as: "place_of_worship", from: 14),
        poi("historic", ["monastery"], as: "place_of_worship", from: 14),
        poi("amenity", ["bus_station"], as: "bus", from: 14),
        poi("landuse", ["cemetery"], as: "cemetery", from: 14),
        poi("amenity", ["grave_yard"], as: "cemetery", from: 14),
        poi("man_made", ["lighthouse", "windmill"], from: 14),

        poi("historic", ["monument", "city_gate", "tower"], as: "monument", from: 15),
        poi("historic", ["ruins", "archaeological_site"], from: 15),
        poi("natural", ["cave_entrance"], from: 15),
        poi("tourism", ["gallery"], as: "art_gallery", from: 15),
        poi("amenity", ["arts_centre"], as: "art_gallery", from: 15),
        poi("amenity", ["theatre", "cinema", "library"], from: 15),
        poi(
            "tourism", ["hotel", "hostel", "motel", "guest_house", "chalet", "apartment", "alpine_hut"], as: "lodging",
            from: 15),
        poi("tourism", ["camp_site", "caravan_site"], as: "campsite", from: 15),
        poi("amenity", ["school"], from: 15),
        poi("amenity", ["police", "fire_station"], from: 15),
        poi("amenity", ["post_office"], as: "post", from: 15),
        poi("amenity", ["fuel"], from: 15),
        poi("amenity", ["parking"], from: 15, and: ("name", [])),
        poi("amenity", ["marketplace"], as: "shop", from: 15),
        poi("shop", ["supermarket", "convenience", "greengrocer"], as: "grocery", from: 15),
        poi("shop", ["mall", "department_store"], as: "shop", from: 15),
        poi("leisure", ["garden"], as: "park", from: 15, and: ("name", [])),
        poi("leisure", ["sports_centre", "swimming_area", "water_park"], from: 15),
        poi("railway", ["tram_stop"], as: "railway", from: 15),
        poi("aerialway", ["station"], as: "aerialway", from: 15),

        poi("railway", ["subway_entrance"], as: "entrance", from: 16),
        poi("highway", ["bus_stop"], as: "bus", from: 16),
        poi("historic", ["memorial", "wayside_cross", "wayside_shrine"], as: "monument", from: 16),
        poi("tourism", ["artwork"], as: "attraction", from: 16),
        poi("tourism", ["information"], from: 16),
        poi("tourism", ["picnic_site"], from: 16),
        poi("amenity", ["restaurant", "cafe", "fast_food", "bar", "ice_cream"], from: 16),
        poi("amenity", ["food_court"], as: "restaurant", from: 16),
        poi("amenity", ["pub", "biergarten"], as: "beer", from: 16),
        poi("amenity", ["nightclub"], as: "bar", from: 16),
        poi("amenity", ["bank", "pharmacy", "toilets", "kindergarten", "fountain"], from: 16),
        poi("amenity", ["doctors", "clinic", "dentist"], as: "doctors", from: 16),
        poi("amenity", ["community_centre", "drinking_water", "car_rental"], from: 16),
        poi("leisure", ["playground"], from: 16),
        poi("shop", ["bakery", "butcher", "books", "chemist", "florist", "gift", "hairdresser"], from: 16),
        poi("office", ["diplomatic"], from: 16),

        poi("shop", [], as: "shop", from: 17),
        poi("amenity", ["atm", "bench", "bicycle_parking", "bicycle_rental", "charging_station"], from: 17),
        poi("amenity", ["parking", "recycling", "shelter", "taxi", "post_box", "telephone"], from: 17),
        poi("natural", ["spring"], from: 17),
    ]

    private static func poi(
        _ key: String, _ values: [String], as name: String? = nil, from zoom: Int, and: (String, [String])? = nil
    ) -> Row {
        row(.poi, [.point, .polygon], key, values, as: name, from: zoom, and: and, subclass: true)
    }

    /// The ways that the sea is assembled from.
    static let coastline = (key: "natural", value: "coastline")

    /// Tags that give attributes.
    private static let keptKeys = [
        "access", "area", "brand", "bridge", "building:levels", "building:min_level", "covered", "footway", "ford",
        "height",
        "indoor", "intermittent", "junction", "layer", "level", "location", "min_height", "name", "oneway", "operator",
        "population", "ref", "religion", "salt", "service", "tunnel", "water",
    ]

    // MARK: Selection

    /// What COSM reads: objects with a tag, or the tag itself if there are no kinds. A nil value stands for all others.
    package struct Selection: Sendable {
        package var key: String
        package var value: String?
        package var kinds: Kinds

        package init(key: String, value: String?, kinds: Kinds) {
            (self.key, self.value, self.kinds) = (key, value, kinds)
        }
    }

    /// Returns the selections of all rows, and of names in some languages.
    static func selections(languages: [String]) -> [Selection] {
        var selections: [Selection] = [Selection(key: coastline.key, value: coastline.value, kinds: .line)]
        for row in rows {
            if row.values.isEmpty {
                selections.append(Selection(key: row.key, value: nil, kinds: row.kinds))
            } else {
                selections += row.values.map { Selection(key: row.key, value: $0, kinds: row.kinds) }
            }
        }
        // A value that a row names keeps the kinds of rows for all values.
        for row in rows where row.values.isEmpty {
            for index in selections.indices where selections[index].key == row.key && selections[index].value != nil {
                selections[index].kinds.formUnion(row.kinds)
            }
        }
        let kept = keptKeys + languages.map { "name:\($0)" }
        return selections + kept.map { Selection(key: $0, value: nil, kinds: []) }
    }
}
