import { defineConfig } from "vitest/config";

const exclude = ["node_modules/**", ".next/**", "e2e/**"];

export default defineConfig({
  test: {
    // The same guarantee with other data, or with much of it. `npm test` runs without these.
    tags: [{ name: "variant" }],
    // Database tests mostly wait, so two cores can run more than two at a time.
    maxWorkers: 4,
    // With less room for young objects, three files with 700 tests need 48 s of processor time instead of 42 s.
    execArgv: ["--max-semi-space-size=64"],
    // Limits for what hangs, not measurements: a busy machine may take many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // PostgreSQL may need more than the default of 10 s to stop.
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...exclude, "**/*.db.test.ts", "**/*.samples.test.ts"],
          // Files share their modules: loading them for each file took twice as long as the tests.
          // A test leaves nothing behind in them.
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        test: {
          name: "db",
          include: ["**/*.db.test.ts"],
          exclude,
          // As for unit tests: a file has a database of its own, and ends what it starts.
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
          alias: {
            "next/headers": new URL("lib/web/testing/next-headers.ts", import.meta.url).pathname,
          },
          globalSetup: ["server/testing/test-postgres.ts"],
        },
      },
      {
        // Documented code in other languages, by their own compilers. `npm run test:samples` installs
        // what is missing.
        test: { name: "samples", include: ["**/*.samples.test.ts"], exclude },
      },
    ],
  },
});
