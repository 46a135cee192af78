import { request } from "node:http";
import { hostname } from "node:os";
import { gzipSync } from "node:zlib";
import { sign as signGithub, verify as verifyGithub } from "@octokit/webhooks-methods";
import { expect, test } from "@playwright/test";
import Stripe from "stripe";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { makeStripeBody, signStripe, stripeSecret } from "../harness/stripe-delivery.ts";
import { makeConfigFolder, startCommand, stopCommand } from "./command-line.ts";
import { startCutProxy } from "./cut-proxy.ts";
import { sha256, startTarget, type Target } from "./target.ts";

let dashboard: Dashboard;
let target: Target;

test.beforeAll(async () => {
  dashboard = await startDashboard("listen");
  target = await startTarget();
});
test.afterAll(async () => {
  target?.stop();
  await dashboard?.stop();
});

function access(url = dashboard.server.origin) {
  return { CATCHMENT_URL: url, CATCHMENT_TOKEN: dashboard.account.apiToken };
}

/** Sends headers as they are: their order, letter case, and number. */
async function sendRaw(url: string, body: Uint8Array, headers: readonly string[]): Promise<void> {
  const length = ["Content-Length", String(body.length)];
  const own = ["Host", new URL(url).host, ...length, ...headers];
  const status = await new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: own }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end(body);
  });
  expect(status).toBe(200);
}

test("a person signs in with a code, and deliveries reach their machine", async ({ page }) => {
  const folder = makeConfigFolder();
  const { origin } = dashboard.server;
  const login = startCommand(["login", origin], { folder });
  await expect.poll(login.errors).toContain("compare this code");
  const opened = /Open (\S+)/.exec(login.errors())?.[1] ?? "";
  await dashboard.open(page, opened.slice(origin.length));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Go back to your terminal" })).toBeVisible();
  expect(await login.ended).toBe(0);
  expect(login.errors()).toContain(`Signed in to listen (${dashboard.account.slug}) until `);
  // Every command is allowed, and this is the program that the server offers.
  const doctor = startCommand(["doctor", "--to", target.url], { folder });
  expect(await doctor.ended).toBe(0);
  expect(doctor.said.filter(({ level }) => level !== "ok")).toEqual([]);

  const hook = await dashboard.makeHook({ name: "First" });
  const first = startCommand(["listen", "First", "--to", target.url], { folder });
  await first.until("ready");
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_first","type":"order.paid"}');
  await first.until("delivery");
  expect(target.handed.at(-1)?.bytes.toString()).toBe('{"id":"evt_first","type":"order.paid"}');
  // The page says who listens.
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByRole("heading", { name: "Listeners" })).toBeVisible();
  expect(await stopCommand(first)).toBe(0);
  const logout = startCommand(["logout"], { folder });
  expect(await logout.ended).toBe(0);
  expect(await startCommand(["whoami"], { folder }).ended).toBe(4);
});

test("bytes, headers, and signatures arrive as they were sent", async () => {
  const stripeHook = await dashboard.makeHook({
    name: "Stripe",
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  const githubHook = await dashboard.makeHook({
    name: "GitHub",
    provider: "github",
    signingSecret: "github-secret",
  });
  const raw = await dashboard.makeHook({ name: "Raw" });
  const names = ["Stripe", "GitHub", "Raw"];
  const command = startCommand(["listen", ...names, "--to", target.url], { env: access() });
  await command.until("ready");
  const before = target.handed.length;

  const paid = new Uint8Array(makeStripeBody("evt_listened"));
  const signature = signStripe(paid, Date.now());
  await dashboard.deliver(stripeHook.catchUrl, paid, {
    "content-type": "application/json",
    "stripe-signature": signature,
  });
  const pushed = Buffer.from('{"ref":"refs/heads/main"}');
  await dashboard.deliver(githubHook.catchUrl, pushed, {
    "content-type": "application/json",
    "x-github-event": "push",
    "x-github-delivery": "one",
    "x-hub-signature-256": await signGithub("github-secret", pushed.toString()),
  });
  const bodies = [
    gzipSync('{"id":"evt_gzip"}'),
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    Buffer.alloc(0),
    Buffer.alloc(900_000, "large "),
  ];
  for (const [index, body] of bodies.entries())
    await sendRaw(raw.catchUrl, body, [
      ...["X-Mixed-CASE", "One", "x-twice", "1", "X-Twice", "2"],
      ...(index === 0 ? ["Content-Encoding", "gzip", "Content-Type", "application/json"] : []),
      ...["X-Number", String(index)],
    ]);
  await command.until("delivery", 6);
  const handed = target.handed.slice(before);

  const find = (name: string) => handed.find(({ rawHeaders }) => rawHeaders.includes(name));
  const stripe = find("stripe-signature") ?? find("Stripe-Signature");
  const event = new Stripe("sk_test").webhooks.constructEvent(
    stripe?.bytes ?? "",
    signature,
    stripeSecret,
  );
  expect(event.id).toBe("evt_listened");
  const github = find("x-hub-signature-256");
  const at = github?.rawHeaders.indexOf("x-hub-signature-256") ?? 0;
  const sent = github?.rawHeaders[at + 1] ?? "";
  expect(await verifyGithub("github-secret", github?.bytes.toString() ?? "", sent)).toBe(true);

  const arrived = handed.filter(({ rawHeaders }) => rawHeaders.includes("X-Mixed-CASE"));
  expect(arrived.map(({ bytes }) => sha256(bytes))).toEqual(bodies.map(sha256));
  for (const { rawHeaders } of arrived) {
    const at = rawHeaders.indexOf("X-Mixed-CASE");
    expect(rawHeaders.slice(at, at + 6)).toEqual([
      "X-Mixed-CASE",
      "One",
      "x-twice",
      "1",
      "X-Twice",
      "2",
    ]);
  }
  expect(await stopCommand(command)).toBe(0);
});

test("nothing is missed or out of order while the network and the process go away", async () => {
  const hook = await dashboard.makeHook({ name: "Storm" });
  const proxy = await startCutProxy(dashboard.server.origin);
  const folder = makeConfigFolder();
  const before = target.handed.length;
  const listen = () => {
    const args = ["listen", "Storm", "--to", target.url, "--name", "storm"];
    return startCommand(args, { env: access(proxy.origin), folder });
  };
  const send = async (from: number, count: number) => {
    for (let n = from; n < from + count; n += 1)
      await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: `evt_${n}`, n }));
  };
  let command = listen();
  await command.until("ready");
  await send(0, 20);
  proxy.cut();
  await send(20, 20);
  await command.until("back");
  // A killed program left its place taken, which the next one on the same machine knows.
  command.process.kill("SIGKILL");
  await command.ended;
  await send(40, 20);
  command = listen();
  await command.until("ready");
  proxy.cut(true);
  await send(60, 20);
  command.process.kill("SIGSTOP");
  await send(80, 20);
  proxy.restore();
  command.process.kill("SIGCONT");
  const numbers = () =>
    target.handed.slice(before).map(({ bytes }) => JSON.parse(bytes.toString()).n as number);
  await expect.poll(() => new Set(numbers()).size).toBe(100);
  // At least once: what was handed over just before a cut may come again, and nothing else.
  expect(dropRepeats(numbers())).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(await stopCommand(command)).toBe(0);
  proxy.stop();
});

/** The first time of each. */
function dropRepeats(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)];
}

test("a second program is told who listens, and those that share split the deliveries", {
  tag: "@variant",
}, async () => {
  const hook = await dashboard.makeHook({ name: "Shared" });
  const start = (...more: string[]) =>
    startCommand(["listen", "Shared", "--to", target.url, "--name", "team", ...more], {
      env: access(),
    });
  const alone = start();
  await alone.until("ready");
  const second = start();
  expect(await second.ended).toBe(18);
  expect(second.errors()).toMatch(/team is connected from .+ since .+ --share/);
  expect(await stopCommand(alone)).toBe(0);

  const both = [start("--share"), start("--share")];
  for (const one of both) await one.until("ready");
  const ids: string[] = [];
  for (let n = 0; n < 40; n += 1)
    ids.push(await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: `evt_shared_${n}` })));
  const heard = () => both.flatMap(({ said }) => said.filter(({ type }) => type === "delivery"));
  await expect.poll(() => heard().length).toBeGreaterThanOrEqual(40);
  expect(
    heard()
      .map(({ deliveryId }) => String(deliveryId))
      .toSorted(),
  ).toEqual(ids.toSorted());
  for (const one of both) expect(await stopCommand(one)).toBe(0);
});

test("a delivery's page says which program responded to the provider", { tag: "@variant" }, async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Answering" });
  const listen = ["listen", "Answering", "--to", target.url, "--answer"];
  const command = startCommand(listen, { env: access() });
  await command.until("ready");
  target.status = 418;
  target.respond = () => "a teapot";
  const body = '{"id":"evt_answered"}';
  const response = await fetch(hook.catchUrl, { method: "POST", body });
  expect([response.status, await response.text()]).toEqual([418, "a teapot"]);
  target.status = 200;
  target.respond = () => "ok";
  const { data } = await dashboard.api("GET", `/deliveries?hookId=${hook.id}`);
  const [delivery] = data as { id: string }[];
  const sentence = `The program of API token of the test on ${hostname()} responded.`;
  // What the program responded is stored a moment after the provider has it.
  await expect(async () => {
    await dashboard.open(page, `/deliveries/${delivery?.id}`);
    await expect(page.getByText("Heard by 1 listener")).toBeVisible({ timeout: 1_000 });
    await expect(page.getByText(sentence)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await stopCommand(command)).toBe(0);
});

test("what no new connection changes ends it with the reason", { tag: "@variant" }, async () => {
  const hook = await dashboard.makeHook({ name: "Doomed" });
  const wrongToken = { ...access(), CATCHMENT_TOKEN: "cmt_wrong" };
  const refused = startCommand(["listen", "--to", "3000"], { env: wrongToken });
  expect(await refused.ended).toBe(4);
  const unknown = startCommand(["listen", "Nowhere", "--to", "3000"], { env: access() });
  expect(await unknown.ended).toBe(3);
  expect(unknown.errors()).toContain("There is no hook Nowhere. Hooks: ");
  const foreign = startCommand(["listen", "--to", "http://example.com"], { env: access() });
  expect(await foreign.ended).toBe(2);

  target.status = 500;
  const backlog = ["listen", "Doomed", "--to", target.url];
  const held = startCommand(backlog, { env: access() });
  await held.until("ready");
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_held"}');
  await held.until("held", 2);
  await dashboard.api("DELETE", `/hooks/${hook.id}`);
  expect(await held.ended).toBe(3);
  expect(held.errors()).toContain("The hooks were deleted.");
  target.status = 200;
});
