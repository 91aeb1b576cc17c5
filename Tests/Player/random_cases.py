"""Random stories, and random inputs of a player who walks through them: one case for each seed.

Nothing here knows how an engine decides. A story is made in both forms: the document that `wayreel play` reads, and the
JSON that the player's page gets from the service.
"""
import datetime, math, random, unicodedata

UTC = datetime.timezone.utc
RADIUS = 6_371_008.8

#: Zones whose rules have long been the same in all editions of the time zone database, also with odd offsets and changes.
ZONES = ["Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "America/St_Johns", "Asia/Tokyo", "Asia/Kathmandu",
         "Asia/Kolkata", "Australia/Lord_Howe", "Australia/Adelaide", "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Apia", "Africa/Nairobi", "UTC"]
#: Times near which clocks are changed in some of them, and other special ones.
MOMENTS = ["2026-03-08T09:50:00", "2026-03-08T06:40:00", "2026-03-29T00:40:00", "2026-10-25T00:30:00", "2026-11-01T05:30:00", "2026-11-01T08:30:00",
           "2026-04-04T14:30:00", "2026-10-03T15:00:00", "2026-04-04T13:30:00", "2026-09-26T13:40:00", "2027-12-31T23:40:00", "2028-02-29T11:00:00",
           "2011-12-30T09:30:00", "1999-12-31T23:30:00", "1970-01-01T00:10:00", "1969-12-31T23:00:00"]
CODES = "23456789ACDEFGHJKMNPQRTVWXY"
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

WORDS = ["1905", "In 1905", "Señora", "Gloria", "Straße", "Ὀδυσσεύς", "İstanbul", "שָׁלוֹם", "مُحَمَّد", "?", "a-b", "don't", "Ⅳ", "x²", "Äpfel & Birnen", "ﬁn", "Ёлка",
         "日本", "ガラス", "^_^", "№5", "👍 ok", "½", "हिंदी", "3,50 €", "K", "Å", "ĳ", "Ǆ", "한글", "ﷺ", "ß", "ẞ", "ΣΑΣ", "ﾊﾟﾝ", "e\u0301", "ｄｏｌｌ", "a\u200bb", "ŉ", "…"]
#: Blocks from which letters of random answers are taken, as far as Unicode 13 has them.
BLOCKS = [(0x20, 0x7E), (0xA0, 0x17F), (0x180, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x45F), (0x5D0, 0x5F4), (0x620, 0x65F), (0x900, 0x97F),
          (0x1E00, 0x1EFF), (0x1F00, 0x1FFE), (0x2000, 0x206F), (0x2070, 0x209C), (0x2100, 0x218B), (0x2460, 0x24FF), (0x3041, 0x30FF), (0xFB00, 0xFB4F),
          (0xFF01, 0xFFEE), (0x1F600, 0x1F64F), (0x1D400, 0x1D4FF), (0x1100, 0x11FF), (0xAC00, 0xAC40)]

#: Letters and marks that normal forms, case and what is left out treat in a special way.
AWKWARD = list("ßẞςσΣİıiIſKÅŉǰΐﬁĳ") + ["\u0301", "\u0308", "\u0327", "\u0345", "\u05bc", "\u064b", "\u093c", "\u094d", "\u093f", "\u3099", "\uff9e", "\u200b", "\u200d",
                                           "\u00ad", "\u0f71", "\u0f72", "\u1100", "\u1161", "\u11a8", "\u212b", "\u2126", "\u1fb3", "\u03b1\u0345", "\ufe0f", "\u20e3", "\u0130\u0307"]


def moved(place, east, north):
    """The point at an offset in metres on a sphere, also over a pole and over the antimeridian."""
    distance, azimuth = math.hypot(east, north) / RADIUS, math.atan2(east, north)
    latitude, longitude = map(math.radians, place)
    sine = math.sin(latitude) * math.cos(distance) + math.cos(latitude) * math.sin(distance) * math.cos(azimuth)
    turn = math.atan2(math.sin(azimuth) * math.sin(distance) * math.cos(latitude), math.cos(distance) - math.sin(latitude) * sine)
    degrees = math.degrees(longitude + turn)
    while degrees > 180: degrees -= 360
    while degrees < -180: degrees += 360
    return math.degrees(math.asin(max(-1, min(1, sine)))), degrees


def reached(place, distance, azimuth):
    """The point at a distance and in a direction, on the ellipsoid: Vincenty 1975, "Direct and inverse solutions of geodesics"."""
    a, f = 6_378_137, 1 / 298.257223563
    b = a * (1 - f)
    reduced = math.atan((1 - f) * math.tan(math.radians(place[0])))
    sine, cosine = math.sin(azimuth), math.cos(azimuth)
    start = math.atan2(math.tan(reduced), cosine)
    alpha = math.cos(reduced) * sine
    u = (1 - alpha * alpha) * (a * a - b * b) / (b * b)
    big_a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
    big_b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
    arc = distance / (b * big_a)
    for _ in range(10):
        middle = math.cos(2 * start + arc)
        change = big_b * math.sin(arc) * (middle + big_b / 4 * (math.cos(arc) * (2 * middle * middle - 1)
                                          - big_b / 6 * middle * (4 * math.sin(arc) ** 2 - 3) * (4 * middle * middle - 3)))
        arc = distance / (b * big_a) + change
    middle = math.cos(2 * start + arc)
    up = math.sin(reduced) * math.cos(arc) + math.cos(reduced) * math.sin(arc) * cosine
    across = (1 - f) * math.hypot(alpha, math.sin(reduced) * math.sin(arc) - math.cos(reduced) * math.cos(arc) * cosine)
    turn = math.atan2(math.sin(arc) * sine, math.cos(reduced) * math.cos(arc) - math.sin(reduced) * math.sin(arc) * cosine)
    c = f / 16 * (1 - alpha * alpha) * (4 + f * (4 - 3 * (1 - alpha * alpha)))
    turn -= (1 - c) * f * alpha * (arc + c * math.sin(arc) * (middle + c * math.cos(arc) * (2 * middle * middle - 1)))
    return math.degrees(math.atan2(up, across)), (place[1] + math.degrees(turn) + 540) % 360 - 180


class Case:
    """A story and inputs. `parts` are chapters, as plain values, from which both forms are written."""

    def __init__(self, seed):
        self.seed = seed
        self.dice = dice = random.Random(seed)
        #: Most cases are walks. Some only ask many riddles, some only stay where many windows open and close, and some only visit edges.
        self.kind = dice.choices(["walk", "riddles", "hours", "edges"], [84, 6, 6, 4])[0]
        self.origin = self.some_origin()
        #: Metres within which events are.
        self.spread = dice.choice([60, 150, 300, 300, 1500, 1500, 30_000])
        self.time = self.some_time()
        match self.kind:
            case "riddles": self.make_riddles()
            case "hours": self.make_hours()
            case "edges": self.make_edges()
            case _:
                self.chapters = self.some_chapters()
                self.inputs = self.some_inputs()
        #: The number of inputs after which the player closes the story, to go on later with the journal.
        self.pause = dice.randrange(1, len(self.inputs)) if dice.random() < 0.1 else None

    # The story

    def some_origin(self):
        dice = self.dice
        match dice.randrange(10):
            case 0: return dice.uniform(-60, 60), dice.choice([180.0, -180.0, 179.9999, -179.9995, 179.99])
            case 1: return dice.choice([90.0, -90.0, 89.9995, -89.998, 89.97, 89.9]), dice.uniform(-180, 180)
            case 2: return dice.uniform(-0.001, 0.001), dice.choice([0.0, 0.0004, -0.0004, 180.0])
            case 3: return dice.choice([80.0, -80.0, 79.999, 80.001, -79.998]), dice.uniform(-180, 180)
            case 4: return dice.choice([-1, 1]) * dice.uniform(80, 89.9), dice.choice([180.0, dice.uniform(-180, 180)])
            case _: return dice.uniform(-75, 75), dice.uniform(-180, 180)

    def some_time(self):
        dice = self.dice
        match dice.randrange(4):
            case 0: start = datetime.datetime.fromisoformat(dice.choice(MOMENTS))
            case 1: start = datetime.datetime(2026, 11, 23) + datetime.timedelta(minutes=dice.randrange(0, 1440, 15))
            case _: start = datetime.datetime(dice.randrange(1985, 2036), 1, 1) + datetime.timedelta(minutes=dice.randrange(0, 525_600))
        return start.replace(tzinfo=UTC) + datetime.timedelta(milliseconds=dice.choice([0, 0, 7, 500, 999]))

    def some_place(self, spread=None):
        """A point near the origin, rounded as by an editor or a receiver."""
        spread = spread or self.spread
        east, north = self.dice.uniform(-spread, spread), self.dice.uniform(-spread, spread)
        if self.dice.random() < 0.05: east = north = 0
        return self.rounded(moved(self.origin, east, north))

    def rounded(self, place, digits=None):
        digits = digits or self.dice.choice([5, 6, 7, 9])
        return {"latitude": round(place[0], digits), "longitude": round(place[1], digits)}

    def some_window(self):
        dice = self.dice
        window = {"zone": dice.choice(ZONES)}
        # Often near the time of the walk, so that it matters.
        near = (self.time.hour * 60 + self.time.minute + dice.randrange(-240, 240)) % 1440
        if dice.random() < 0.85: window["from"] = dice.choice([near, near // 30 * 30, dice.randrange(1440), 0])
        if dice.random() < 0.85: window["until"] = dice.choice([(window.get("from", 0) + dice.choice([5, 30, 60, 480, 0])) % 1440, dice.randrange(1440), 1440])
        if dice.random() < 0.3: window["days"] = sorted(dice.sample(DAYS, dice.randrange(1, 4)), key=DAYS.index)
        today = self.time.date()
        if dice.random() < 0.15: window["first"] = str(today + datetime.timedelta(days=dice.randrange(-2, 3)))
        if dice.random() < 0.15: window["last"] = str(today + datetime.timedelta(days=dice.randrange(-1, 3)))
        if window.get("first", "") > window.get("last", "9"): del window["last"]
        return window

    def some_condition(self, number, depth=2, isNegated=False):
        """A condition of an event. Documents may not have events that wait for each other, so that it asks for earlier ones."""
        dice = self.dice
        kinds = ["during"] + (["found"] * 3 if number or isNegated else []) + (["opened"] * 2 if self.boxes else []) + (["not", "all", "any"] if depth else [])
        kind = dice.choice(kinds)
        match kind:
            case "found": return {kind: self.ids[dice.randrange(len(self.ids) if isNegated else number)]}
            case "opened": return {kind: dice.choice(self.boxes)["id"]}
            case "during": return {kind: self.some_window()}
            case "not": return {kind: self.some_condition(number, depth - 1, not isNegated)}
            case _: return {kind: [self.some_condition(number, depth - 1, isNegated) for _ in range(dice.randrange(1, 4))]}

    def some_content(self):
        dice = self.dice
        match dice.randrange(8):
            case 0:
                def question():
                    count = dice.randrange(2, 5)
                    correct = dice.sample(range(count), dice.randrange(1, count + 1))
                    return {"text": "Which?", "points": dice.randrange(5), "choices": [{"text": f"choice {i}", "correct": i in correct} for i in range(count)]}
                return {"quiz": [question() for _ in range(dice.randrange(1, 4))]}
            case 1: return {"camera": "sample.jpg" if dice.random() < 0.5 else None}
            case 2: return {"radio": [f"radio-{i}.mp3" for i in range(dice.randrange(1, 3))]}
            case 3: return {"goggles": ["pin.png", "other.png"][:dice.randrange(1, 3)]}
            case 4: return {"scrapbook": [dice.choice([("text", "Words"), ("image", "a.jpg"), ("video", "b.mp4")]) for _ in range(dice.randrange(1, 4))]}
            case 5: return {"exhibit": "bell"}
            case _: return {"scrapbook": [("text", "Words")]}

    def some_event(self, number):
        dice = self.dice
        trigger = dice.choice(["enter", "enter", "enter", "dwell", "exit", "code"])
        radius = round(dice.uniform(4, 60), dice.choice([0, 1]))
        if self.spread > 1000 or dice.random() < 0.05: radius = dice.choice([20, 150, 600, 900, 1500, 1990, 2500, 20_000])
        position = self.some_place()
        if number and dice.random() < 0.15: position = dict(self.made[-1]["position"])
        if dice.random() < 0.1: position["altitude"] = dice.choice([0, 12.5, -3, 4810])
        event = {"id": self.ids[number], "position": position, "radius": radius, "trigger": trigger, "content": self.some_content()}
        if trigger == "dwell": event["seconds"] = dice.choice([1, 5, 20, 45, 60, 300, 1200])
        if trigger == "code": event["code"] = "".join(CODES[number // len(CODES) ** place % len(CODES)] for place in range(3)) + dice.choice(CODES)
        if dice.random() < 0.4: event["condition"] = self.some_condition(number)
        if dice.random() < 0.25: event["window"] = self.some_window()
        return event

    def some_chapters(self):
        dice = self.dice
        count = dice.choice([1, 1, 2, 3])
        sizes = [dice.choice([0, 1, 2, 4, 8]) for _ in range(count)]
        self.ids = [f"e{i}" for i in range(sum(sizes) or 1)]
        if not sum(sizes): sizes[0] = 1
        if dice.random() < 0.05: self.ids[0] = dice.choice(["constructor", "toString", "hasOwnProperty"])
        boxes = [[self.some_lockbox(f"b{chapter}-{i}") for i in range(dice.choice([0, 0, 1, 1, 2, 3]))] for chapter in range(count)]
        self.boxes = [box for boxes in boxes for box in boxes]
        self.made = []
        chapters = []
        for number, size in enumerate(sizes):
            order = dice.choice(["free", "free", "sequence"])
            events = []
            for _ in range(size):
                self.made.append(self.some_event(len(self.made)))
                events.append(self.made[-1])
            chapters.append({"id": f"c{number}", "order": order, "lockboxes": boxes[number], "events": events})
        return chapters

    def some_lockbox(self, name):
        dice = self.dice
        answers = [dice.choice(WORDS) if dice.random() < 0.8 else self.some_text() for _ in range(dice.choice([1, 1, 2, 3]))]
        return {"id": name, "question": "What?", "answers": answers, "hints": ["first", "second", "third"][:dice.randrange(4)]}

    # Riddles and hours

    def make_riddles(self):
        self.boxes = [self.some_lockbox(f"b{i}") | {"answers": [self.some_text() if self.dice.random() < 0.6 else self.dice.choice(WORDS)]} for i in range(12)]
        self.chapters = [{"id": "c0", "order": "free", "lockboxes": self.boxes, "events": []}]
        self.inputs = []
        for box in self.boxes:
            for _ in range(self.dice.randrange(1, 5)):
                self.put("answer", lockbox=box["id"], text=self.variant(box["answers"][0]))
            self.put("answer", lockbox=box["id"], text=box["answers"][0])

    def make_hours(self):
        """A player who stays for days where events have nothing but windows."""
        dice = self.dice
        if dice.random() < 0.2: self.time = self.time.replace(year=dice.randrange(1930, 2100), day=min(self.time.day, 28))
        self.boxes, self.ids = [], [f"e{i}" for i in range(10)]
        here = self.rounded(self.origin)
        self.made = [{"id": name, "position": here, "radius": 30, "trigger": "enter", "content": {"scrapbook": [("text", "Words")]}} for name in self.ids]
        for event in self.made: event |= {"window": self.some_window()} if dice.random() < 0.7 else {"condition": {"not": {"during": self.some_window()}}}
        self.chapters = [{"id": "c0", "order": "free", "lockboxes": [], "events": self.made}]
        self.inputs = []
        for _ in range(4):
            self.pass_time(1)
            self.fix((here["latitude"], here["longitude"]))
        step = dice.choice([60, 287, 893, 1800, 3600])
        for _ in range(120):
            self.pass_time(step * dice.choice([1, 1, 1, 0.5]))
            # Times that are whole minutes are those at which windows open and close.
            if dice.random() < 0.5: self.time = self.time.replace(second=0, microsecond=0)
            if step < 600 and dice.random() < 0.5: self.put("clock")
            elif dice.random() < 0.2:
                # A clock that was set back for one input.
                now = self.time
                self.pass_time(-dice.choice([1, 300, 893]))
                self.put("clock")
                self.time = now
            else: self.fix((here["latitude"], here["longitude"]))

    def make_edges(self):
        """Large circles far from the equator, and fixes at their edges, where distances on a plane are wrong by metres."""
        dice = self.dice
        self.origin, self.spread = (dice.choice([-1, 1]) * dice.uniform(60, 80.01), dice.choice([180.0, dice.uniform(-180, 180)])), 1500
        self.boxes, self.ids = [], [f"e{i}" for i in range(5)]
        self.made = [{"id": name, "position": self.some_place(), "radius": dice.choice([300, 800, 1500, 1790, 1990]), "trigger": "dwell", "seconds": 86_400,
                      "content": {"scrapbook": [("text", "Words")]}} for name in self.ids]
        self.chapters = [{"id": "c0", "order": "free", "lockboxes": [], "events": self.made}]
        self.inputs = []
        for _ in range(40):
            self.pass_time(400)
            event = dice.choice(self.made)
            # That of entering, or that of leaving with the accuracy of 5 m.
            away = event["radius"] + dice.choice([0, max(20, event["radius"] / 10) + 5]) + dice.choice([-2, -0.3, -0.02, 0.02, 0.3, 2])
            place = reached((event["position"]["latitude"], event["position"]["longitude"]), away, dice.uniform(0, 2 * math.pi))
            for _ in range(2):
                self.fix(place, 5, digits=9)
                self.pass_time(5)

    # Answers

    def some_letter(self):
        if self.dice.random() < 0.25: return self.dice.choice(AWKWARD)
        while True:
            letter = chr(self.dice.randint(*self.dice.choice(BLOCKS)))
            if unicodedata.category(letter) not in ("Cn", "Co", "Cs", "Cc"): return letter

    def some_text(self):
        text = "".join(self.some_letter() for _ in range(self.dice.randrange(1, 7))).strip()
        return text or "x"

    def variant(self, text):
        """The same answer as another person may type it."""
        dice = self.dice
        for _ in range(dice.randrange(1, 4)):
            match dice.randrange(9):
                case 0: text = text.upper()
                case 1: text = text.lower()
                case 2: text = unicodedata.normalize(dice.choice(["NFC", "NFD", "NFKC", "NFKD"]), text)
                case 3: text = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
                case 4: text = dice.choice([" ", "\u00a0", "\t", "\u3000", "\u200b"]).join(text)
                case 5: text = text + dice.choice(["!", ".", "…", "?", "。", "”", "'", "\u0301", "\u0327", "\ufe0f", "ー", "ʼ", "´", "©", "々", "_"])
                case 6: text = dice.choice(["¿", "«", "(", "-", "–", "‘"]) + text
                case 7: text = text.title()
                case 8: text = text.casefold()
        return text

    def some_answer(self):
        dice = self.dice
        box = dice.choice(self.boxes) if self.boxes and dice.random() < 0.97 else {"id": "nothing", "answers": ["x"]}
        match dice.randrange(8):
            case 0: text = self.some_text()
            case 1: text = dice.choice(["", " ", "!", "x" * 4001, "é" * 2000, "a\u0000b", dice.choice(WORDS)])
            case 2: text = dice.choice(WORDS)
            case 3 | 4: text = self.variant(dice.choice(box["answers"]))
            case _: text = dice.choice(box["answers"])
        self.put("answer", lockbox=box["id"], text=text)

    def some_quiz(self):
        dice = self.dice
        event = dice.choice(self.quizzes) if self.quizzes and dice.random() < 0.95 else dice.choice(self.made)
        questions = event["content"].get("quiz", [{"choices": [0, 0]}])
        number = dice.randrange(len(questions))
        count = len(questions[number]["choices"])
        choices = dice.sample(range(count), dice.randrange(1, count + 1))
        if dice.random() < 0.5: choices = [i for i, choice in enumerate(questions[number]["choices"]) if choice and choice["correct"]] or choices
        if dice.random() < 0.1: choices = dice.choice([[], [count], [-1], choices * 2, choices + choices[:1]])
        if dice.random() < 0.05: number = dice.choice([-1, len(questions)])
        self.put("quiz", event=event["id"] if dice.random() < 0.97 else "none", question=number, choices=choices)

    def some_code(self):
        """The code of an event in one of the ways in which players type it, or another text."""
        dice = self.dice
        codes = [event["code"] for event in self.made if "code" in event]
        text = dice.choice(codes) if codes and dice.random() < 0.85 else "".join(dice.choice(CODES) for _ in range(4))
        match dice.randrange(8):
            case 0: text = text.lower()
            case 1: text = dice.choice([" ", "-", "\u00a0"]).join(text)
            case 2: text = text.translate(str.maketrans("852V", "BSZU"))
            case 3: text = dice.choice(["", self.some_text(), text + "2", text[:3], "x" * 4001, "a\u0000b", "ſ" + text[1:], text + "\u0301"])
        self.put("code", text=text)

    def some_capture(self):
        dice = self.dice
        event = dice.choice(self.cameras) if self.cameras and dice.random() < 0.9 else dice.choice(self.made)
        values = {"event": event["id"] if dice.random() < 0.97 else "none", "id": dice.choice(["a", "b", "c3", "é", "", "x" * 4001] if dice.random() < 0.2 else ["a", "b"])}
        if dice.random() < 0.5: values["file"] = dice.choice(["a.jpg", "captures/b.heic", ""])
        self.put("capture", **values)

    # The walk

    def time_text(self):
        """The time, in one of the ways in which RFC 3339 allows to write it."""
        dice = self.dice
        if dice.random() < 0.9:
            return self.time.isoformat(timespec="milliseconds").replace("+00:00", "Z").replace(".000Z", "Z")
        minutes = dice.choice([0, 60, -480, 345, -210, 765])
        local = (self.time + datetime.timedelta(minutes=minutes)).replace(tzinfo=None).isoformat(timespec="milliseconds")
        local += dice.choice(["", "4", "999", "00000001"])
        if dice.random() < 0.3: local = local.replace("T", dice.choice(["t", " "]))
        if not minutes: return local + dice.choice(["Z", "z", "+00:00", "-00:00"])
        return local + f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"

    def put(self, kind, **values):
        self.inputs.append({kind: {**values, "timestamp": self.time_text()}})

    def pass_time(self, seconds):
        self.time += datetime.timedelta(milliseconds=round(seconds * 1000))
        self.time = min(max(self.time, datetime.datetime(2, 1, 1, tzinfo=UTC)), datetime.datetime(9000, 1, 1, tzinfo=UTC))

    def fix(self, place, accuracy=5, digits=None, **values):
        dice = self.dice
        position = self.rounded(place, digits)
        if dice.random() < 0.1: position["altitude"] = round(dice.uniform(-10, 500), 1)
        if accuracy is not None: values["accuracy"] = accuracy
        if dice.random() < 0.05: values["course"] = dice.choice([0, 359.9, -90, 720])
        self.put("fix", position=position, **values)

    def faulty_fix(self):
        good = {"position": self.rounded(self.origin)}
        bad = self.dice.choice([{"position": {"latitude": 90.0001, "longitude": 0}}, {"position": {"latitude": 0, "longitude": -180.5}}, {"accuracy": -1},
                                {"speed": -0.1}, {"position": {"latitude": -90, "longitude": 180}}, {"accuracy": 0}, {"speed": 0}, {"accuracy": 1e308}])
        self.put("fix", **{**good, **bad})

    def some_inputs(self):
        dice = self.dice
        self.inputs = []
        self.quizzes = [event for event in self.made if "quiz" in event["content"]]
        self.cameras = [event for event in self.made if "camera" in event["content"]]
        accuracies = dice.choice([[5], [3, 8, 15], [5, 20, 40, None], [None], [5, 99, 100, 100.5, 500], [30, 60]])
        noise = dice.choice([0, 2, 4, 10, 30])
        interval = dice.choice([[1], [1, 2, 5], [5], [5, 20, 60], [60, 110, 130], [0.25, 1.001]])
        limit = dice.choice([12, 40, 80, 120])
        east, north = dice.uniform(-self.spread, self.spread), dice.uniform(-self.spread, self.spread)
        here = moved(self.origin, east, north)
        while len(self.inputs) < limit:
            pace = dice.choice([1.4, 1.4, 1.4, 0.5, 3.9, 4.1, 8, 14.9, 15.1, 40, 120])
            speed = {"speed": round(pace * dice.uniform(0.5, 1.2), 2)} if dice.random() < 0.4 else {}
            target = dice.choice(self.made)
            match dice.randrange(7):
                case 0: goal = moved(self.origin, dice.uniform(-self.spread, self.spread), dice.uniform(-self.spread, self.spread))
                # Past the event, at its edge, or to it.
                case 1:
                    angle, away = dice.uniform(0, 2 * math.pi), target["radius"] * dice.choice([0.5, 0.9, 1.1, 2]) + dice.choice([0, 20, 50])
                    goal = moved((target["position"]["latitude"], target["position"]["longitude"]), away * math.sin(angle), away * math.cos(angle))
                # So near a distance at which something is decided that approximations are not enough.
                case 2:
                    radius = target["radius"]
                    leaving = radius + max(20, radius / 10) + dice.choice([5, 15, 30])
                    away = dice.choice([radius, radius, radius + 50, leaving]) + dice.choice([-2, -0.3, -0.02, 0.02, 0.3, 2])
                    goal = reached((target["position"]["latitude"], target["position"]["longitude"]), away, dice.uniform(0, 2 * math.pi))
                case 3: goal = here
                case _: goal = (target["position"]["latitude"], target["position"]["longitude"])
            if self.spread > 1000 and dice.random() < 0.8:
                # By car without fixes, and the last steps on foot.
                self.pass_time(self.spread / 10)
                here = moved(goal, dice.uniform(-20, 20), dice.uniform(-20, 20))
            self.go(here, goal, pace, speed, accuracies, noise, interval)
            here = goal
        return self.inputs[:limit]

    def go(self, start, goal, pace, speed, accuracies, noise, interval):
        """Fixes on the way, and some at its end; the way is straight on the ground as far as a sphere is."""
        dice = self.dice
        a, b = (self.vector(place) for place in (start, goal))
        angle = math.acos(max(-1, min(1, sum(x * y for x, y in zip(a, b)))))
        length = angle * RADIUS
        done, stay = 0.0, dice.choice([0, 1, 2, 3, 6])
        for _ in range(25):
            seconds = dice.choice(interval)
            self.pass_time(seconds)
            done = min(length, done + pace * seconds)
            share = done / length if length else 1
            if angle > 1e-9:
                weights = math.sin((1 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle)
                x, y, z = (weights[0] * p + weights[1] * q for p, q in zip(a, b))
                place = math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))
            else: place = goal
            if done >= length and dice.random() < 0.6: self.fix(goal, dice.choice(accuracies), digits=9, **speed)
            else: self.fix(moved(place, dice.gauss(0, noise), dice.gauss(0, noise)), dice.choice(accuracies), **speed)
            self.something_else(place)
            if done >= length:
                stay -= 1
                if stay < 0: break

    def vector(self, place):
        latitude, longitude = map(math.radians, place)
        return math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)

    def something_else(self, place):
        """What happens between two fixes: nothing most of the time."""
        dice = self.dice
        if dice.random() < 0.15 and any("code" in event for event in self.made): return self.some_code()
        match dice.randrange(60):
            case 0 | 1 | 2 | 3 | 4: self.some_answer() if self.boxes else None
            case 5 | 6: self.some_quiz() if self.quizzes or dice.random() < 0.1 else None
            case 7: self.some_capture()
            case 8 | 9:
                self.pass_time(dice.choice([0, 1, 30, 600, 899, 901, 3600, 86_400]))
                self.put("clock")
            case 10:
                before = self.time
                self.pass_time(dice.choice([-5, -1000, 899.999, 900, 900.001]))
                self.put("clock")
                self.time = before
            case 11: self.put("lost")
            case 12: self.put("heading", degrees=dice.choice([0, 90.5, 359.99, -10]))
            case 13: self.faulty_fix()
            # A jump, once or for some fixes.
            case 14 | 15:
                there = moved(place, dice.choice([-1, 1]) * dice.choice([60, 150, 500, 5000, 1_000_000]), dice.uniform(-200, 200))
                for _ in range(dice.choice([1, 1, 2, 3, 4])):
                    self.pass_time(dice.choice([1, 5]))
                    self.fix(there, dice.choice([5, 40, None]))
            case 16: self.fix(place)                                     # At the same time again.
            case 17: self.pass_time(-dice.choice([0.001, 1, 5, 60, 7200]))  # The clock runs back.
            case 18: self.pass_time(dice.choice([119, 120, 120.001, 121, 600, 899, 900, 901, 7200, 86_400 * 30]))
            case 19: self.put("clock")


# The two forms

def clock(minutes): return f"{minutes // 60:02}:{minutes % 60:02}"


def document_window(window): return {**window, **{key: clock(window[key]) for key in ("from", "until") if key in window}}


def document_condition(condition):
    [[kind, value]] = condition.items()
    match kind:
        case "found": return {kind: {"event": value}}
        case "opened": return {kind: {"lockbox": value}}
        case "during": return {kind: document_window(value)}
        case "not": return {kind: document_condition(value)}
        case _: return {kind: [document_condition(part) for part in value]}


def document_content(content):
    [[kind, value]] = content.items()
    match kind:
        case "quiz": return {kind: {"questions": value}}
        case "camera": return {kind: {"clue": "Take it.", **({"sample": {"source": value}} if value else {})}}
        case "radio": return {kind: {"tracks": [{"source": source} for source in value]}}
        case "exhibit": return {kind: {"item": value}}
        case "goggles": return {kind: {"pins": [{"source": source, "latitude": 1, "longitude": 2, "size": 3} for source in value]}}
        case _: return {kind: [{part: body if part == "text" else {"source": body}} for part, body in value]}


def document_chapter(chapter):
    def event(part):
        made = {"id": part["id"], "name": "Event", "position": part["position"], "activation": {key: part[key] for key in ("radius", "trigger", "seconds", "code") if key in part}}
        if "window" in part: made["window"] = document_window(part["window"])
        if "condition" in part: made["condition"] = document_condition(part["condition"])
        return made | document_content(part["content"])
    return {"id": chapter["id"], "name": "Chapter", "order": chapter["order"], "lockboxes": chapter["lockboxes"], "events": [event(part) for part in chapter["events"]]}


def page_window(window):
    made = {"zone": window["zone"], "days": window.get("days", [])}
    made |= {key: {"minutes": window[key]} for key in ("from", "until") if key in window}
    return made | {long: window[short] for short, long in (("first", "firstDate"), ("last", "lastDate")) if short in window}


def page_condition(condition):
    [[kind, value]] = condition.items()
    match kind:
        case "found": return {"type": kind, "event": value}
        case "opened": return {"type": kind, "lockbox": value}
        case "during": return {"type": kind, **page_window(value)}
        case "not": return {"type": kind, "of": page_condition(value)}
        case _: return {"type": kind, "of": [page_condition(part) for part in value]}


def page_content(content):
    [[kind, value]] = content.items()
    match kind:
        case "quiz":
            questions = [{**question, "choices": [{"text": choice["text"], "isCorrect": choice["correct"]} for choice in question["choices"]]} for question in value]
            return {"type": kind, "questions": questions}
        case "camera": return {"type": kind, "clue": "Take it.", **({"sample": {"source": value}} if value else {})}
        case "exhibit": return {"type": kind, "item": value}
        case "radio": return {"type": kind, "tracks": [{"audio": {"source": source}} for source in value]}
        case "goggles":
            return {"type": kind, "pins": [{"image": {"source": source}, "position": {"latitude": 1, "longitude": 2}, "size": 3} for source in value]}
        case _: return {"type": kind, "items": [{"type": part, "text" if part == "text" else "source": body} for part, body in value]}


def page_chapter(chapter):
    def event(part):
        activation = {"radius": part["radius"], "trigger": part["trigger"]} | ({"dwellSeconds": part["seconds"]} if "seconds" in part else {})
        if "code" in part: activation["code"] = part["code"]
        made = {"id": part["id"], "name": "Event", "position": part["position"], "activation": activation, "content": page_content(part["content"])}
        if "window" in part: made["window"] = page_window(part["window"])
        if "condition" in part: made["condition"] = page_condition(part["condition"])
        return made
    return {"id": chapter["id"], "name": "Chapter", "order": chapter["order"], "presentation": "steps", "lockboxes": chapter["lockboxes"],
            "events": [event(part) for part in chapter["events"]]}
