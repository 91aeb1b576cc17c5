"""Players at a service with accounts: signed in by links, passkeys and codes; journals of two devices are merged, and a capture is returned treated."""
import base64, contextlib, html, http.server, json, os, socket, subprocess, tempfile, threading, time, urllib.error, urllib.parse, urllib.request
import pytest
from conftest import PATIENCE
from playing import found, go, remember, journal
from stand_in import wait_until
from test_views import look

PLAYER = "Inés/5"


class Service:
    """`wayreel serve` with keys of players."""

    def __init__(self, folder, *options):
        self.folder = folder
        (folder / "players.txt").write_text("p1:" + "a5" * 32)
        self.process = subprocess.Popen(
            [os.environ["WAYREEL"], "serve", "--listen", "127.0.0.1:0", "--log", "false", "--stories", ".build/player-tests/bundles",
             "--player-keys", folder / "players.txt", "--data", folder / "data", *options],
            stdout=subprocess.PIPE, text=True)
        # Passkeys need a name, not an IP address.
        self.address = self.process.stdout.readline().split()[-1].replace("127.0.0.1", "localhost")

    def wayreel(self, *arguments):
        return subprocess.run([os.environ["WAYREEL"], *arguments], check=True, capture_output=True, text=True).stdout.strip()

    def token(self, player, *options):
        return self.wayreel("token", player, "--keys", self.folder / "players.txt", *options)

    def get(self, path, token):
        return json.load(urllib.request.urlopen(urllib.request.Request(self.address + path, headers={"Authorization": f"Bearer {token}"})))

    def journal(self, token, player=PLAYER):
        return self.get(f"v1/players/{urllib.parse.quote(player, safe='')}/stories/late-post/journal", token)

    def stop(self):
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def service(tmp_path):
    started = Service(tmp_path)
    yield started
    started.stop()


def open_page(launch, address, hash=""):
    context = launch().new_context(permissions=["geolocation"], geolocation={"latitude": 35.2806, "longitude": -120.664, "accuracy": 5},
                                   service_workers="block", viewport={"width": 390, "height": 844}, locale="en-US")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{address}{hash}")
    page.wait_for_selector("h1")
    return page


def account(page):
    """Returns the name of the player who plays on the device, and of whom it has a token."""
    return page.evaluate("""async () => {
        const { account } = await import('./journal/account.js');
        const { player, token } = account();
        return [player, Boolean(token)];
    }""")


def agree(page, name=PLAYER):
    """Answers yes to the question whether this player continues, and waits for the page that follows."""
    page.evaluate("() => { window.isBefore = true }")
    page.get_by_role("button", name=f"Continue as {name}").click()
    page.wait_for_function("() => !window.isBefore && document.querySelector('h1')")
    assert account(page) == [name, True]


def device(launch, service, token, player=PLAYER):
    page = open_page(launch, service.address, f"#token={token}")
    assert token not in page.url
    agree(page, player)
    return page


def test_two_devices_of_a_player(launch, service):
    token = service.token(PLAYER)
    first, second = device(launch, service, token), device(launch, service, token)
    # Each device finds an event that the other has not found.
    remember(first, journal(["library-door"], opened=[]))
    remember(second, journal(["breakfast-tape"], opened=[]))
    for page in (first, second, first):
        go(page, "#/late-post")
        go(page, "#/late-post/journal")
    both = ["breakfast-tape", "library-door"]
    wait_until(lambda: sorted(entry["event"] for entry in service.journal(token)["found"]) == both)
    first.reload()
    wait_until(lambda: sorted(found(first)["events"]) == both)

    # A capture without a network waits; then it is sent, treated, shown beside the photo, and in the journal with its file.
    go(first, "#/late-post/event/library-door")
    first.wait_for_selector(".camera")
    first.context.set_offline(True)
    first.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    first.wait_for_selector('.capture .state[data-state="waiting"]')
    assert first.inner_text(".capture .state") == "Waits for a network"
    go(first, "#/late-post/journal")
    first.wait_for_selector("text=Not sent yet: 1 entry and 1 photo.")
    go(first, "#/late-post/event/library-door")
    first.context.set_offline(False)
    first.wait_for_selector('.capture .state[data-state="sent"]', timeout=PATIENCE)
    assert first.locator(".capture img").count() == 2
    wait_until(lambda: [True for capture in service.journal(token)["captures"] if "file" in capture])
    [capture] = service.journal(token)["captures"]
    treated = urllib.request.urlopen(urllib.request.Request(
        service.address.rstrip("/") + capture["file"], headers={"Authorization": f"Bearer {token}"}))
    assert treated.headers["Content-Type"].startswith("image/")
    for page in (first, second):
        page.context.close()


def test_the_network_returns_while_a_capture_fails(launch, service):
    page = device(launch, service, service.token(PLAYER))
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/late-post/event/library-door")
    page.wait_for_selector(".camera")
    # The first request fails after the browser has said that it is online again, and no other event follows.
    page.evaluate("""() => {
      const send = window.fetch;
      window.fetch = (address, options) => {
        if (options?.method !== "POST" || !String(address).includes("/captures")) return send(address, options);
        window.fetch = send;
        dispatchEvent(new Event("online"));
        return Promise.reject(new TypeError("no network"));
      };
    }""")
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    # A timer would send it after a minute.
    page.wait_for_selector('.capture .state[data-state="sent"]', timeout=30_000)
    page.context.close()


def unsigned(player):
    encoded = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
    return f"{encoded({'alg': 'none'})}.{encoded({'sub': player})}."


def test_links_that_sign_nobody_in(launch, service):
    """What the service does not know changes nothing, and the page says so."""
    token = service.token("anna")
    page = device(launch, service, token, "anna")
    wrong = ["a.b.c", "a.eyJzdWIiOiJ4In0.b", unsigned("mallory"), service.token("mallory")[:-2] + "xx", service.token("mallory", "--seconds", "1")]
    time.sleep(1.1)
    for link in wrong:
        page.goto("about:blank")
        page.goto(f"{service.address}#token={link}")
        page.wait_for_selector(".notice >> text=This link signs nobody in")
        # In the page's words, not in those of the service.
        assert "It is wrong or has expired. Ask for a new one." in page.inner_text(".notice")
        assert account(page) == ["anna", True] and link not in page.url
    assert page.locator("dialog").count() == 0
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=kept on this device and by the service")
    page.context.close()
    # Nor does it for who has no account.
    page = open_page(launch, service.address, f"#token={unsigned('mallory')}")
    page.wait_for_selector(".notice >> text=This link signs nobody in")
    assert account(page) == ["me", False]
    # A service that cannot answer has not refused it.
    page.route("**/v1/account", lambda route: route.abort())
    page.evaluate("token => { location.hash = `token=${token}` }", token)
    page.wait_for_selector(".notice >> text=The link could not be checked")
    assert account(page) == ["me", False] and token not in page.url
    page.context.close()


def test_a_link_of_another_player(launch, service):
    """The page asks before the account changes; nothing of the former one is sent with the new token."""
    anna, mallory = service.token("anna"), service.token("mallory")
    page = device(launch, service, anna, "anna")
    remember(page, journal(["library-door"], opened=[]))
    # A photo of Anna's waits.
    go(page, "#/late-post/event/library-door")
    page.wait_for_selector(".camera")
    page.route("**/captures?*", lambda route: route.abort())
    page.set_input_files("#capture-file", "Media/story/images/arezzo.jpg")
    page.wait_for_selector('.capture .state[data-state="waiting"]')
    wait_until(lambda: [entry["event"] for entry in service.journal(anna, "anna")["found"]] == ["library-door"])

    # The link is opened in the page: the question says whose data stay where. Escape is no, and no is no.
    for answer in (lambda: page.keyboard.press("Escape"), lambda: page.get_by_role("button", name="No", exact=True).click()):
        page.evaluate("token => { location.hash = `token=${token}` }", mallory)
        dialog = page.wait_for_selector("dialog[open]")
        assert "Continue as mallory?" in dialog.inner_text() and "What is on this device stays with anna." in dialog.inner_text()
        assert mallory not in page.url
        answer()
        page.wait_for_selector("dialog", state="detached")
        assert account(page) == ["anna", True]

    sent = []
    page.unroute("**/captures?*")
    page.on("request", lambda request: sent.append((request.method, request.url.split("/v1/")[-1], request.headers.get("authorization"))))
    page.goto(f"{service.address}#token={mallory}")
    sent.clear()
    agree(page, "mallory")
    go(page, "#/late-post")
    assert found(page)["events"] == []
    page.wait_for_timeout(2500)
    written = [request for request in sent if request[2] == f"Bearer {mallory}" and request[0] == "POST"]
    assert written == [] and service.journal(mallory, "mallory")["found"] == []

    # Anna comes back with her link, finds what she had, and her photo is sent.
    page.goto("about:blank")
    page.goto(f"{service.address}#token={anna}")
    assert "What is on this device stays with mallory." in page.wait_for_selector("dialog[open]").inner_text()
    agree(page, "anna")
    assert found(page)["events"] == ["library-door"]
    wait_until(lambda: [True for capture in service.journal(anna, "anna")["captures"] if "file" in capture])
    # The same account again needs no question.
    page.goto("about:blank")
    page.goto(f"{service.address}#token={service.token('anna')}")
    page.wait_for_selector(".account >> text=anna")
    assert page.locator("dialog").count() == 0
    page.context.close()


def test_what_was_found_without_an_account(launch, service):
    """It stays on the device, unless the player takes it along."""
    token = service.token(PLAYER)
    page = open_page(launch, service.address)
    remember(page, journal(["library-door"], opened=[]))
    page.evaluate("token => { location.hash = `token=${token}` }", token)
    page.wait_for_selector("text=What was found on this device without an account stays on this device.")
    agree(page)
    assert found(page)["events"] == [] and service.journal(token)["found"] == []
    # Back to no account: it is there.
    sign_out(page, "Keep it for the next sign-in")
    assert account(page) == ["me", False] and found(page)["events"] == ["library-door"]
    page.evaluate("token => { location.hash = `token=${token}` }", service.token(PLAYER))
    page.get_by_label("Take it along").check()
    agree(page)
    assert found(page)["events"] == ["library-door"]
    go(page, "#/late-post/journal")
    wait_until(lambda: [entry["event"] for entry in service.journal(service.token(PLAYER))["found"]] == ["library-door"])
    sign_out(page, "Keep it for the next sign-in")
    assert found(page)["events"] == []
    page.context.close()


def sign_out(page, answer):
    go(page, "#/~account")
    page.evaluate("() => { window.isBefore = true }")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_selector("dialog[open]")
    page.get_by_role("button", name=answer).click()
    page.wait_for_function("() => !window.isBefore && document.querySelector('h1')")


def test_sign_out(launch, service):
    """The service lets the token in no longer; what is on the device stays, or goes, and what was not sent is said before."""
    token = service.token(PLAYER)
    page = device(launch, service, token)
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=kept on this device and by the service")
    go(page, "#/~account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    assert "The service has all that is on this device." in page.inner_text("dialog")
    page.keyboard.press("Escape")
    assert account(page) == [PLAYER, True]

    page.route("**/journal?*", lambda route: route.abort())
    remember(page, journal(["library-door", "breakfast-tape"], opened=[]))
    go(page, "#/~account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_selector("dialog >> text=1 entry")
    page.keyboard.press("Escape")
    page.unroute("**/journal?*")
    sign_out(page, "Keep it for the next sign-in")
    assert account(page) == ["me", False] and found(page)["events"] == []
    with pytest.raises(urllib.error.HTTPError, match="401"):
        service.journal(token)

    # Signed in again: what was not sent is sent.
    token = service.token(PLAYER)
    page.evaluate("token => { location.hash = `token=${token}` }", token)
    agree(page)
    assert sorted(found(page)["events"]) == ["breakfast-tape", "library-door"]
    go(page, "#/late-post/journal")
    wait_until(lambda: len(service.journal(token)["found"]) == 2)
    sign_out(page, "Remove it from this device")
    assert f"wayreel/{urllib.parse.quote(PLAYER, safe='')}" not in page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
    assert account(page) == ["me", False]
    page.context.close()


def test_a_token_that_has_ended(launch, service):
    """The journal says what is true, and nothing is lost when the player signs in again."""
    page = device(launch, service, service.token(PLAYER))
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=kept on this device and by the service")
    service.wayreel("token", "revoke", PLAYER, "--data", service.folder / "data")
    remember(page, journal(["library-door", "breakfast-tape"], opened=[]))
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=You are signed out: your journal is kept on this device. Sign in again to send it.")
    assert "Not sent yet: 1 entry." in page.inner_text(".sync") and "by the service" not in page.inner_text(".sync")
    page.click(".sync a")
    page.wait_for_selector("text=Your sign-in has ended.")
    token = service.token(PLAYER)
    page.evaluate("token => { location.hash = `token=${token}` }", token)
    # The same player: no question.
    page.wait_for_selector(".account >> text=Inés/5")
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=kept on this device and by the service")
    assert len(service.journal(token)["found"]) == 2
    page.context.close()


def test_a_service_that_is_out_of_order(launch, service):
    """404 and 5xx are neither kept nor refused: it is sent again."""
    page = device(launch, service, service.token(PLAYER))
    for status, code, reason in ((404, {}, "error 404"), (503, {}, "error 503"), (503, {"code": "overloaded"}, "the service is busy")):
        page.route("**/journal?*", lambda route: route.fulfill(status=status, json={"title": "Maintenance", **code}))
        remember(page, journal(["library-door"], opened=[]))
        go(page, "#/late-post/journal")
        page.wait_for_selector(f"text=The service cannot take your journal now ({reason}). It is kept on this device and sent later.")
        page.unroute("**/journal?*")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector("text=kept on this device and by the service")
    page.context.close()


# Passkeys

@pytest.fixture
def open_service(tmp_path):
    """A service on whose page everybody may make an account. Its port has to be known before."""
    port = free_port()
    started = Service(tmp_path, "--listen", f"127.0.0.1:{port}", "--public-url", f"http://localhost:{port}", "--sign-up", "true")
    yield started
    started.stop()


def authenticator(page):
    """Gives a page an authenticator that always agrees, as a phone with its screen lock."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
        "automaticPresenceSimulation": True}})
    return session, made["authenticatorId"]


def test_passkeys(launch, open_service):
    """An account that is made with a passkey is there on another device that has the passkey."""
    page = open_page(launch, open_service.address)
    session, key = authenticator(page)
    remember(page, journal(["library-door"], opened=[]))
    go(page, "#/~account")
    page.get_by_role("button", name="Make an account with a passkey").click()
    page.wait_for_selector(".notice >> text=Write a name of up to 60 characters.")
    page.get_by_label("Your name for a new account").fill("\u200eZoë")
    page.get_by_role("button", name="Make an account with a passkey").click()
    page.get_by_label("Take it along").check()
    page.evaluate("() => { window.isBefore = true }")
    page.get_by_role("button", name="Continue as Zoë").click()
    page.wait_for_function("() => !window.isBefore && document.querySelector('h1')")
    player, has_token = account(page)
    assert player.startswith("account-") and has_token and found(page)["events"] == ["library-door"]
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=kept on this device and by the service")

    # The passkey comes to another device, as operating systems synchronise them.
    other = open_page(launch, open_service.address, "#/~account")
    other_session, other_key = authenticator(other)
    [credential] = session.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]
    other_session.send("WebAuthn.addCredential", {"authenticatorId": other_key, "credential": credential})
    other.get_by_role("button", name="Sign in with a passkey").click()
    other.evaluate("() => { window.isBefore = true }")
    other.get_by_role("button", name="Continue as Zoë").click()
    other.wait_for_function("() => !window.isBefore && document.querySelector('h1')")
    assert account(other) == [player, True]
    go(other, "#/late-post")
    wait_until(lambda: found(other)["events"] == ["library-door"])

    # A copy of the passkey as it was before is noticed by its counter.
    copy = open_page(launch, open_service.address, "#/~account")
    copy_session, copy_key = authenticator(copy)
    copy_session.send("WebAuthn.addCredential", {"authenticatorId": copy_key, "credential": {**credential, "signCount": 0}})
    copy.get_by_role("button", name="Sign in with a passkey").click()
    copy.wait_for_selector(".notice >> text=The service does not know this passkey.")
    assert account(copy) == ["me", False]

    # The first device is signed out by the other one.
    go(other, "#/~account")
    assert other.locator(".devices li").count() == 2 and other.locator(".devices >> text=This device").count() == 1
    other.get_by_role("button", name="Sign out Chrome, Linux?").click()
    other.wait_for_function("() => document.querySelectorAll('.devices li').length === 1")
    go(page, "#/late-post/journal")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector("text=You are signed out")
    for one in (page, other, copy): one.context.close()


def test_a_passkey_for_a_player_with_a_link(launch, open_service):
    page = device(launch, open_service, open_service.token(PLAYER))
    session, key = authenticator(page)
    go(page, "#/~account")
    page.get_by_role("button", name="Add a passkey").click()
    page.wait_for_selector(".notice >> text=The passkey was added")
    sign_out(page, "Keep it for the next sign-in")
    go(page, "#/~account")
    page.get_by_role("button", name="Sign in with a passkey").click()
    agree(page)
    # The operator ends everything that lets the player in.
    open_service.wayreel("token", "revoke", PLAYER, "--data", open_service.folder / "data")
    go(page, "#/late-post/journal")
    page.wait_for_selector("text=You are signed out")
    go(page, "#/~account")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_selector(".notice >> text=The service does not know this passkey.")
    page.context.close()


# Another phone

def test_another_phone(launch, service):
    """The code of one phone signs another one in, once the first one agrees."""
    first = device(launch, service, service.token(PLAYER))
    remember(first, journal(["library-door"], opened=[]))
    go(first, "#/late-post/journal")
    first.wait_for_selector("text=kept on this device and by the service")
    go(first, "#/~account")
    first.get_by_role("button", name="Add another phone").click()
    code = first.inner_text(".pairing .code")
    assert len(code) == 9

    second = open_page(launch, service.address, "#/~account")
    second.get_by_label("Code that another phone shows").fill("AAAA-AAAA")
    second.get_by_role("button", name="Use the code").click()
    second.wait_for_selector(".notice >> text=There is no such code, or it has expired.")
    second.get_by_label("Code that another phone shows").fill(code.lower())
    second.get_by_role("button", name="Use the code").click()
    second.wait_for_selector("text=Confirm “Chrome, Linux” on the phone that shows the code.")
    assert account(second) == ["me", False]
    first.wait_for_selector("dialog >> text=Add “Chrome, Linux”?")
    first.get_by_role("button", name="Yes, add it").click()
    agree(second)
    go(second, "#/late-post")
    wait_until(lambda: found(second)["events"] == ["library-door"])
    first.wait_for_selector(".devices li")

    # By the link, and the first one says no.
    first.get_by_role("button", name="Add another phone").click()
    link = first.inner_text(".pairing .soft")
    third = open_page(launch, service.address)
    third.goto(link)
    assert third.get_by_label("Code that another phone shows").input_value() == link.split("=")[1]
    third.get_by_label("Code that another phone shows").press("Enter")
    # A phone's keyboard closes, which would hide the answer.
    assert third.evaluate("document.activeElement.type") == "submit"
    first.wait_for_selector("dialog >> text=Add “Chrome, Linux”?")
    first.keyboard.press("Escape")
    third.wait_for_selector(".notice >> text=The other phone said no.")
    # Nothing has to be confirmed any more.
    assert not third.locator("text=Confirm “Chrome, Linux”").is_visible()

    # Whoever is signed in can use the code of another account, too, and is asked first.
    other = device(launch, service, service.token("anna"), "anna")
    first.get_by_role("button", name="Add another phone").click()
    first.wait_for_function("link => ![undefined, link].includes(document.querySelector('.pairing .soft')?.innerText)", arg=link)
    other.goto(first.inner_text(".pairing .soft"))
    other.get_by_role("button", name="Use the code").click()
    first.get_by_role("button", name="Yes, add it").click()
    other.wait_for_selector("dialog >> text=What is on this device stays with anna.")
    agree(other)
    other.context.close()
    assert account(third) == ["me", False]
    for page in (first, second, third): page.context.close()


# A provider of OpenID Connect

def test_a_provider(launch, tmp_path):
    """The browser goes to the provider and comes back signed in; the link of another person's sign-in signs nobody in."""
    port = free_port()
    with provider(f"http://localhost:{port}") as (issuer, options):
        service = Service(tmp_path, "--listen", f"127.0.0.1:{port}", "--public-url", f"http://localhost:{port}", "--oidc-issuer", issuer, *options)
        try:
            page = open_page(launch, service.address, "#/~account")
            page.get_by_role("button", name="Sign in with 127.0.0.1").click()
            page.get_by_role("link", name="Yes, I am Inés").click()
            page.wait_for_selector("dialog >> text=Continue as Inés de la Torre")
            page.evaluate("() => { window.isBefore = true }")
            page.get_by_role("button", name="Continue as Inés").click()
            page.wait_for_function("() => !window.isBefore && document.querySelector('h1')")
            player, has_token = account(page)
            assert player.startswith("openid-") and has_token and "sign-in" not in page.url

            # Mallory sends the address to which the provider would have led her back.
            other = open_page(launch, service.address, "#/~account")
            other.get_by_role("button", name="Sign in with 127.0.0.1").click()
            callback = other.get_by_role("link", name="Yes, I am Inés").get_attribute("href")
            victim = open_page(launch, callback)
            victim.wait_for_selector(".notice >> text=The sign-in has expired. Begin again here.")
            assert account(victim) == ["me", False]

            # Who says no there is told so.
            other.goto(f"{service.address}#/~account")
            other.get_by_role("button", name="Sign in with 127.0.0.1").click()
            other.get_by_role("link", name="No").click()
            other.wait_for_selector(".notice >> text=The other service did not let you in.")
            for one in (page, other, victim): one.context.close()
        finally:
            service.stop()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def provider(site):
    """A provider on which a person says yes or no. Its ID tokens are of ES256, by OpenSSL."""
    encoded = lambda data: base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()
    with tempfile.TemporaryDirectory() as folder:
        openssl = lambda *arguments, **more: subprocess.run(["openssl", *arguments], check=True, capture_output=True, **more).stdout
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{folder}/key.pem")
        public = openssl("ec", "-in", f"{folder}/key.pem", "-pubout", "-outform", "DER")[-64:]

        def raw(der):
            """The two numbers of a signature, which ASN.1 has."""
            numbers, rest = [], der[2:]
            for _ in range(2):
                numbers.append(int.from_bytes(rest[2:2 + rest[1]], "big").to_bytes(32, "big"))
                rest = rest[2 + rest[1]:]
            return b"".join(numbers)

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_): pass

            def answer(self, body, kind="application/json"):
                body = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                path, _, query = self.path.partition("?")
                if path == "/.well-known/openid-configuration":
                    return self.answer({"issuer": issuer, "authorization_endpoint": f"{issuer}/login", "token_endpoint": f"{issuer}/token", "jwks_uri": f"{issuer}/keys"})
                if path == "/keys":
                    return self.answer({"keys": [{"kty": "EC", "crv": "P-256", "kid": "k", "x": encoded(public[:32]), "y": encoded(public[32:])}]})
                if path != "/login": return self.answer({})
                fields = dict(urllib.parse.parse_qsl(query))
                assert fields["redirect_uri"] == f"{site}/v1/sign-in/provider/callback"
                back = lambda **more: html.escape(fields["redirect_uri"] + "?" + urllib.parse.urlencode({"state": fields["state"], **more}))
                self.answer(f"<a href='{back(code=fields['nonce'])}'>Yes, I am Inés</a> <a href='{back(error='access_denied')}'>No</a>", "text/html; charset=utf-8")

            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
                claims = {"iss": issuer, "sub": "7", "aud": form["client_id"], "exp": int(time.time()) + 60, "nonce": form["code"],
                          # With a mark of the writing direction, as Arabic keyboards add it, and longer than a name may be.
                          "name": "Inés\u200f" + " de la Torre" * 6}
                text = f"{encoded({'alg': 'ES256', 'kid': 'k'})}.{encoded(claims)}"
                self.answer({"id_token": f"{text}.{encoded(raw(openssl('dgst', '-sha256', '-sign', f'{folder}/key.pem', input=text.encode())))}"})

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        issuer = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield issuer, ("--oidc-client-id", "wayreel")
        finally:
            server.shutdown()


def shown(page, name):
    width = page.evaluate("document.documentElement.scrollWidth")
    return look(page, name) + ([f"{name}: {width} px wide"] if width > page.viewport_size["width"] else [])


@pytest.mark.parametrize("scheme, language", [("light", "en-US"), ("dark", "en-US"), ("light", "ar")])
def test_what_is_shown_of_accounts(launch, open_service, scheme, language):
    """axe-core finds nothing, and nothing is wider than a small phone: signed out, the questions, signed in with a code."""
    context = launch().new_context(viewport={"width": 320, "height": 568}, color_scheme=scheme, locale=language, service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{open_service.address}#/~account")
    page.wait_for_selector("#player-name")
    faults = shown(page, f"account-{scheme}-{language}-out")
    token = open_service.token(PLAYER)
    page.evaluate("token => { location.hash = `token=${token}` }", token)
    page.wait_for_selector("dialog[open]")
    faults += shown(page, f"account-{scheme}-{language}-question")
    page.evaluate("() => { window.isBefore = true }")
    page.click("dialog .primary")
    page.wait_for_function("() => !window.isBefore && document.querySelector('.account')")
    go(page, "#/~account")
    page.click(".account-sections .secondary")
    page.wait_for_selector(".code")
    faults += shown(page, f"account-{scheme}-{language}-in")
    page.click(".account-sections .plate:first-child .secondary:last-of-type")
    page.wait_for_selector("dialog[open]")
    faults += shown(page, f"account-{scheme}-{language}-out-question")
    assert faults == []
    context.close()
