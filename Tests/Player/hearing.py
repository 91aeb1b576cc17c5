"""What a screen reader gets of a page: Chromium's accessibility tree, and the announcements of live regions."""
from stand_in import wait_until

#: Roles of what can be operated. DisclosureTriangle is a summary, and ComboBoxSelect a select.
CONTROLS = {"button", "link", "textbox", "slider", "radio", "checkbox", "switch", "combobox", "ComboBoxSelect", "DisclosureTriangle", "application", "progressbar", "menuitem"}

#: Collects what live regions announce as `window.heard`, in a script that runs before the page.
LISTEN = """
    window.heard = [];
    document.addEventListener('DOMContentLoaded', () => new MutationObserver(changes => {
        for (const { target, addedNodes } of changes) {
            const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[aria-live], [role=status], [role=alert], [role=log]');
            const text = region && [...addedNodes].map(node => node.textContent).join(' ').replace(/\\s+/g, ' ').trim();
            if (text && getComputedStyle(region).display !== 'none') heard.push(text);
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true }));
"""


class Node:
    def __init__(self, raw):
        value = lambda name: (raw.get(name) or {}).get("value")
        self.role, self.name, self.description = value("role"), (value("name") or "").strip(), (value("description") or "").strip()
        self.value = value("value")
        self.states = {property["name"]: property["value"].get("value") for property in raw.get("properties", [])}
        self.element = raw.get("backendDOMNodeId")

    def __repr__(self):
        return f"{self.role} “{self.name}”"


class Reader:
    """Reads a page and operates it as a screen reader does: by roles and names, with the keyboard."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.session.send("Accessibility.enable")
        self.session.send("DOM.enable")

    def nodes(self):
        """All nodes that are not ignored, in their order on the page."""
        raw = self.session.send("Accessibility.getFullAXTree")["nodes"]
        known = {node["nodeId"]: node for node in raw}
        ordered, waiting = [], [raw[0]["nodeId"]]
        while waiting:
            node = known.get(waiting.pop())
            if node is None:
                continue
            if not node["ignored"]:
                ordered.append(Node(node))
            waiting += reversed(node.get("childIds", []))
        return ordered

    def find(self, role, *words):
        """The first node of a role whose name has all words."""
        nodes = self.nodes()
        found = next((node for node in nodes if node.role == role and all(word in node.name for word in words)), None)
        assert found, f"there is no {role} with {words}; there are {[node for node in nodes if node.role == role]}"
        return found

    def until(self, role, *words):
        """Waits for such a node."""
        wait_until(lambda: any(node.role == role and all(word in node.name for word in words) for node in self.nodes()))
        return self.find(role, *words)

    def press(self, role, *words, key="Enter"):
        self.operate(self.until(role, *words), key)

    def press_within(self, region, role, *words, key="Enter"):
        """Presses the first such control of a region: those of other regions may have the same name."""
        self.until("region", region)
        nodes = self.nodes()
        start = next(index for index, node in enumerate(nodes) if node.role == "region" and region in node.name)
        self.operate(next(node for node in nodes[start:] if node.role == role and all(word in node.name for word in words)), key)

    def operate(self, node, key):
        assert node.states.get("focusable") and not node.states.get("disabled"), node
        self.session.send("DOM.focus", {"backendNodeId": node.element})
        self.page.keyboard.press(key)

    def heard(self, *words):
        """Waits until an announcement has all words, and forgets what was announced up to it."""
        found = self.page.wait_for_function(
            "words => { const index = heard.findIndex(text => words.every(word => text.includes(word))); return index < 0 ? null : { text: heard.splice(0, index + 1).at(-1) } }",
            arg=list(words))
        return found.json_value()["text"]

    def focused(self):
        return next((node for node in self.nodes() if node.states.get("focused") and node.role != "RootWebArea"), None)

    def focused_on(self, role, *words):
        """Waits until the focus is on a node of a role whose name has all words."""
        def is_there():
            node = self.focused()
            return node and node.role == role and all(word in node.name for word in words)
        wait_until(is_there)
        return self.focused()
