import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { bundle } from "./command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "catchment-config-"));
const file = join(folder, "catchment.yaml");
let staging: Dashboard;
let production: Dashboard;

test.beforeAll(async () => {
  staging = await startDashboard("staging");
  production = await startDashboard("production");
  const profile = ({ server, account }: Dashboard) => ({
    ...{ url: server.origin, token: account.apiToken },
    account: { id: "", slug: account.slug, name: account.slug },
  });
  const profiles = { staging: profile(staging), production: profile(production) };
  writeFileSync(join(folder, "profiles.json"), JSON.stringify({ current: "staging", profiles }));
});
test.afterAll(async () => {
  await staging?.stop();
  await production?.stop();
});

function environment() {
  const { PATH = "", NODE_ENV } = process.env;
  return { PATH, NODE_ENV, CATCHMENT_CONFIG_DIR: folder };
}

/** `catchment config ARGS`, without a terminal. */
async function config(...args: readonly string[]) {
  const child = spawn(process.execPath, [bundle, "config", ...args], {
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

/** The same on a terminal, by util-linux's `script`. Types the reply once it is asked. */
async function configOnTerminal(reply: string, ...args: readonly string[]) {
  const line = [process.execPath, bundle, "config", ...args].map((part) => `'${part}'`).join(" ");
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env: { ...environment(), TERM: "xterm" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let isAsked = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (isAsked || !shown.includes("[y/N]")) return;
    isAsked = true;
    child.stdin.write(`${reply}\n`);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  child.stdin.destroy();
  return { code, shown, isAsked };
}

const hasTerminal = spawnSync("script", ["--version"]).stdout?.includes("util-linux") === true;

/** Changes the file as an editor does. */
function edit(from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test("an export is edited, planned, and applied, and a wrong call is never a plan with changes", {
  tag: "@variant",
}, async () => {
  const hook = await staging.makeHook({ name: "Payments", ratePerSecond: 50 });
  await staging.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Book",
    request: { method: "POST", url: "https://billing.example.com/book" },
  });
  const exported = await config("export");
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  writeFileSync(file, exported.stdout);
  expect(await config("plan", file)).toMatchObject({ code: 0, stdout: "= 2 the same\n" });

  edit("ratePerSecond: 50", "ratePerSecond: 70");
  const changed = await config("plan", file);
  expect([changed.code, changed.stdout]).toEqual([
    2,
    '~ hook "Payments"\n    ratePerSecond: 50 → 70\n= 1 the same\n',
  ]);
  for (const [wrong, why] of [
    [["plan", file, "--prun"], "--prun"],
    [["pln", file], "config pln"],
    [["plan", file, "--max-prune-percent", "200"], "whole number up to 100"],
    [["plan", join(folder, "no.yaml")], "no.yaml"],
    [["apply", file], "add --yes"],
  ] as const) {
    const refused = await config(...wrong);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
  }
  expect((await config("plan", file)).code).toBe(2);
  expect((await config("apply", file, "--yes")).code).toBe(0);
  expect((await config("plan", file)).code).toBe(0);
  expect(await staging.api("GET", `/hooks/${hook.id}`)).toMatchObject({ ratePerSecond: 70 });

  // What is changed elsewhere meanwhile is said, and undone by the next apply.
  edit("hooks:", "managedBy: shop\nhooks:");
  expect((await config("apply", file, "--yes")).code).toBe(0);
  await staging.api("PATCH", `/hooks/${hook.id}`, { ratePerSecond: 1 });
  const warned = await config("plan", file);
  expect([warned.code, warned.stdout]).toEqual([
    2,
    expect.stringMatching(
      /^! hook "Payments" was changed by .*\(ratePerSecond\).*: apply undoes it$/m,
    ),
  ]);
  expect((await config("apply", file, "--yes")).code).toBe(0);
  expect((await config("plan", file)).code).toBe(0);

  // Prune refuses an empty file, and one that lacks too much.
  const empty = join(folder, "empty.yaml");
  writeFileSync(empty, "format: catchment.configuration/1\nmanagedBy: shop\nhooks: []\n");
  const nothing = await config("apply", empty, "--prune", "--yes");
  expect([nothing.code, nothing.stderr]).toEqual([
    1,
    expect.stringContaining("have nothing in them"),
  ]);
  writeFileSync(empty, `${readFileSync(empty, "utf8")}eventTypes:\n  - name: a.b\n`);
  const many = await config("apply", empty, "--prune", "--yes");
  expect([many.code, many.stderr]).toEqual([1, expect.stringContaining("would delete 2 of")]);
  expect((await config("plan", file)).code).toBe(0);
});

test("apply asks on a terminal, and does nothing unless the reply is yes", {
  tag: "@variant",
}, async () => {
  test.skip(!hasTerminal, "needs util-linux's script");
  const text = "format: catchment.configuration/1\nhooks:\n  - name: Asked\n";
  const asked = join(folder, "asked.yaml");
  writeFileSync(asked, text);
  for (const reply of ["n", "", "later"]) {
    const kept = await configOnTerminal(reply, "apply", asked);
    expect([kept.code, kept.isAsked]).toEqual([1, true]);
    expect(kept.shown).toContain("Apply this change? [y/N]");
    expect(kept.shown).toContain("Nothing was applied.");
  }
  expect((await config("plan", asked)).code).toBe(2);
  const applied = await configOnTerminal("y", "apply", asked);
  expect([applied.code, applied.isAsked]).toEqual([0, true]);
  expect(applied.shown).toContain("Applied.");
  expect((await config("plan", asked)).code).toBe(0);
});

test("promote makes another account the same, and a second one changes nothing", {
  tag: "@variant",
}, async () => {
  const promote = ["promote", "--from", "staging", "--to", "production", "--yes"];
  const first = await config(...promote);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("+ hook")]);
  expect(await config(...promote)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Nothing to do."),
  });
  const names = async ({ api }: Dashboard) =>
    ((await api("GET", "/hooks")).data as { name: string }[]).map(({ name }) => name);
  expect(await names(production)).toEqual(await names(staging));
  const itself = await config("promote", "--from", "staging", "--to", "staging", "--yes");
  expect([itself.code, itself.stderr]).toEqual([1, expect.stringContaining("same account")]);
});
