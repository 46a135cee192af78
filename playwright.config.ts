import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/setup/find-chromium.mjs";

const chromium = await findChromium();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/harness/start-shared-server.ts",
  // Tests mostly wait, for pages and for runs, so two cores can run more than two at a time.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // Limits for what hangs, not measurements. What is there is found immediately anyway.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  outputDir: "test-results",
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    // Without a graphics processor, a pulsing placeholder takes a fifth of a core.
    contextOptions: { reducedMotion: "reduce" },
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
