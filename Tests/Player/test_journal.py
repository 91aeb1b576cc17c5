"""Journals and captures in Chromium: stored, merged between devices and tabs, and sent when there is a network."""
from stand_in import JPEG, chromium, device, expect, opened, run, serving, wait_until

FOUND = "(event, time) => W.store.record('quiz-and-camera', [{ outcome: 'found', event, position: { latitude: 1, longitude: 2 }, timestamp: time }])"
JOURNAL = "async () => (await W.store.contents('quiz-and-camera')).document('quiz-and-camera')"


def find(page, event, time="2026-11-23T17:00:00Z"):
    page.evaluate(f"([event, time]) => ({FOUND})(event, time)", [event, time])


def found(page):
    return [entry["event"] for entry in page.evaluate(JOURNAL)["found"]]


def test_a_journal_stays():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        find(page, "quiz")
        again = opened(page.context, server)
        expect(found(again) == ["quiz"])
        # The engine resumes from the journal.
        state = again.evaluate("""async () => {
            const { Playback } = await import('/engine/playback.js')
            const { story } = await W.lib.story('quiz-and-camera')
            const playback = new Playback(story, { contents: (await W.store.contents(story.id)).document(story.id) })
            return [[...playback.state.found], [...(await W.store.contents(story.id)).found]]
        }""")
        expect(state == [["quiz"], [["quiz", {"timestamp": "2026-11-23T17:00:00Z", "position": {"latitude": 1, "longitude": 2}}]]], state)


def test_a_browser_that_keeps_nothing():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.context.add_init_script('''
            Object.defineProperty(window, 'indexedDB', { value: { open() { throw new DOMException('no', 'SecurityError') } } })
            Object.defineProperty(window, 'caches', { value: undefined })''')
        again = opened(page.context, server)
        find(again, "quiz")
        expect(found(again) == ["quiz"] and again.evaluate("W.store.isKept") is False and page.evaluate("W.store.isKept"))
        name = take(again)
        again.evaluate("W.queue.send()")
        expect(capture(again, name)["state"] == "sent")
        expect(again.evaluate("W.lib.story('quiz-and-camera').then(story => story.isDownloaded)") is False)


def test_tabs_share_a_journal():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        other = opened(page.context, server)
        other.evaluate("W.store.addEventListener('change', ({ detail }) => { window.changed = detail.story })")
        # Both tabs write at the same time, and no entry is lost.
        write = "async names => Promise.all(names.map(name => (%s)(name, '2026-11-23T17:00:00Z')))" % FOUND
        page.evaluate(f"names => {{ window.writing = ({write})(names) }}", [f"a{i}" for i in range(20)])
        other.evaluate(write, [f"b{i}" for i in range(20)])
        page.evaluate("window.writing")
        expect(len(found(page)) == len(found(other)) == 40, found(page))
        other.wait_for_function("() => window.changed === 'quiz-and-camera'")


def test_two_devices_meet():
    with serving() as server, chromium() as browser, device(browser, server) as phone, device(browser, server) as tablet:
        find(phone, "quiz", "2026-11-23T17:00:09Z")
        find(phone, "camera")
        find(tablet, "quiz", "2026-11-23T17:00:01Z")
        find(tablet, "plain")
        for page in (phone, tablet, phone):
            expect(page.evaluate("W.sync.sync('quiz-and-camera').then(contents => contents.found.size)") > 1)
        expect(phone.evaluate(JOURNAL) == tablet.evaluate(JOURNAL))
        expect(found(phone) == ["camera", "plain", "quiz"], found(phone))
        expect(phone.evaluate(JOURNAL)["found"][2]["timestamp"] == "2026-11-23T17:00:01Z", "the earlier one stays")
        expect(server.asked("/players/me/stories/quiz-and-camera/journal"))


def test_a_journal_waits_for_the_network():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        server.is_down = True
        page.evaluate("W.sync.addEventListener('state', ({ detail }) => { window.states = [...window.states ?? [], detail.state] })")
        page.evaluate("void W.sync.start('quiz-and-camera')")
        page.wait_for_function("() => window.states?.includes('offline')")
        find(page, "quiz")
        server.is_down = False
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_function("() => window.states.at(-1) === 'idle'")
        expect([entry["event"] for entry in server.journals[("me", "quiz-and-camera")]["found"]] == ["quiz"])
        # Events that are found from now on are sent automatically.
        find(page, "plain")
        page.wait_for_function("() => window.states.filter(state => state === 'idle').length > 1")
        expect(len(server.journals[("me", "quiz-and-camera")]["found"]) == 2)


def test_answers_that_are_no_journals():
    journal = "v1/players/me/stories/quiz-and-camera/journal"
    head = {"format": "wayreel-journal-changes", "story": "quiz-and-camera", "cursor": "a.1"}
    bad = [b"<html>log in</html>", {}, {**head, "version": 2}, {**head, "version": 1, "cursor": None}, {"format": "wayreel-journal", "version": 1},
           {**head, "version": 1, "found": {}}, {**head, "version": 1, "found": [None]}, {**head, "version": 1, "erased": "now"},
           {**head, "version": 1, "found": [{"event": 5, "timestamp": "2026-11-23T17:00:00Z"}]}, {**head, "version": 1, "opened": [{"lockbox": "x", "timestamp": "now"}]},
           {**head, "version": 1, "found": [{"event": "x", "timestamp": "2026-11-23T17:00:00Z", "position": {"latitude": 1e9, "longitude": 0}}]}]
    with serving() as server, chromium() as browser, device(browser, server) as page:
        find(page, "quiz")
        page.evaluate("W.sync.addEventListener('state', ({ detail }) => { window.state = detail })")
        # Only an answer about the journal itself is final.
        states = {200: "trouble", 401: "signed-out", 403: "refused", 404: "trouble", 422: "refused", 429: "trouble", 500: "trouble", 502: "trouble"}
        for status, value in [*((200, value) for value in bad), *((status, {"title": "No"}) for status in states if status != 200)]:
            server.answers[journal] = (status, value)
            expect(page.evaluate("W.sync.sync('quiz-and-camera').then(contents => contents === undefined)"), value)
            expect(page.evaluate("window.state.state") == states[status], (status, value))
            expect(page.evaluate("window.state.waiting") == 1, (status, value))
            expect(found(page) == ["quiz"], value)
        # Ids are used only as keys, even if they contain markup or names of JavaScript properties.
        server.answers[journal] = (200, {**head, "version": 1, "found": [{"event": name, "timestamp": "2026-11-23T17:00:00Z"} for name in ("__proto__", "<img src=x onerror=alert(1)>")]})
        page.evaluate("W.sync.sync('quiz-and-camera')")
        expect(found(page) == ["<img src=x onerror=alert(1)>", "__proto__", "quiz"], found(page))


KEEP = "async account => (await import('/journal/account.js')).keepAccount(account)"
LEAVE = "async forgets => (await import('/journal/account.js')).leaveAccount({ forgets })"


def sent_by(server, player):
    """Returns the requests with a player's token, or for the player."""
    return [(path, headers.get("authorization")) for _, path, headers in server.requests
            if headers.get("authorization") == f"Bearer {player}.token" or f"/players/{player}/" in path or f"player={player}" in path]


def test_accounts_have_journals_of_their_own():
    with serving() as server, chromium() as browser, device(browser, server) as own:
        find(own, "quiz")
        # The account changes while this page is open: what was found without an account is not sent with its token.
        own.evaluate(KEEP, {"player": "ines", "token": "ines.token"})
        photo = take(own)
        for call in ("W.sync.sync('quiz-and-camera')", "W.queue.send()"): own.evaluate(call)
        expect(sent_by(server, "ines") == [] and list(server.captures) == [photo])

        ines = opened(own.context, server)
        expect(found(ines) == [])
        find(ines, "plain")
        ines.evaluate("W.sync.sync('quiz-and-camera')")
        expect(sent_by(server, "ines") == [("/v1/players/ines/stories/quiz-and-camera/journal?since=", "Bearer ines.token")])
        expect([entry["event"] for entry in server.journals[("ines", "quiz-and-camera")]["found"]] == ["plain"])
        server.is_down = True
        photo = take(ines)
        ines.evaluate("W.queue.send()")
        server.is_down = False

        # Another one takes over. The former one's page still sends, for the former one.
        ines.evaluate(KEEP, {"player": "bob", "token": "bob.token"})
        bob = opened(own.context, server)
        expect(found(bob) == [])
        for call in ("W.sync.sync('quiz-and-camera')", "W.queue.send()"): bob.evaluate(call)
        expect(photo not in server.captures and ("bob", "quiz-and-camera") not in server.journals)
        ines.evaluate("id => W.queue.retry(id)", photo)
        path, sender = sent_by(server, "ines")[-1]
        expect(photo in server.captures and path.startswith("/v1/stories/quiz-and-camera/events/camera/captures?taken=") and sender == "Bearer ines.token", path)

        # Signed out, the account sends nothing; signed in again, it has what was found before.
        bob.evaluate(KEEP, {"player": "ines", "token": "ines.token"})
        ines = opened(own.context, server)
        expect(found(ines) == ["plain"])
        ines.evaluate(LEAVE, False)
        count = len(server.requests)
        find(ines, "quiz")
        ines.evaluate("W.sync.addEventListener('state', ({ detail }) => { window.state = detail })")
        ines.evaluate("W.sync.sync('quiz-and-camera')")
        expect(len(server.requests) == count and ines.evaluate("window.state.state") == "signed-out" and ines.evaluate("window.state.waiting") == 1)
        again = opened(own.context, server)
        expect(found(again) == ["quiz"], "without an account")
        again.evaluate(KEEP, {"player": "ines", "token": "ines.token"})
        expect(found(opened(own.context, server)) == ["plain", "quiz"])


def test_the_account_of_an_earlier_player():
    """Until now there was one account, whose journal was in the database that those without an account have."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        find(page, "quiz")
        page.evaluate("localStorage.setItem('wayreel-account', JSON.stringify({ player: 'ines', token: 'ines.token' }))")
        ines = opened(page.context, server)
        expect(found(ines) == ["quiz"])
        ines.evaluate("W.sync.sync('quiz-and-camera')")
        expect(sent_by(server, "ines") == [("/v1/players/ines/stories/quiz-and-camera/journal?since=", "Bearer ines.token")])
        ines.evaluate(LEAVE, False)
        expect(found(opened(page.context, server)) == [], "nobody else sees it")
        ines.evaluate(KEEP, {"player": "bob", "token": "bob.token"})
        expect(found(opened(page.context, server)) == [])


def test_storage_that_is_full():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        session = page.context.new_cdp_session(page)
        quota = lambda size: session.send("Storage.overrideQuotaForOrigin", {"origin": server.address.rstrip("/")} | ({"quotaSize": size} if size else {}))
        # Chromium reads the quota only occasionally, and measures use roughly.
        quota(1_000_000)
        find(page, "plain")
        add = "() => W.queue.add('quiz-and-camera', 'camera', new Blob([new Uint8Array(3e6)], { type: 'image/jpeg' })).catch(error => error.name)"
        got = page.evaluate(add)
        expect(got == "StorageFull", got)
        big = "async () => W.store.record('quiz-and-camera', Array.from({ length: 3000 }, (_, i) => ({ outcome: 'answer-wrong', lockbox: 'x', text: `${i}`.repeat(500), timestamp: '2026-11-23T17:00:00Z' }))).catch(error => error.name)"
        expect(page.evaluate(big) == "StorageFull")
        expect(found(page) == ["plain"], "what was kept stays")
        quota(None)
        find(page, "quiz")
        expect(found(page) == ["plain", "quiz"])
        expect(len(page.evaluate(JOURNAL)["attempts"]) == 3000, "what found no room is kept with the next")
        expect(isinstance(page.evaluate(add), str))


def take(page, event="camera", byte=1):
    return page.evaluate("([event, byte]) => W.queue.add('quiz-and-camera', event, new Blob([new Uint8Array(1000).fill(byte)], { type: 'image/jpeg' }))", [event, byte])


def capture(page, name):
    return page.evaluate("async id => { const { before, after, ...rest } = await W.queue.get(id); return { ...rest, before: before.size, after: after?.size } }", name)


def test_captures_wait_and_are_sent():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        server.is_down = True
        names = [take(page, byte=1)]
        page.wait_for_timeout(5)
        names.append(take(page, byte=2))
        page.evaluate("W.queue.send()")
        expect(capture(page, names[0])["state"] == "waiting")
        server.is_down = False
        # The player returns, in two tabs at once.
        pages = [opened(page.context, server) for _ in range(2)]
        page.close()
        for one in pages: one.evaluate("W.queue.start()")
        wait_until(lambda: all(capture(pages[0], name)["state"] == "sent" for name in names))
        expect(sorted(server.captures) == sorted(names), (names, list(server.captures)))
        expect(server.captures[names[1]] == bytes([2]) * 1000)
        sent = [(path, headers) for method, path, headers in server.requests if "/captures?player=me&taken=20" in path]
        expect(len(sent) == 2 and sent[0][0].startswith("/v1/stories/quiz-and-camera/events/camera/captures?player=me&taken="), sent)
        expect([headers["idempotency-key"] for _, headers in sent] == names, "the oldest first, each once")
        seen = capture(pages[1], names[0])
        expect(seen["before"] == 1000 and seen["after"] == len(JPEG + b"treated"), seen)


def test_other_devices_find_captures():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        name = take(page)
        page.evaluate("""id => W.store.record('quiz-and-camera', [{ outcome: 'capture-kept', event: 'camera', id, timestamp: '2026-11-23T17:00:00Z' }])""", name)
        page.evaluate("W.queue.send()")
        kept = page.evaluate(JOURNAL)["captures"]
        expect(kept == [{"id": name, "event": "camera", "file": f"/v1/players/me/captures/{name}", "timestamp": "2026-11-23T17:00:00Z"}], kept)


def test_only_changes_are_sent_and_received():
    with serving() as server, chromium() as browser, device(browser, server) as phone, device(browser, server) as tablet:
        sync = lambda page: page.evaluate("W.sync.sync('quiz-and-camera').then(contents => contents !== undefined)")
        sent = lambda: [[entry["event"] for entry in document.get("found", [])] for document in server.posted]
        for event in ("quiz", "camera"): find(phone, event)
        expect(sync(phone) and sent() == [["camera", "quiz"]], sent())
        find(phone, "plain")
        expect(sync(phone) and sent()[1:] == [["plain"]], sent())
        # Without news, nothing is posted, and the response has no entries.
        count = len(server.requests)
        expect(sync(phone) and len(server.posted) == 2 and [request[0] for request in server.requests[count:]] == ["GET"])
        # Another device receives all in pages, and does not send back what it received.
        server.page = 1
        expect(sync(tablet) and found(tablet) == found(phone) and len(server.posted) == 2)
        find(tablet, "other")
        expect(sync(tablet) and sent()[2:] == [["other"]], sent())
        expect(sync(phone) and found(phone) == found(tablet) and len(server.posted) == 3)
        # What is found while a request is on its way is sent by the next one.
        phone.evaluate(f"async () => {{ const first = W.sync.sync('quiz-and-camera'); await ({FOUND})('late', '2026-11-23T17:00:00Z'); await first; await W.sync.sync('quiz-and-camera') }}")
        expect(sum(list_.count("late") for list_ in sent()) == 1, sent())


def test_a_restored_backup():
    """The service has forgotten what it had: the device sends everything again."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        for event in ("quiz", "camera"): find(page, event)
        page.evaluate("W.sync.sync('quiz-and-camera')")
        server.journals.clear(); server.changes.clear()
        server.branch = "b"
        page.evaluate("W.sync.sync('quiz-and-camera')")
        expect(sorted(entry["event"] for entry in server.journals[("me", "quiz-and-camera")]["found"]) == ["camera", "quiz"])
        # Another player of the same device sends what the device has, and not the cursor of the first one.
        page.evaluate("async () => { await new W.JournalSync({ library: W.lib, store: W.store, clock: W.clock, player: 'ines', token: 'abc.def' }).sync('quiz-and-camera') }")
        expect(len(server.journals[("ines", "quiz-and-camera")]["found"]) == 2)


def test_a_deleted_capture_does_not_return():
    with serving() as server, chromium() as browser, device(browser, server) as phone, device(browser, server) as tablet:
        names = [take(phone), take(phone)]
        record = """async names => { for (const id of names) await W.store.record('quiz-and-camera', [{ outcome: 'capture-kept', event: 'camera', id, timestamp: '2026-11-23T17:00:00Z' }]) }"""
        sync = lambda page: page.evaluate("W.sync.sync('quiz-and-camera')")
        captures = lambda page: [entry["id"] for entry in page.evaluate(JOURNAL)["captures"]]
        phone.evaluate(record, names)
        sync(phone); sync(tablet)
        expect(captures(tablet) == sorted(names))
        phone.evaluate("id => W.queue.remove('quiz-and-camera', id)", names[0])
        expect(captures(phone) == [names[1]] and phone.evaluate("id => W.queue.get(id).then(photo => photo === undefined)", names[0]))
        sync(phone); sync(tablet)
        expect(captures(tablet) == [names[1]], captures(tablet))
        # A device that knew the capture does not bring it back, and one that holds its photo removes it.
        tablet.evaluate(record, names)
        sync(tablet); sync(phone)
        expect(captures(phone) == captures(tablet) == [names[1]])
        phone.evaluate("W.queue.start()")
        tablet.evaluate("id => W.queue.remove('quiz-and-camera', id)", names[1])
        sync(tablet); sync(phone)
        phone.wait_for_function("id => W.queue.get(id).then(photo => photo === undefined)", arg=names[1])


def test_an_erased_journal():
    """What is older than the erasure goes on all devices; what is found after it counts anew."""
    with serving() as server, chromium() as browser, device(browser, server) as phone, device(browser, server) as tablet:
        sync = lambda page: page.evaluate("W.sync.sync('quiz-and-camera')")
        for page in (phone, tablet):
            find(page, "quiz", "2026-11-23T17:00:00Z")
            sync(page)
        find(tablet, "camera", "2026-11-23T17:00:01Z")
        find(tablet, "plain", "2026-11-23T18:00:01Z")
        phone.evaluate("W.store.erase('quiz-and-camera', '2026-11-23T18:00:00Z')")
        expect(found(phone) == [])
        sync(phone); sync(tablet); sync(phone)
        expect(found(phone) == found(tablet) == ["plain"], (found(phone), found(tablet)))
        expect([entry["event"] for entry in server.journals[("me", "quiz-and-camera")]["found"]] == ["plain"])
        find(phone, "quiz", "2026-11-23T19:00:00Z")
        sync(phone); sync(tablet)
        expect(found(tablet) == ["plain", "quiz"])


def test_captures_that_are_refused():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        path = "v1/stories/quiz-and-camera/events/camera/captures"
        name = take(page)
        for status, state, cause in ((503, "waiting", "trouble"), (404, "waiting", "trouble"), (502, "waiting", "trouble"), (400, "waiting", "trouble"),
                                     (409, "waiting", "trouble"), (429, "waiting", "trouble"), (401, "waiting", "signed-out"), (422, "refused", "signed-out")):
            server.answers[path] = (status, {"title": "No", "detail": "It cannot be read."})
            page.evaluate("id => W.queue.retry(id)", name)
            seen = capture(page, name)
            expect((seen["state"], seen["reason"]) == (state, "No: It cannot be read."), (status, seen))
            expect(state == "refused" or seen["cause"] == cause, (status, seen))
        # A network that asks for a login first answers with its page: the service does not have the photo, and gets it later.
        other = take(page)
        server.answers[path] = (200, b"<script>")
        page.evaluate("W.queue.send()")
        seen = capture(page, other)
        expect((seen["state"], seen["cause"], seen["code"]) == ("waiting", "trouble", "not-the-service"), seen)
        server.answers.clear()
        page.evaluate("id => W.queue.retry(id)", other)
        expect(capture(page, other)["state"] == "sent" and other in server.captures, capture(page, other))


def test_no_space_for_what_the_service_has():
    """The state says that it is the device that has no space, and not that the service refuses the journal."""
    with serving() as server, chromium() as browser, device(browser, server) as first, device(browser, server) as second:
        find(first, "plain")
        first.evaluate("W.sync.sync('quiz-and-camera').then(contents => contents.found.size)")
        state = second.evaluate('''async () => {
            const put = IDBObjectStore.prototype.put
            IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }
            const states = []
            W.sync.addEventListener('state', ({ detail }) => states.push(detail.state))
            await W.sync.sync('quiz-and-camera')
            IDBObjectStore.prototype.put = put
            return states.at(-1)
        }''')
        expect(state == "full", state)
        second.evaluate("W.sync.sync('quiz-and-camera').then(contents => contents.found.size)")
        expect(found(second) == ["plain"])


def test_a_service_in_trouble():
    """Each time that the service cannot take a photo, it waits for longer; a photo of another story does not wait for it."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        path = "v1/stories/quiz-and-camera/events/camera/captures"
        server.answers[path] = (404, {"code": "not-found", "title": "There is nothing at this address"})
        name = take(page)
        page.wait_for_timeout(5)
        other = take(page, event="plain")
        uploads = lambda: len(server.asked("events/camera/captures"))
        page.evaluate("W.queue.send()")
        expect(uploads() == 1 and list(server.captures) == [other])
        passed = 0
        # A minute, two, four, … up to an hour.
        for delay in (60, 120, 240, 480, 960, 1920, 3600, 3600):
            before = uploads()
            for seconds, expected in ((passed + delay - 10, before), (passed + delay + 10, before + 1)):
                server.seconds_off = seconds
                page.evaluate("fetch('player.json').then(response => W.clock.observe(response))")
                page.evaluate("W.queue.send()")
                expect(uploads() == expected, (delay, seconds, uploads(), expected))
            passed += delay + 10
        server.answers.clear()
        page.evaluate("id => W.queue.retry(id)", name)
        seen = capture(page, name)
        expect(seen["state"] == "sent" and not {"cause", "reason", "retryAt", "attempts"} & {key for key, value in seen.items() if value is not None}, seen)


def test_photos_are_not_uploaded_in_vain():
    """After 401, the service is asked who the player is before a photo is uploaded again."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        server.answers["v1/stories/quiz-and-camera/events/camera/captures"] = (401, {"code": "token", "title": "A player's token is needed"})
        server.answers["v1/account"] = (401, {"code": "token", "title": "A player's token is needed"})
        name = take(page)
        for _ in range(3): page.evaluate("W.queue.send()")
        expect(len(server.asked("/captures")) == 1 and len(server.asked("v1/account")) == 2)
        seen = capture(page, name)
        expect((seen["state"], seen["cause"]) == ("waiting", "signed-out"), seen)
        server.answers.clear()
        server.answers["v1/account"] = (200, {"player": "ines"})
        page.evaluate("W.queue.send()")
        expect(capture(page, name)["state"] == "sent")


def test_a_service_without_space_for_a_player():
    """A photo is uploaded again only after a day, or if the player asks for it; photos behind it are sent."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        path = "v1/stories/quiz-and-camera/events/camera/captures"
        # As the service answers: Sources/WayreelService/Players/PlayerDatabase.swift.
        server.answers[path] = (403, {"code": "quota", "title": "The player's images are full", "detail": "delete notes", "status": 403})
        full = take(page)
        page.wait_for_timeout(5)
        other = take(page, event="plain")
        page.evaluate("W.queue.send()")
        seen = capture(page, full)
        expect((seen["state"], seen["reason"]) == ("full", "The player's images are full: delete notes"), seen)
        expect(seen["before"] == 1000, "the photo stays on the device")
        expect(capture(page, other)["state"] == "sent" and list(server.captures) == [other], "photos behind it are sent")
        uploads = lambda: len(server.asked("events/camera/captures"))
        for _ in range(3): page.evaluate("W.queue.send()")
        expect(uploads() == 1, uploads())
        # The player asks for it, and the service still has no space.
        page.evaluate("id => W.queue.retry(id)", full)
        expect(uploads() == 2 and capture(page, full)["state"] == "full")
        for seconds, expected in ((86_400 - 60, 2), (86_400 + 60, 3)):
            server.seconds_off = seconds
            page.evaluate("fetch('player.json').then(response => W.clock.observe(response))")
            server.answers.clear()
            page.evaluate("W.queue.send()")
            expect(uploads() == expected, (seconds, uploads()))
        expect(capture(page, full)["state"] == "sent" and capture(page, full).get("reason") is None)


def test_clocks_that_are_wrong():
    with serving() as server, chromium() as browser:
        server.seconds_off = 3600
        with device(browser, server) as page:
            off = page.evaluate("W.clock.now() - Date.now()")
            expect(abs(off - 3_600_000) < 1500, off)
            text = page.evaluate("Date.parse(W.clock.textOf(Date.now())) - Date.now()")
            expect(abs(text - 3_600_000) < 1500, text)
        server.seconds_off, server.age = -7200, 7200  # As a proxy's cache sends it.
        with device(browser, server) as page:
            expect(page.evaluate("W.clock.offset") == 0)
        server.seconds_off, server.age = 2, 0
        with device(browser, server) as page:
            expect(page.evaluate("W.clock.offset") == 0, "seconds are the network's")
            steps = page.evaluate("""() => {
                const [true_, before] = [Date.now, W.clock.now()]
                Date.now = () => true_() - 7_200_000
                const [after, later] = [W.clock.now(), W.clock.now()]
                return [after - before, later - after]
            }""")
            expect(all(0 <= step < 1000 for step in steps), "time does not run backwards")


if __name__ == "__main__":
    run(globals())
