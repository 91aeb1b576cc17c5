"""Captures: those of other devices, previews, removals, and what a player does with a picture."""
import json, pathlib
import pytest
from playing import go, journal, remember
from stand_in import JPEG, chromium, device, expect, opened, serving, wait_until
from test_account import PLAYER, device as signed_in, service

__all__ = ["service"]
ALBUM = """async () => {
    const { CaptureAlbum } = await import('/journal/capture-album.js');
    window.album = new CaptureAlbum(W.queue, W.lib);
    window.session = async () => ({ id: 'quiz-and-camera', contents: await W.store.contents('quiz-and-camera') });
}"""
LIST = "async () => (await album.list(await session(), 'camera')).map(({ before, preview, after, ...rest }) => ({ ...rest, before: before?.size, preview: preview?.size, after: after?.size }))"
TAKE = "([byte, type]) => W.queue.add('quiz-and-camera', 'camera', new Blob([new Uint8Array(1000).fill(byte)], { type }))"


def taken(page, byte=1, kind="image/jpeg"):
    return page.evaluate(TAKE, [byte, kind])


def test_a_capture_follows_to_another_device():
    """By the address in the journal; then it is there without a network too."""
    with serving() as server, chromium() as browser, device(browser, server) as phone, device(browser, server) as tablet:
        name = taken(phone)
        phone.evaluate("id => W.store.record('quiz-and-camera', [{ outcome: 'capture-kept', event: 'camera', id, timestamp: '2026-11-23T17:00:00Z' }])", name)
        phone.evaluate("W.queue.send()")
        for page in (phone, tablet):
            page.evaluate("W.sync.sync('quiz-and-camera')")
            page.evaluate(ALBUM)
        expect([capture["state"] for capture in phone.evaluate(LIST)] == ["sent"])
        [elsewhere] = tablet.evaluate(LIST)
        expect((elsewhere["id"], elsewhere["state"], elsewhere.get("after")) == (name, "elsewhere", None), elsewhere)
        expect(tablet.evaluate("async () => album.load((await album.list(await session(), 'camera'))[0])"))
        server.is_down = True
        [there] = tablet.evaluate(LIST)
        expect((there["state"], there["isOfOther"], there["after"]) == ("sent", True, len(JPEG + b"treated")), there)
        # It is not sent as one of this device.
        server.is_down = False
        tablet.evaluate("W.queue.send()")
        expect(len(server.captures) == 1)


def test_a_capture_that_is_no_longer_there():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate(ALBUM)
        page.evaluate("W.store.record('quiz-and-camera', [{ outcome: 'capture-kept', event: 'camera', id: 'x', file: '/v1/players/me/captures/x', timestamp: '2026-11-23T17:00:00Z' }])")
        expect(len(page.evaluate(LIST)) == 1)
        expect(page.evaluate("async () => album.load((await album.list(await session(), 'camera'))[0])") is False)
        expect(page.evaluate(LIST) == [])
        # Another host's images are not loaded.
        page.evaluate("W.store.record('quiz-and-camera', [{ outcome: 'capture-kept', event: 'camera', id: 'y', file: '//evil.example/y', timestamp: '2026-11-23T17:00:00Z' }])")
        expect(page.evaluate("async () => album.load((await album.list(await session(), 'camera'))[0])") is False)
        expect(not server.asked("evil"))


def test_a_removal_waits_for_the_network():
    """It is sent with the journal; the capture does not come back."""
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate(ALBUM)
        name = taken(page)
        page.evaluate("W.queue.send()")
        page.evaluate("id => W.store.record('quiz-and-camera', [{ outcome: 'capture-kept', event: 'camera', id, file: `/v1/players/me/captures/${id}`, timestamp: '2026-11-23T17:00:00Z' }])", name)
        server.is_down = True
        page.evaluate("async () => album.remove((await album.list(await session(), 'camera'))[0])")
        expect(page.evaluate(LIST) == [] and page.evaluate("W.queue.list('quiz-and-camera').then(list => list.length)") == 0)
        server.is_down = False
        again = opened(page.context, server)
        again.evaluate(ALBUM)
        again.evaluate("W.sync.sync('quiz-and-camera')")
        expect(server.captures == {} and again.evaluate(LIST) == [])


@pytest.mark.parametrize("status", [401, 503])
def test_a_removal_that_is_refused_now_is_sent_again(status):
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate(ALBUM)
        name = taken(page)
        page.evaluate("W.queue.send()")
        server.answers["v1/players/me/stories/quiz-and-camera/journal"] = (status, {})
        page.evaluate("async () => album.remove((await album.list(await session(), 'camera'))[0])")
        page.evaluate("W.sync.sync('quiz-and-camera')")
        expect(name in server.captures and page.evaluate(LIST) == [])
        server.answers.clear()
        page.evaluate("W.sync.sync('quiz-and-camera')")
        expect(server.captures == {})


def test_a_capture_that_is_removed_while_it_is_sent():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate(ALBUM)
        taken(page)
        # The answer comes after the removal.
        page.evaluate("""() => {
            const send = window.fetch;
            window.fetch = async (address, options) => {
                const answer = await send(address, options);
                if (options?.method !== 'POST') return answer;
                window.fetch = send;
                await new Promise(resolve => { window.goOn = resolve; });
                return answer;
            };
            window.sending = W.queue.send();
        }""")
        page.wait_for_function("() => window.goOn")
        page.evaluate("() => { window.removing = album.list({ id: 'quiz-and-camera', contents: { captures: [] } }, 'camera').then(([one]) => album.remove(one)); }")
        page.wait_for_function("async () => (await W.queue.list('quiz-and-camera')).length === 0")
        page.evaluate("async () => { goOn(); await sending; await removing; await W.sync.sync('quiz-and-camera'); }")
        expect(page.evaluate(LIST) == [] and server.captures == {}, server.captures)


def test_a_preview_is_asked_for_once():
    with serving() as server, chromium() as browser, device(browser, server) as page:
        page.evaluate(ALBUM)
        taken(page, kind="image/heic")
        preview = "async () => album.preview((await album.list(await session(), 'camera'))[0])"
        for _ in range(2):
            page.evaluate(preview)
        expect(server.asked("previews") == ["/v1/stories/quiz-and-camera/events/camera/previews?player=me"], server.asked("previews"))
        expect(page.evaluate(LIST)[0]["preview"] == len(JPEG + b"preview"))


# With the service itself

LETTER = b"PK\x03\x04" + b"a letter that is no picture" * 50
SHARING = """() => {
    navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files: [file] }) => { window.shared = [file.name, file.type, file.size]; };
}"""


def at_the_camera(launch, service, found="library-door"):
    token = service.token(PLAYER)
    page = signed_in(launch, service, token)
    remember(page, journal([found], opened=[]))
    page.evaluate(SHARING)
    go(page, f"#/late-post/event/{found}")
    page.wait_for_selector("#capture-file", state="attached")
    return page, token


def test_a_photo_as_heic(launch, service):
    """Both sides of the comparison are shown, and no button of the browser."""
    page, _ = at_the_camera(launch, service)
    page.set_input_files("#capture-file", "Media/story/captures/floor.heic")
    page.wait_for_selector('.capture .state[data-state="sent"]')
    page.wait_for_function("() => { const images = [...document.querySelectorAll('.compare img')]; return images.length === 2 && images.every(image => image.naturalWidth > 0); }")
    assert page.locator('.capture input[type="range"]').is_visible()
    page.focus("#capture-file")
    box = page.locator("#capture-file").bounding_box()
    assert box["width"] <= 1 and box["height"] <= 1, box
    page.context.close()


def test_a_picture_is_saved_shared_and_deleted(launch, service):
    page, _ = at_the_camera(launch, service)
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    page.wait_for_selector('.capture .state[data-state="sent"]')
    with page.expect_download() as download:
        page.click(".capture .actions a")
    saved = pathlib.Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == "The Late Post - Where books came from.jpg" and saved.startswith(b"\xff\xd8\xff")
    page.click('.capture button:has-text("Share")')
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared") == [download.value.suggested_filename, "image/jpeg", len(saved)]
    # A question comes first, which can be left.
    page.click('.capture button:has-text("Delete")')
    page.click(".foot .plain")
    assert page.locator(".capture").count() == 1
    assert page.evaluate("document.activeElement.innerText") == "Delete"
    page.click('.capture button:has-text("Delete")')
    page.click('.foot button:has-text("Delete")')
    page.wait_for_function("() => !document.querySelector('.capture')")
    page.reload()
    go(page, "#/late-post/journal")
    go(page, "#/late-post/event/library-door")
    page.wait_for_selector("#capture-file", state="attached")
    assert page.locator(".capture").count() == 0
    page.context.close()


def test_another_device_shows_the_picture(launch, service):
    page, token = at_the_camera(launch, service)
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    page.wait_for_selector('.capture .state[data-state="sent"]')
    wait_until(lambda: [capture for capture in service.journal(token)["captures"] if "file" in capture])
    other = signed_in(launch, service, token)
    go(other, "#/late-post/event/library-door")
    wait_until(lambda: other.evaluate("async () => { const { JournalStore } = await import('./journal/journal-store.js'); const store = await JournalStore.open(); const { found } = await store.contents('late-post'); store.close(); return found.has('library-door'); }"))
    go(other, "#/late-post")
    go(other, "#/late-post/event/library-door")
    other.wait_for_function("() => document.querySelector('.capture img')?.naturalWidth > 0")
    assert other.inner_text(".capture .state") == "Taken on another device"
    for one in (page, other):
        one.context.close()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_refusal_in_the_players_language(launch, service, language):
    page, _ = at_the_camera(launch, service)
    page.evaluate("language => localStorage.setItem('wayreel-language', language)", language)
    page.reload()
    page.wait_for_selector("#capture-file", state="attached")
    page.set_input_files("#capture-file", {"name": "letter.docx", "mimeType": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "buffer": LETTER})
    page.wait_for_selector('.capture .state[data-state="refused"]')
    words = json.loads(pathlib.Path(f"Player/strings/{language}.json").read_text())
    shown = page.inner_text(".capture .state").replace("\u2068", "").replace("\u2069", "").strip()
    assert shown == words["camera.state.refused"].replace("{reason}", words["refused.format"])
    page.context.close()
