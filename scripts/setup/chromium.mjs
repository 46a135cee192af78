import { existsSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "./find-chromium.mjs";
import { runQuietly, SetupError } from "./run-quietly.mjs";

const number = 5;
const title = "Browser for the tests";

/**
 * Finds Playwright's or the system's browser, or tries the ways to install one. Never skipped
 * silently.
 */
export async function installChromium(step) {
  const found = await findChromium();
  await step(number, title, found !== undefined, async () => {
    for (const tryIt of [installFromDebian, installFromPlaywright]) {
      await tryIt();
      if ((await findChromium()) !== undefined) return;
    }
    throw new SetupError(
      "The tests need Chromium, and it could not be installed. " +
        "Install your system's chromium package, or run npx playwright install chromium.",
    );
  });
}

async function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await runQuietly("apt-get", ["update"], env).catch(() => {});
  for (const name of ["chromium-headless-shell", "chromium"]) {
    const args = ["install", "-y", "--no-install-recommends", name];
    await runQuietly("apt-get", args, env).catch(() => {});
    if ((await findChromium()) !== undefined) return;
  }
}

async function installFromPlaywright() {
  const program = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "playwright");
  await runQuietly(program, ["install", "chromium"], {}, { timeoutMs: 300_000 }).catch(() => {});
}
