"""The fuzz of both engines (fuzz_engines.py): cases repeat, and differences are found and reduced. `make fuzz-engines` plays them."""
import json

from fuzz_engines import difference, plain, reduced
from random_cases import Case, document_chapter, page_chapter
from stand_in import expect, run


def test_a_seed_repeats_its_case():
    for seed in range(40):
        case = plain(Case(seed))
        expect(case == plain(Case(seed)), seed)
        expect(json.dumps([document_chapter(chapter) for chapter in case["chapters"]]) != "" and case["inputs"], seed)
        expect([len(page_chapter(chapter)["events"]) for chapter in case["chapters"]] == [len(chapter["events"]) for chapter in case["chapters"]], seed)


def test_differences():
    found = {"outcome": "found", "event": "a", "position": {"latitude": 80, "longitude": 180}}
    near = {"outcome": "near", "event": "a", "distance": 10.0}
    def differ(one, other, refused=()): return difference({"outcomes": [one], "refused": []}, {"outcomes": [other], "refused": list(refused)})
    expect(differ(found, {**found, "position": {"latitude": 80.000000005, "longitude": -179.99999999}}) is None)
    expect(differ(found, {**found, "position": {"latitude": 80.0001, "longitude": 180}}).startswith("outcomes 0"))
    expect(differ(found, {**found, "position": {"latitude": 80, "longitude": 180, "altitude": 0}}).startswith("outcomes 0"))
    expect(differ(near, {**near, "distance": 10.01}) is None and differ(near, {**near, "distance": 10.02}))
    expect(differ(near, {**near, "event": "b"}) and differ(near, {**near, "hint": "x"}) and differ({"correct": True}, {"correct": 1}))
    expect(differ(near, near, [3]).startswith("refused") and difference({"fault": "x"}, {"outcomes": [], "refused": []}).startswith("faults"))


def test_a_case_is_reduced_to_what_differs():
    case = next(case for case in (plain(Case(seed)) for seed in range(1000)) if len(case["chapters"]) > 1 and sum("answer" in one for one in case["inputs"]) > 1
                and any(chapter["events"] for chapter in case["chapters"][1:]))
    def compare(case):
        """Stands in for engines that differ in an answer and the second chapter."""
        is_there = any(chapter["id"] == "c1" for chapter in case["chapters"]) and any("answer" in one for one in case["inputs"])
        return "outcome 0" if is_there else None
    small = reduced(case, compare)
    expect(len(small["inputs"]) == 1 and [chapter["id"] for chapter in small["chapters"]] == ["c1"], small)
    expect(len(small["chapters"][0]["events"]) + len(small["chapters"][0]["lockboxes"]) == 1, small)


if __name__ == "__main__":
    run(globals())
