import { randomBytes, randomUUID } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { fetchUntilAvailable } from "./fetch-until-available.ts";
import { makeAccount } from "./make-account.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { adminPassword } from "./server-under-test.ts";
import { signIn } from "./sign-in.ts";
import { type SharedServer, sharedServer } from "./start-shared-server.ts";

type Json = Record<string, unknown>;

/** A separate account in a running Catchment, and a system for its actions to call. */
export type Dashboard = {
  readonly server: SharedServer;
  readonly account: {
    readonly slug: string;
    readonly email: string;
    readonly password: string;
    readonly apiToken: string;
  };
  readonly receiver: Receiver;
  /** Calls the public API. Throws if it returns an error. */
  api(method: string, path: string, body?: unknown): Promise<Json>;
  makeHook(fields: Json): Promise<{ id: string; catchUrl: string }>;
  /** Sends to a catch URL. Returns the delivery's id. */
  deliver(
    catchUrl: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<string>;
  /** Opens a page, signed in. */
  open(page: Page, path: string): Promise<void>;
  /** Opens the editor of a new action, without the draft that an earlier test left there. */
  openNewAction(page: Page, hookId: string): Promise<void>;
  stop(): Promise<void>;
};

/** `name` in lower-case letters, digits, and hyphens: the start of the account's slug. */
export async function startDashboard(name: string): Promise<Dashboard> {
  const server = sharedServer();
  const slug = `${name}-${randomBytes(3).toString("hex")}`;
  const account = await makeAccount(server.databaseUrl(), slug, name);
  const receiver = await startReceiver();
  let cookie: Promise<string> | undefined;
  const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const request = {
      method,
      headers: {
        authorization: `Bearer ${account.apiToken}`,
        "content-type": "application/json",
        ...(method === "POST" && { "idempotency-key": randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = await fetchUntilAvailable(`${server.origin}/api/v1${path}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Json);
  };
  const dashboard: Dashboard = {
    server,
    account: { ...account, password: adminPassword },
    receiver,
    api,
    async makeHook(fields) {
      // Events of tests are named by their `id`, so that they need no more than it.
      const byId = fields.provider === undefined ? { dedupe: { from: "body", path: "id" } } : {};
      const hook = await api("POST", "/hooks", { ...byId, ...fields });
      return { id: String(hook.id), catchUrl: String(hook.catchUrl) };
    },
    async deliver(catchUrl, body, headers = { "content-type": "application/json" }) {
      const response = await fetchUntilAvailable(catchUrl, { method: "POST", headers, body });
      const parsed = (await response.json()) as { deliveryId?: string };
      if (parsed.deliveryId !== undefined) return parsed.deliveryId;
      const { data } = (await api("GET", "/deliveries?limit=1")) as { data: { id: string }[] };
      return data[0]?.id ?? "";
    },
    async open(page, path) {
      cookie ??= signIn(server.origin, account.email, adminPassword);
      const [pair = ""] = (await cookie).split("; ").filter((one) => one.includes("session="));
      const [cookieName = "", value = ""] = pair.split(/=(.*)/s);
      await page
        .context()
        .addCookies([{ name: cookieName, value, url: server.origin, httpOnly: true }]);
      await page.goto(`${server.origin}${path}`);
      expect(new URL(page.url()).pathname).not.toBe("/sign-in");
    },
    async openNewAction(page, hookId) {
      await removeDraft(server.databaseUrl(), hookId);
      await dashboard.open(page, `/hooks/${hookId}/actions/new`);
    },
    // The server keeps running for the next file.
    async stop() {
      receiver.stop();
    },
  };
  return dashboard;
}

async function removeDraft(databaseUrl: string, hookId: string): Promise<void> {
  await using client = await connectTo(databaseUrl);
  await client.query("delete from action_drafts where target_id = $1", [hookId]);
}

/** Expects no axe violation of any severity. */
export async function expectAccessible(page: Page): Promise<void> {
  // Check the page, not its loading state.
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/\S/);
  await waitUntilPainted(page);
  // Our pages have no frames, which the other mode opens another page for. What passes is not read.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations"],
    // WCAG 2.2: targets have 24 px or that much room. Off by default.
    rules: { "target-size": { enabled: true } },
  });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  ]);
  expect(found).toEqual([]);
}

/** Waits until a change of colors is painted: between two frames, text may still have the old one. */
export async function waitUntilPainted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
