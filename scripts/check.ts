import { runChecked } from "./run-checked.ts";

/**
 * `npm run check`: checks without a database or a browser, all at once. Failures are shown
 * completely.
 */
const checks: readonly { name: string; command: readonly [string, ...string[]] }[] = [
  { name: "Types", command: ["tsc", "--noEmit"] },
  { name: "Unit tests", command: ["vitest", "run", "--project", "unit", "--tagsFilter=!variant"] },
  { name: "Style", command: ["biome", "check", "--error-on-warnings"] },
  { name: "Imports", command: ["node", "scripts/check-imports.ts"] },
  { name: "Layout", command: ["node", "scripts/check-layout.ts"] },
  { name: "Words", command: ["node", "scripts/check-words.ts"] },
  { name: "Unused code", command: ["knip"] },
];

const results = await Promise.all(
  checks.map(async ({ name, command }) => {
    const [program, ...args] = command;
    const { code, output, seconds } = await runChecked(program, args);
    process.stdout.write(`  ${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)\n`);
    return { name, code, output };
  }),
);
const failed = results.filter(({ code }) => code !== 0);
for (const { name, output } of failed) process.stdout.write(`\n── ${name}\n${output.trim()}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
