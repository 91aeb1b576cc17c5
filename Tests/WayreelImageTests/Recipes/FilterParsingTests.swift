import Testing
import WayreelCore
import WayreelImage

@Suite struct FilterParsingTests {
    @Test(arguments: [
        ("noir", Filter("noir")),
        ("CISepiaTone", Filter("CISepiaTone")),
        ("sepia-tone:", Filter("sepia-tone")),
        ("sepia-tone:intensity=0.8", Filter("sepia-tone", ["intensity": 0.8])),
        ("sepia-tone:intensity=0.8,radius=4%", Filter("sepia-tone", ["intensity": 0.8, "radius": "4%"])),
        (" bloom : radius = 12px , intensity=-1e-1 ", Filter("bloom", ["radius": "12px", "intensity": -0.1])),
        ("color-monochrome:color=#996633", Filter("color-monochrome", ["color": "#996633"])),
        ("color-monochrome:color=0.6/0.45/0.3", Filter("color-monochrome", ["color": [0.6, 0.45, 0.3]])),
        ("tone-curve:point0=0/0.1", Filter("tone-curve", ["point0": [0, 0.1]])),
        ("pixellate:center=50%/25%", Filter("pixellate", ["center": "50%,25%"])),
        ("color-cube:file=/looks/a.cube", Filter("color-cube", ["file": "/looks/a.cube"])),
        ("color-cube:file=looks/2024/a=b:c.cube", Filter("color-cube", ["file": "looks/2024/a=b:c.cube"])),
        (#"color-cube:file=a\,b\\c\d.cube"#, Filter("color-cube", ["file": #"a,b\c\d.cube"#])),
        ("x:a=nan,b=inf", Filter("x", ["a": "nan", "b": "inf"])),
    ])
    func parses(text: String, filter: Filter) throws {
        #expect(try Filter(parsing: text) == filter)
    }

    @Test(arguments: [
        ("", "filter: '' has no filter name; write name:key=value,…"),
        (":a=1", "filter: ':a=1' has no filter name; write name:key=value,…"),
        ("noir:0.5", "filter: noir: '0.5' is not key=value; write noir:key=value,…"),
        ("noir:a=1,", "filter: noir: '' is not key=value; an item is missing at a comma"),
        ("noir:=1", "filter: noir: '=1' is not key=value; write noir:key=value,…"),
        ("noir:a=", "filter: noir: 'a' has no value; write a=value"),
        ("noir:a=1,a=2", "filter: noir: 'a' is given twice; write noir:key=value,…"),
        ("noir:a=\u{0}", "filter: noir: an argument may not hold a NUL character; write noir:key=value,…"),
    ])
    func refuses(text: String, message: String) {
        let error = #expect(throws: MediaError.self) { try Filter(parsing: text) }
        #expect(error?.kind == .parameter)
        #expect(error?.description == message)
    }

    @Test(arguments: [
        Filter("noir"), Filter("bloom", ["radius": "4%", "intensity": 0.25]),
        Filter("tone-curve", ["point0": [0, 0.1], "point4": [1, 0.9]]),
        Filter("color-cube", ["file": #"a,b\c.cube"#]), Filter("color-cube", ["file": #"end\"#]),
    ])
    func readsWhatItWrites(filter: Filter) throws {
        #expect(try Filter(parsing: filter.description) == filter)
    }
}
