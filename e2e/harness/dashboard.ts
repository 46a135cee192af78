import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { findFreePort } from "./free-port.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { makeScratchFolder } from "./scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerUnderTest,
  startServer,
} from "./server-under-test.ts";

type Json = Record<string, unknown>;

/** A whole Catchment with an owner, and a system for its actions to call. */
export type Dashboard = {
  readonly server: ServerUnderTest;
  readonly receiver: Receiver;
  /** The public API; throws where it refuses. */
  api(method: string, path: string, body?: unknown): Promise<Json>;
  makeHook(fields: Json): Promise<{ id: string; catchUrl: string }>;
  /** Sends to a catch URL; the id of the delivery. */
  deliver(
    catchUrl: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<string>;
  /** Opens a page, signed in. */
  open(page: Page, path: string): Promise<void>;
  stop(): Promise<void>;
};

export async function startDashboard(name: string): Promise<Dashboard> {
  const receiver = await startReceiver();
  const server = await startServer(
    { folder: makeScratchFolder(name), port: await findFreePort() },
    makeAccess(),
  );
  const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${server.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${server.apiToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Json);
  };
  return {
    server,
    receiver,
    api,
    async makeHook(fields) {
      const hook = await api("POST", "/hooks", fields);
      return { id: String(hook.id), catchUrl: String(hook.catchUrl) };
    },
    async deliver(catchUrl, body, headers = { "content-type": "application/json" }) {
      const response = await fetch(catchUrl, { method: "POST", headers, body });
      const answer = (await response.json()) as { deliveryId?: string };
      if (answer.deliveryId !== undefined) return answer.deliveryId;
      const { data } = (await api("GET", "/deliveries?limit=1")) as { data: { id: string }[] };
      return data[0]?.id ?? "";
    },
    async open(page, path) {
      await page.goto(`${server.origin}${path}`);
      if (!page.url().includes("/sign-in")) return;
      await page.getByLabel("E-mail").fill(adminEmail);
      await page.getByLabel("Password").fill(adminPassword);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page).toHaveURL(`${server.origin}${path}`);
    },
    async stop() {
      await server.stop();
      receiver.stop();
    },
  };
}

/** No finding of axe, of any weight. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is looked at is the page, not what stands there while it is on its way.
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
}
