#!/usr/bin/env python3
"""browse.py - looks at the page of `saltus report` in a headless Chromium.

usage: browse.py DIR/index.html [--size phone|desktop] [--shots FOLDER]

At phone and desktop width, in light, dark and with reduced motion: no message of the
console is an error, no element is wider than the page, every animation moves after Play
and stands still after Pause, all controls are reached by keyboard, and the dialog of the
matrix opens and closes. Uses the standard library alone: the DevTools protocol is JSON
over a WebSocket (RFC 6455). Exit status: 0 all held, 1 something did not.
"""
import argparse
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

SIZES = {"phone": (375, 812, 2, True), "desktop": (1280, 900, 1, False)}


class WebSocket:
    """A client of one connection: texts out, texts in."""

    def __init__(self, url):
        host, _, path = url[len("ws://"):].partition("/")
        name, _, port = host.partition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(head.decode())

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = struct.pack("!B", 0x81)
        if size < 126:
            head += struct.pack("!B", 0x80 | size)
        elif size < 1 << 16:
            head += struct.pack("!BH", 0x80 | 126, size)
        else:
            head += struct.pack("!BQ", 0x80 | 127, size)
        key = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(key, "big")
        self.socket.sendall(head + mask + masked.to_bytes(size, "big"))

    def take(self, size):
        while len(self.buffer) < size:
            more = self.socket.recv(1 << 20)
            if not more:
                raise OSError("the browser has gone")
            self.buffer += more
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def receive(self):
        text = b""
        while True:
            first, second = self.take(2)
            size = second & 0x7f
            if size == 126:
                size = struct.unpack("!H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.take(8))[0]
            data = self.take(size)
            if first & 0x0f in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Browser:
    """A headless Chromium with one page, and what its console has said."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="saltus-browser-")
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser",
                                                       "google-chrome"))))
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-extensions", "--hide-scrollbars", "--mute-audio",
             "--disable-background-networking", "--remote-debugging-port=0",
             "--user-data-dir=" + self.profile, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = os.path.join(self.profile, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(port) and open(port).read().count("\n") >= 1:
                break
            time.sleep(0.1)
        number = open(port).read().split()[0]
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json"))
        page = next(p for p in pages if p["type"] == "page")
        self.socket = WebSocket(page["webSocketDebuggerUrl"])
        self.count, self.events = 0, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method,
                                     "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def run(self, script):
        """The value of a script, which may be a promise."""
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                        awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(json.dumps(got["exceptionDetails"])[:600])
        return got["result"].get("value")

    def open(self, url, size, dark=False, reduced=False):
        width, height, scale, mobile = SIZES[size]
        self.events.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=mobile)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion",
             "value": "reduce" if reduced else "no-preference"}])
        self.call("Page.navigate", url=url)
        for _ in range(600):
            if self.run("document.readyState") == "complete":
                break
            time.sleep(0.05)
        time.sleep(0.3)

    def key(self, name, code, text=None):
        both = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        down = dict(both, type="keyDown", **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", **both)

    def shoot(self, path, whole=False):
        shot = self.call("Page.captureScreenshot", format="png",
                         captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def complaints(self):
        """What the console and the network have to complain of."""
        found = []
        for event in self.events:
            method, data = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + json.dumps(data["exceptionDetails"])[:400])
            elif method == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning"):
                found.append("console: " + json.dumps(data["args"])[:400])
            elif method == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
                found.append("log: " + json.dumps(data["entry"])[:400])
            elif method == "Network.requestWillBeSent":
                url = data["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append("request: " + url)
        return found

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)


# Elements whose right or left edge is beyond the page, but for those in a region that
# scrolls, and for what is hidden on purpose.
TOO_WIDE = """
(() => {
    const width = document.documentElement.clientWidth, found = [];
    if (document.scrollingElement.scrollWidth > width)
        found.push("page: " + document.scrollingElement.scrollWidth + " of " + width);
    const scrolls = e => e && (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX)
        ? e : scrolls(e.parentElement));
    for (const e of document.body.querySelectorAll("*")) {
        const box = e.getBoundingClientRect();
        if (box.width === 0 || (box.right <= width + 1 && box.left >= -1))
            continue;
        const region = scrolls(e.parentElement);
        if (e.closest(".skip, svg") || (region && region !== document.documentElement &&
                                   region !== document.body))
            continue;
        found.push(e.tagName + "." + e.className + " " + Math.round(box.left) + ".." +
                   Math.round(box.right));
    }
    return found.slice(0, 8);
})()
"""

# Text with less contrast to its background than WCAG asks for: 4.5, 3 where it is large.
TOO_FAINT = """
(() => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const rgba = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const lum = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92
        : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e)
        .backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
    const found = new Map();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
        const e = node.parentElement;
        if (!node.data.trim() || !e.getClientRects().length || e.closest("script, .skip, svg"))
            continue;
        const style = getComputedStyle(e), back = behind(e), ink = rgba(style.color);
        let opacity = 1;
        for (let p = e; p; p = p.parentElement)
            opacity *= getComputedStyle(p).opacity;
        const mixed = ink.map((v, i) => opacity * v + (1 - opacity) * back[i]);
        const [a, b] = [lum(mixed), lum(back)].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(style.fontSize);
        if (ratio < (size >= 24 ? 3 : 4.5))
            found.set(e.tagName + "." + e.className + " " + style.color, ratio.toFixed(2));
    }
    return [...found].slice(0, 8).map(([what, ratio]) => what + ": " + ratio);
})()
"""

# Plays every motion for a moment, then pauses it; names of those that did not move, did
# not tell a later time, or moved on after Pause.
MOTIONS = """
(async () => {
    const found = [], wait = ms => new Promise(done => setTimeout(done, ms));
    const state = f => [...f.querySelectorAll(".body, .cursor, .dots")]
        .map(p => p.getAttribute("d")).join();
    const figures = [...document.querySelectorAll("figure.motion")];
    for (let k = 0; k < figures.length; k++) {
        const f = figures[k], name = f.dataset.case, button = f.querySelector("button");
        f.scrollIntoView({block: "center", behavior: "instant"});
        await wait(60);
        if (f.classList.contains("playing"))
            button.click();
        const before = state(f), range = f.querySelector("input");
        const time = f.querySelector(".clock").textContent;
        button.click();
        for (let i = 0; i < 40 && state(f) === before; i++)
            await wait(50);
        if (state(f) === before) found.push(name + " does not move");
        await wait(100);
        if (f.querySelector(".clock").textContent === time) found.push(name + ": its time stays");
        if (!button.getAttribute("aria-label").startsWith("Pause")) found.push(name + ": label");
        button.click();
        await wait(40);
        const paused = state(f);
        await wait(120);
        if (state(f) !== paused) found.push(name + " moves on after Pause");
        range.value = 1000;
        range.dispatchEvent(new Event("input"));
        const k2 = JSON.parse(document.getElementById("motions").textContent)[name].e.length;
        const past = new Set([...f.querySelectorAll("circle.past")].map(c => c.dataset.k));
        if (past.size !== k2) found.push(name + ": " + past.size + " of " + k2 + " events marked");
    }
    return found.concat(figures.length ? [] : ["there is no motion"]);
})()
"""

STRUCTURE = """
(() => {
    const found = [], ids = new Map();
    for (const e of document.querySelectorAll("[id]"))
        ids.set(e.id, (ids.get(e.id) || 0) + 1);
    for (const [id, count] of ids) if (count > 1) found.push("id " + id + " twice");
    for (const a of document.querySelectorAll("a[href^='#']"))
        if (!ids.has(a.getAttribute("href").slice(1))) found.push("no " + a.getAttribute("href"));
    for (const i of document.querySelectorAll("img"))
        if (!i.alt) found.push("an image without words");
    for (const t of document.querySelectorAll("table"))
        if (!t.caption || !t.querySelector("th[scope]")) found.push("a table without caption");
    let level = 0;
    for (const h of document.querySelectorAll("main h2, main h3, h1")) {
        const own = +h.tagName[1];
        if (own > level + 1) found.push("heading " + h.textContent + " skips a level");
        level = own;
    }
    if (document.querySelectorAll("h1").length !== 1) found.push("h1");
    if (document.documentElement.lang === "") found.push("no language");
    return found.slice(0, 8);
})()
"""


class Check:
    def __init__(self):
        self.bad = 0

    def none(self, where, what, found):
        for text in found:
            print(f"FAIL {where}: {what}: {text}")
        self.bad += len(found)

    def true(self, where, what, held):
        self.none(where, what, [] if held else ["it does not"])


def check_keyboard(browser, check, where):
    """Tab reaches the first controls in turn, and Space plays and pauses."""
    browser.run("window.scrollTo(0, 0); document.activeElement.blur()")
    seen = []
    for _ in range(40):
        browser.key("Tab", 9)
        seen.append(browser.run("(e => e.tagName + '.' + e.className)(document.activeElement)"))
    check.true(where, "Tab begins with the link that skips", seen[0] == "A.skip")
    check.true(where, "Tab reaches a button of a motion", "BUTTON.play" in seen)
    check.true(where, "Tab reaches a bar of time", any(s.startswith("INPUT") for s in seen))
    browser.run("document.querySelector('.play').focus()")
    before = browser.run("document.querySelector('.motion').classList.contains('playing')")
    browser.key(" ", 32, " ")
    after = browser.run("document.querySelector('.motion').classList.contains('playing')")
    check.true(where, "Space plays and pauses", before != after)


def check_dialog(browser, check, where, shots, name):
    if not browser.run("!!document.querySelector('.matrix td[class^=d] button')"):
        return
    browser.run("document.querySelector('.matrix td[class^=d] button').focus()")
    browser.key("Enter", 13, "\r")
    time.sleep(0.2)
    check.true(where, "Enter on a cell opens its worst number",
               browser.run("document.getElementById('worst').open && "
                           "document.querySelectorAll('#worst dd').length > 4"))
    check.none(where, "wide", browser.run(TOO_WIDE))
    check.none(where, "faint", browser.run(TOO_FAINT))
    if shots:
        browser.shoot(os.path.join(shots, name + "-dialog.png"))
    browser.key("Escape", 27)
    time.sleep(0.1)
    check.true(where, "Escape closes it", not browser.run(
        "document.getElementById('worst').open"))


def look(browser, check, url, sizes, shots):
    for size in sizes:
        for dark, reduced in ((False, False), (True, False), (False, True)):
            name = size + ("-dark" if dark else "-reduced" if reduced else "-light")
            browser.open(url, size, dark, reduced)
            check.none(name, "wide", browser.run(TOO_WIDE))
            check.none(name, "structure", browser.run(STRUCTURE))
            check.none(name, "faint", browser.run(TOO_FAINT))
            playing = browser.run("document.querySelectorAll('.playing').length")
            check.true(name, "with reduced motion nothing starts by itself",
                       not reduced or playing == 0)
            if shots and not reduced:
                sections = browser.run("[...document.querySelectorAll('section')]"
                                       ".map(s => s.id)")
                browser.shoot(os.path.join(shots, name + "-0.png"))
                for k, section in enumerate(sections):
                    browser.run(f"document.getElementById('{section}').scrollIntoView("
                                "{behavior: 'instant'})")
                    time.sleep(0.15)
                    browser.shoot(os.path.join(shots, f"{name}-{k + 1}-{section}.png"))
            if not dark and not reduced:
                check_keyboard(browser, check, name)
            check_dialog(browser, check, name, shots, name)
            if not dark and not reduced:
                check.none(name, "motion", browser.run(MOTIONS))
            check.none(name, "said", browser.complaints())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--size", choices=list(SIZES))
    parser.add_argument("--shots")
    asked = parser.parse_args()
    url = "file://" + os.path.realpath(asked.page)
    sizes = [asked.size] if asked.size else list(SIZES)
    check, browser = Check(), Browser()
    try:
        look(browser, check, url, sizes, asked.shots)
    finally:
        browser.close()
    print("all held" if check.bad == 0 else f"{check.bad} did not hold")
    return check.bad != 0


if __name__ == "__main__":
    sys.exit(main())
