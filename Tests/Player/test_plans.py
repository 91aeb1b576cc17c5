"""Floor plans: where marks stand on them, the list of floors, enlarging by buttons, keys and fingers, tours and items."""
import contextlib, math, struct, zlib

import pytest

import stand_in

PLACE = {"latitude": 48.41, "longitude": 15.6}
METRES_PER_DEGREE = 111_195.080_23
#: The plan is 400 × 300, of 0.1 m, and turned 30° to the right: of a pixel to the right and one downwards, metres east and north.
TURN = math.radians(30)
RIGHT, DOWN = (0.1 * math.cos(TURN), -0.1 * math.sin(TURN)), (-0.1 * math.sin(TURN), -0.1 * math.cos(TURN))
SIZE = (400, 300)
MAP, TOUR = "#/quiz-and-camera/map/all", "#/quiz-and-camera/tour/all"


def png(width, height, color):
    """A picture of one colour."""
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = (b"\0" + bytes(color) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def position(x, y):
    """The place of a point of the plan, whose upper left corner is at PLACE."""
    east, north = (RIGHT[axis] * x + DOWN[axis] * y for axis in (0, 1))
    return {"latitude": PLACE["latitude"] + north / METRES_PER_DEGREE,
            "longitude": PLACE["longitude"] + east / METRES_PER_DEGREE / math.cos(math.radians(PLACE["latitude"]))}


def floor(name):
    per = [METRES_PER_DEGREE * math.cos(math.radians(PLACE["latitude"])), METRES_PER_DEGREE]
    east, north = ([PLACE[key], RIGHT[axis] / per[axis], DOWN[axis] / per[axis]] for axis, key in enumerate(["longitude", "latitude"]))
    return {"version": 1, "id": name, "source": f"plans/{name}.svg", "width": SIZE[0], "height": SIZE[1], "east": east, "north": north}


class PlanBundle(stand_in.Bundle):
    """The stand-in's story in a house of two floors. An item of a collection stands on the upper one."""

    def __init__(self, order="free", floors=("ground", "upper")):
        super().__init__()
        colors = {"ground": (240, 235, 220), "upper": (225, 235, 245)}
        names = {"ground": "Ground floor", "upper": "Upper floor"}
        for name in floors: self.add(f"plans/{name}.svg", "image", "image/png", png(800, 600, colors[name]), width=800, height=600)
        self.floors = [floor(name) for name in floors]
        self.story["plans"] = [
            {"id": name, "level": level, "name": names[name], "image": {"source": f"plans/{name}.svg", "alt": f"Plan of the {names[name].lower()}"},
             "pins": [{"x": x, "y": y, **position(x, y)} for x, y in ((0, 0), (400, 300))]} for level, name in enumerate(floors)]
        [chapter] = self.story["chapters"]
        chapter |= {"floor": "ground", "order": order}
        # One by its position on the chapter's floor, one by an anchor, and one by the anchor of the item that it shows.
        quiz, camera, plain, distant = chapter["events"]
        quiz["position"] = position(100, 75)
        camera |= {"position": position(0, 0), "anchor": {"floor": floors[-1], "x": 300, "y": 150}}
        plain |= {"position": position(0, 0), "content": {"type": "exhibit", "item": "vase"}}
        distant["position"] = position(-4000, 0)
        vase = {"id": "vase", "name": "Vase", "text": "A vase.", "images": [], "anchor": {"floor": floors[-1], "x": 40, "y": 240}}
        self.story["sections"] = [{"id": "vases", "name": "Vases", "items": [vase]}]


@contextlib.contextmanager
def serving(bundle):
    with stand_in.serving() as server:
        server.bundle, server.has_player = bundle, True
        yield server


@pytest.fixture
def opened(launch):
    """Opens a page of a bundle: `opened(PlanBundle(), MAP, at=(100, 75))`."""
    with contextlib.ExitStack() as stack:
        faults = []

        def open_page(bundle, hash, at=None, size=(390, 664), **options):
            server = stack.enter_context(serving(bundle))
            where = {"geolocation": {**position(*at), "accuracy": 4}, "permissions": ["geolocation"]} if at else {}
            context = launch(*stand_in.ARGUMENTS).new_context(
                viewport=dict(zip(("width", "height"), size)), **{"locale": "en-US", "has_touch": True, "service_workers": "block", **where, **options})
            stack.callback(context.close)
            page = context.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(f"{server.address}{hash}")
            page.wait_for_selector(".plan-sheet img")
            page.wait_for_function("() => document.querySelector('.plan-sheet img').complete && document.querySelector('.plan-sheet').offsetWidth > 48")
            return page

        yield open_page
        assert faults == []


def marks(page):
    """The marks in view by their texts: the share of the plan's width and height at which their middle is."""
    return page.evaluate("""() => {
        const sheet = document.querySelector('.plan-sheet').getBoundingClientRect();
        return Object.fromEntries([...document.querySelectorAll('.plan-marks > li')].map(mark => {
            const { x, y, width, height } = mark.getBoundingClientRect();
            return [mark.querySelector('.spoken').textContent, [(x + width / 2 - sheet.x) / sheet.width, (y + height / 2 - sheet.y) / sheet.height]];
        }));
    }""")


def near(found, expected, tolerance=0.01):
    return all(abs(a - b) < tolerance for a, b in zip(found, expected, strict=True))


def choose(page, name):
    page.locator(".floors label", has_text=name).click()


def test_marks_stand_where_the_formula_says(opened):
    page = opened(PlanBundle(), MAP)
    assert page.locator(".exploration > canvas").count() == 0
    [(text, place)] = marks(page).items()
    assert text.startswith("Something is near") and near(place, (0.25, 0.25))
    choose(page, "Upper floor")
    # Of the item, and of the event with an anchor of its own. The event that is far away is on neither plan.
    assert sorted(round(x, 2) for x, _ in marks(page).values()) in ([0.1], [0.75], [0.1, 0.75])
    assert page.locator(".plan-marks > li").count() == 2
    places = page.evaluate("""() => [...document.querySelectorAll('.plan-marks > li')].map(({ style }) => [style.left, style.top])""")
    assert sorted(places) == [["10%", "80%"], ["75%", "50%"]]


def test_the_player_is_shown_where_the_device_is(opened):
    page = opened(PlanBundle(), MAP, at=(300, 225))
    page.wait_for_selector(".plan-player:not([hidden])")
    found = page.evaluate("() => ['left', 'top'].map(side => parseFloat(document.querySelector('.plan-player').style[side]))")
    assert near(found, (75, 75), 0.01)
    # 4 m about it: 80 of 400 points.
    assert near([page.evaluate("() => parseFloat(document.querySelector('.plan-accuracy').style.inlineSize)")], [20], 0.05)
    page.context.set_geolocation({**position(-500, 225), "accuracy": 4})
    page.wait_for_selector(".plan-player", state="hidden")


def test_a_floor_is_chosen_by_keys_and_named_to_screen_readers(opened):
    page = opened(PlanBundle(), MAP)
    group = page.get_by_role("group", name="Floors")
    # The highest is first, as in a lift.
    assert [radio.get_attribute("value") for radio in group.get_by_role("radio").all()] == ["upper", "ground"]
    assert group.get_by_role("radio", name="Ground floor").is_checked()
    group.get_by_role("radio", name="Ground floor").focus()
    page.keyboard.press("ArrowUp")
    assert group.get_by_role("radio", name="Upper floor").is_checked()
    assert page.get_by_role("img", name="Plan of the upper floor").count() == 1
    page.get_by_role("region", name="Floor plan of all").focus()
    before = page.locator(".plan-sheet").bounding_box()
    page.keyboard.press("+")
    page.keyboard.press("+")
    after = page.locator(".plan-sheet").bounding_box()
    assert near([after["width"] / before["width"]], [2.25], 0.01)
    scrolled = "() => document.querySelector('.plan-window').scrollLeft"
    left = page.evaluate(scrolled)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"left => ({scrolled})() > left", arg=left)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert near([page.locator(".plan-sheet").bounding_box()["width"]], [before["width"]], 1)


def test_buttons_and_the_wheel_enlarge_about_the_same_point(opened):
    page = opened(PlanBundle(), MAP)
    box = page.locator(".plan-sheet").bounding_box()
    page.get_by_role("button", name="Show less of the map").click()
    assert near([page.locator(".plan-sheet").bounding_box()["width"] / box["width"]], [1.5], 0.01)
    page.get_by_role("button", name="Show more of the map").click()
    box = page.locator(".plan-sheet").bounding_box()
    at = box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.5
    page.mouse.move(*at)
    for _ in range(4): page.mouse.wheel(0, -100)
    page.wait_for_function("width => document.querySelector('.plan-sheet').getBoundingClientRect().width > width * 5", arg=box["width"])
    after = page.locator(".plan-sheet").bounding_box()
    assert near([(at[0] - after["x"]) / after["width"], (at[1] - after["y"]) / after["height"]], (0.6, 0.5), 0.02)


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (1280, 800), (740, 360)])
def test_the_plan_is_in_what_is_free(opened, size):
    page = opened(PlanBundle(), MAP, size=size)
    page.wait_for_timeout(300)
    sheet, bar, panel, floors = (page.locator(name).bounding_box() for name in (".plan-sheet", ".top-bar", ".panel", ".floors"))
    assert sheet["width"] >= 100 and sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= size[0]
    assert sheet["y"] >= bar["y"] + bar["height"] - 1
    apart = lambda other: sheet["y"] + sheet["height"] <= other["y"] + 1 or sheet["x"] >= other["x"] + other["width"] - 1
    assert apart(panel) and apart(floors)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_tour_shows_where_its_stop_is(opened):
    page = opened(PlanBundle(order="sequence"), TOUR)
    figure = page.locator(".tour figure.plan-figure")
    assert figure.locator("figcaption").text_content() == "Ground floor" and near(marks(page)["quiz stands here: Ground floor"], (0.25, 0.25))
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector(".tour figcaption:has-text('Upper floor')")
    assert list(marks(page)) == ["camera stands here: Upper floor"] and near(marks(page)["camera stands here: Upper floor"], (0.75, 0.5))
    page.goto(page.url.replace("/tour/", "/map/"))
    page.wait_for_selector(".exploration .plan-sheet img")
    assert page.locator(".plan-mark[data-state=next]").count() == 1
    assert page.locator(".floors [data-next]").get_attribute("data-floor") == "ground"


def test_an_item_shows_where_it_stands(opened):
    page = opened(PlanBundle(), "#/quiz-and-camera/item/vase")
    assert page.locator("figure.plan-figure figcaption").text_content() == "Upper floor"
    assert near(marks(page)["Vase stands here: Upper floor"], (0.1, 0.8))


def test_the_chapter_shows_its_plan(opened):
    page = opened(PlanBundle(floors=["ground"]), "#/quiz-and-camera/chapter/all")
    assert page.locator("canvas.overview-map").count() == 0 and not page.locator(".floors").is_visible()


def test_without_sound_plans_there_is_the_map(launch):
    """A plan that a newer version writes, one whose picture is missing, and a chapter without floors."""
    newer, lost, plain = PlanBundle(), PlanBundle(), PlanBundle()
    for entry in newer.floors: entry["version"] = 2
    lost.media = [entry for entry in lost.media if not entry["source"].startswith("plans/")]
    [chapter] = plain.story["chapters"]
    plain.story.pop("sections")
    for part in [chapter, *chapter["events"]]: part.pop("floor", None), part.pop("anchor", None)
    chapter["events"][2]["content"] = {"type": "scrapbook", "items": [{"type": "text", "text": "T"}]}
    for bundle in (newer, lost, plain):
        with serving(bundle) as server:
            context = launch(*stand_in.ARGUMENTS).new_context(service_workers="block")
            page = context.new_page()
            page.goto(f"{server.address}{MAP}")
            page.wait_for_selector(".exploration > canvas.map")
            assert page.locator(".plan").count() == 0
            context.close()
