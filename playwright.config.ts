import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/setup/find-chromium.mjs";

const chromium = await findChromium();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/harness/start-shared-server.ts",
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // On a busy machine, a second try tells a slow moment from a fault. The report names such a test.
  retries: process.env.CI === undefined ? 0 : 1,
  // Long, for a busy machine. Something that is there is found immediately anyway.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  outputDir: "test-results",
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    // Recording every test costs a third of a core and more.
    trace: "on-first-retry",
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
