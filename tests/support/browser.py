"""Chromium without a window, driven by Selenium; where there is none, tests are skipped."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--hide-scrollbars", "--force-device-scale-factor=1"),
)
PICTURES = os.environ.get("SECATEUR_PICTURES")
"""The folder for pictures of the page; none are taken if it is not set."""

_PATIENCE = 15.0


def started(folder: Path) -> Any:
    """Return a driver, or skip the test and say in one line why."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no browser: 'apt-get install chromium chromium-driver' gets one")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={folder}", "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    except Exception as error:
        pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")


class Browser:
    """What a test does on the page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        """Go to an address, as if in a new window."""
        self.driver.get("about:blank")
        self.driver.get(address)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str) -> Any:
        """Return an element, as soon as it is there."""
        return self.wait(lambda: next(iter(self.all(selector)), None), selector)

    def text(self, selector: str) -> str:
        return str(self.one(selector).text)

    def texts(self, selector: str) -> list[str]:
        return [each.text for each in self.all(selector)]

    def click(self, selector: str) -> None:
        self.one(selector).click()

    def press(self, keys: str) -> None:
        self.driver.switch_to.active_element.send_keys(keys)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def wait(self, found: Callable[[], Any], what: str) -> Any:
        """Return what a function finds, as soon as it does."""
        from selenium.common.exceptions import StaleElementReferenceException

        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                result = found()
            except StaleElementReferenceException:
                result = None
            if result:
                return result
            assert time.monotonic() < deadline, f"waited for {what}: {self.text('body')[:2000]}"
            time.sleep(0.03)

    def wait_for_text(self, selector: str, wanted: str) -> None:
        self.wait(lambda: any(wanted in text for text in self.texts(selector)), wanted)

    def complaints(self) -> list[str]:
        """Return what the browser did not like: errors, and what the policy forbids."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")
        ]

    def picture(self, name: str, width: int = 1280, height: int = 860) -> None:
        """Take a picture for the documents, if they are wanted."""
        if PICTURES:
            self.driver.set_window_size(width, height + 143)
            time.sleep(0.5)
            self.driver.save_screenshot(str(Path(PICTURES) / f"{name}.png"))
            self.driver.set_window_size(1280, 900)
