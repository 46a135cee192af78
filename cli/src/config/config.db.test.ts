import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillAccount } from "../../../lib/services/testing/fill-account.ts";
import { testContext } from "../../../lib/services/testing/test-context.ts";
import { fileOf, withConfiguration } from "../../../lib/web/testing/with-configuration.ts";
import { writeProfiles } from "../account/profiles.ts";

const configuration = withConfiguration();
const { api } = configuration;
const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "catchment-config-"));
const inFolder = (name: string) => join(folder, name);
let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** The API over HTTP. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = await readText(request);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" && !/^(?:host|connection|content-length)$/.test(name)
      ? [[name, value]]
      : [],
  );
  const options = { headers: Object.fromEntries(headers), ...(sent === "" ? {} : { text: sent }) };
  const served = await api.call(request.method ?? "", request.url ?? "", options);
  response.writeHead(served.status, { "content-type": served.headers.get("content-type") ?? "" });
  response.end(served.text);
}

type Env = Readonly<Record<string, string>>;

/** `catchment ARGS` in a process of its own, without a terminal. */
async function run(args: readonly string[], env: Env = accountEnv()) {
  const { PATH = "", NODE_ENV } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH, NODE_ENV, CATCHMENT_CONFIG_DIR: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

const accountEnv = (): Env => ({
  CATCHMENT_URL: url,
  CATCHMENT_TOKEN: configuration.account.token,
});

const fill = () =>
  fillAccount(testContext(api.db, configuration.account.id, { sealer: api.context.sealer }));
const slow = { tags: "variant" };

test("plan exits with 0, 2, and 1; apply does what a plan has shown, once", slow, async () => {
  await fill();
  const exported = await run(["config", "export"]);
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  writeFileSync(inFolder("catchment.yaml"), exported.stdout);
  const same = await run(["config", "plan"]);
  expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/^= \d+ the same\n$/)]);

  const changed = exported.stdout
    .replace("ratePerSecond: 50", "ratePerSecond: 70")
    .replace("provider: stripe\n", `provider: stripe\n    signingSecret: \${env:STRIPE}\n`);
  writeFileSync(inFolder("catchment.yaml"), changed);
  const unset = await run(["config", "plan"]);
  expect([unset.code, unset.stderr]).toEqual([
    1,
    expect.stringMatching(/^catchment\.yaml:\d+: set STRIPE in the environment\.\n$/),
  ]);
  const env = { ...accountEnv(), STRIPE: "whsec_0123456789abcdefghijABCDEFGHIJ99" };
  const plan = await run(["config", "plan"], env);
  expect([plan.code, plan.stdout.split("\n").slice(0, 3)]).toEqual([
    2,
    ['~ hook "Payments"', "    ratePerSecond: 50 → 70", "    signingSecret: changed"],
  ]);
  const json = await run(["config", "plan", "--json"], env);
  const { planId } = JSON.parse(json.stdout);
  for (const printed of [plan, json]) expect(JSON.stringify(printed)).not.toContain("whsec_");
  const unasked = await run(["config", "apply"], env);
  expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining("add --yes")]);

  expect((await run(["config", "apply", "--plan-id", planId], env)).code).toBe(0);
  const again = await run(["config", "apply", "--plan-id", planId], env);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("Make a new plan.")]);
  expect((await run(["config", "plan"], env)).code).toBe(0);
  const nothing = await run(["config", "apply", "--yes"], env);
  expect([nothing.code, nothing.stderr]).toEqual([0, "Nothing to do.\n"]);
  writeFileSync(inFolder("catchment.yaml"), fileOf("hooks:", "  - name: 7"));
  const wrong = await run(["config", "plan"]);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining("catchment.yaml:3 hooks.0.name"),
  ]);
});

test("a folder is all of its files, and prune says what it deletes", slow, async () => {
  const parts = mkdtempSync(inFolder("parts-"));
  const write = (name: string, ...lines: string[]) =>
    writeFileSync(join(parts, name), fileOf(...lines));
  write("a.yaml", "managedBy: shop", "hooks:", "  - name: A", "  - name: B");
  write("b.yml", "eventTypes:", "  - name: a.b");
  const added = await run(["config", "apply", parts, "--yes"]);
  expect([added.code, added.stdout.match(/^\+ .*$/gm)]).toEqual([
    0,
    ['+ hook "A"', '+ hook "B"', '+ event type "a.b"'],
  ]);
  write("a.yaml", "managedBy: shop", "hooks:", "  - name: A");
  const refused = await run(["config", "plan", parts, "--prune"]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("would delete 1 of 3"),
  ]);
  const more = ["--prune", "--max-prune-percent", "40"];
  const pruned = await run(["config", "apply", parts, "--yes", ...more]);
  expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringContaining('- hook "B"\n')]);
});

test(
  "promote copies to another account, with its own credentials of the same names",
  slow,
  async () => {
    await fill();
    const account = (token: string) => ({ url, token, account: { id: "", slug: "", name: "" } });
    const staging = account(configuration.account.token);
    await configuration.enter();
    const production = account(configuration.account.token);
    const env = { CATCHMENT_CONFIG_DIR: folder };
    writeProfiles(env, { current: "staging", profiles: { staging, production } });
    const promote = ["config", "promote", "--from", "staging", "--to", "production", "--yes"];
    const refused = await run(promote, {});
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('the account has no credential "API" yet'),
    ]);
    const make = (path: string, body: object) => api.send("POST", path, body, production.token);
    const auth = { type: "bearer", token: "token-of-production" };
    await make("/credentials", { name: "API", origin: "https://api.example.com", auth });
    for (const [name, kind] of [
      ["Slack", "slack"],
      ["Ours", "url"],
    ])
      await make("/alert-channels", { name, kind, url: `https://${kind}.example.com/production` });
    const promoted = await run([...promote, "--managed-by", "staging"], {});
    expect([promoted.code, promoted.stdout]).toEqual([
      0,
      expect.stringContaining('+ hook "Payments"'),
    ]);
    expect(promoted.stdout).not.toMatch(/recipient|subscription/);
    expect(await run([...promote, "--managed-by", "staging"], {})).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Nothing to do."),
    });
  },
);
