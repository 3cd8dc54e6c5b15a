"""A browser without a window, driven by the protocol of its developer tools.

Debian's chromium and chromium-driver, through python3-selenium.
"""
import base64
import os
import subprocess

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

AXE = "axe-core@4.10.3"
DRIVER = "/usr/bin/chromedriver"
FLAGS = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
         "--disable-background-networking", "--no-first-run"]


class Browser:
    def __init__(self):
        options = Options()
        for flag in FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else []):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_page_load_timeout(60)

    def open(self, path):
        self.said()
        self.driver.get("file://" + path)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def run_later(self, script, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def said(self):
        """What was written on the console since the last time: errors, warnings, all."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses of all that was asked for over any network or file system."""
        import json
        messages = [json.loads(entry["message"])["message"]
                    for entry in self.driver.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def size(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def media(self, kind="", scheme="light"):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": kind, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def scripts(self, run):
        """Whether pages may run any script."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not run})

    def text(self, selector):
        """What of the element is seen."""
        return self.driver.find_element("css selector", selector).text

    def press(self, key, code=None, modifiers=0):
        """A key as a person presses it, wherever the focus is."""
        text = {"Enter": "\r", " ": " "}.get(key)
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": key, "code": code or key, "modifiers": modifiers,
                     "windowsVirtualKeyCode": {"Tab": 9, "Enter": 13, " ": 32}.get(key, 0)}
            if text and kind == "keyDown":
                event["text"] = text
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", event)

    def picture(self, path):
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def paper(self, path):
        data = self.driver.execute_cdp_cmd("Page.printToPDF", {
            "printBackground": True, "preferCSSPageSize": True})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def axe(self, build):
        """What axe-core, which npm brings, finds in the page as it is, in light and in dark."""
        folder = os.path.join(build, "axe")
        subprocess.run(["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund",
                        "--prefix", folder, AXE], check=True, capture_output=True)
        with open(os.path.join(folder, "node_modules/axe-core/axe.min.js")) as file:
            script = file.read()
        found = []
        self.driver.set_script_timeout(180)     # of a machine that is busy
        for scheme in ("light", "dark"):
            self.media(scheme=scheme)
            # The page's policy lets no other script in; the driver's own are not asked.
            self.run(script)
            found += self.run_later(
                "const done = arguments[arguments.length - 1]; axe.run().then(r => done("
                "r.violations.map(v => v.id + ': ' + v.nodes.length + ' x ' + v.nodes[0].html "
                "+ ' ' + v.nodes[0].failureSummary)))")
        self.media()
        return found

    def close(self):
        self.driver.quit()
