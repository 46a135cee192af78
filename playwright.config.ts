import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/find-chromium.mjs";

const chromium = await findChromium();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // Each worker starts a whole Catchment, and two of them fill a small machine.
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // On a machine that does other things too, a second try tells a slow moment from a fault; the report names such a test.
  retries: process.env.CI === undefined ? 0 : 1,
  // Long, for a machine that does other things too: what is there is seen at once all the same.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  outputDir: "test-results",
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    trace: "retain-on-failure",
    launchOptions: {
      ...(chromium?.kind === "system" ? { executablePath: chromium.path } : {}),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
