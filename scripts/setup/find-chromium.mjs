import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

// The shell opens pages three times as fast as the whole browser.
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];

/**
 * The browser for the tests: Playwright's own if it is installed, otherwise the system's Chromium.
 * @returns {Promise<{ kind: "playwright" } | { kind: "system", path: string } | undefined>}
 */
export async function findChromium() {
  const { chromium } = await import("@playwright/test");
  if (isExecutable(chromium.executablePath())) return { kind: "playwright" };
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const path = join(folder, name);
      if (folder !== "" && isExecutable(path)) return { kind: "system", path };
    }
  }
  return undefined;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
