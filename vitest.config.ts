import { defineConfig } from "vitest/config";

const exclude = ["node_modules/**", ".next/**", "e2e/**"];

export default defineConfig({
  test: {
    // Database tests mostly wait, so two cores can run more than two at a time.
    maxWorkers: 4,
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
          // Properties try hundreds of cases, which may take more than 5 s on a busy machine.
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
      {
        // Documented code in other languages, by their own compilers: `npm run test:samples`.
        test: { name: "samples", include: ["**/*.samples.test.ts"], exclude },
      },
    ],
  },
});
