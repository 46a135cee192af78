import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "catchment-printed-"));
afterAll(() => rmSync(folder, { recursive: true }));
const modules = {
  frame: new URL("run-role.ts", import.meta.url).href,
  child: new URL("child-process.ts", import.meta.url).href,
};

function run(source: string) {
  const args = ["--input-type=module", "-e", source];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line !== "");
  const parsed = lines.map((line) => JSON.parse(line));
  return { lines: parsed.toSorted((a, b) => (a.text < b.text ? -1 : 1)), stderr, status };
}

/** A role that does this once it runs, and then stops. */
const roleThat = (work: string, options = "{}") => `
  const { runRole } = await import(${JSON.stringify(modules.frame)});
  await runRole("web", async () => ({ stop: async () => {} }), ${options});
  ${work}
  setTimeout(() => process.emit("SIGTERM"), 100);`;

test("what a library prints is one line of the log for each call, without an attacker's values", () => {
  const next = [
    "`x-forwarded-host` header with value `evil-host` does not match `origin` header " +
      "with value `evil-origin` from a forwarded Server Actions request.",
    'Failed to find Server Action "evil-action". This request might be from another deployment.',
    // A host may contain the quotes.
    "`x-forwarded-host` header with value `a`evil` does not match `origin` header " +
      "with value `b`evil.com` from a forwarded Server Actions request.",
    'Failed to find Server Action "a"evil". This request might be from another deployment.',
  ];
  const { lines, stderr } = run(
    roleThat(`
      for (const text of ${JSON.stringify(next)}) console.error(text);
      console.warn(new Error("two\\nlines"));
      for (let n = 0; n < 1_000; n += 1) console.log("\\u001b[31mred");`),
  );
  expect(stderr).toBe("");
  expect(lines).toMatchObject([
    { text: expect.stringContaining("Error: two\nlines\n    at ") },
    { text: expect.stringContaining("Failed to find Server Action"), count: 2 },
    {
      level: "warn",
      event: "process.printed",
      process: "web",
      text: expect.stringContaining("does not match"),
      count: 2,
    },
    { level: "info", text: "red", count: 1_000 },
  ]);
  expect(JSON.stringify(lines)).not.toContain("evil");
});

test("what a process prints without console is a line of the log too", () => {
  const { lines, stderr } = run(`
    import { writeFileSync } from "node:fs";
    const { startChild } = await import(${JSON.stringify(modules.child)});
    const script = ${JSON.stringify(join(folder, "prints.mjs"))};
    writeFileSync(script, 'process.stderr.write("FATAL ERROR: heap\\\\nmore"); process.exit(134)');
    await startChild({ name: "web", script, env: {}, drainMs: 1_000 }).exited;
    setTimeout(() => process.exit(0), 100);`);
  expect(stderr).toBe("");
  expect(lines).toMatchObject([
    { event: "process.printed", process: "web", text: "FATAL ERROR: heap" },
    { text: "more" },
  ]);
});

test("a promise that fails without a reader ends a role, but not one that survives rejections", () => {
  const failing = `Promise.reject(Object.assign(new Error("EACCES: no"), { code: "EACCES" }));`;
  const ended = run(roleThat(failing));
  expect([ended.status, ended.lines[0].event]).toEqual([1, "process.crashed"]);
  const survived = run(roleThat(failing, "{ survivesRejections: true }"));
  expect([survived.status, survived.lines[0].event]).toEqual([0, "process.rejection"]);
  expect(survived.lines[0].error).toContain("EACCES");
});
