import { defineConfig } from "vitest/config";

const exclude = ["node_modules/**", ".next/**", "e2e/**"];

export default defineConfig({
  test: {
    // Database tests mostly wait for something, so two cores do more of them than two at a time.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...exclude, "**/*.db.test.ts"],
          // Files share their modules: loading them anew for each took twice as long as the tests. A test leaves nothing behind in them.
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
          // Properties try hundreds of cases: on a machine that does other things too that is not a matter of 5 s.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "db",
          include: ["**/*.db.test.ts"],
          exclude,
          globalSetup: ["server/testing/test-postgres.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
