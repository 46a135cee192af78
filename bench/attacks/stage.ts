import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ServerUnderTest } from "#e2e/harness/server-under-test.ts";

/** A server with two accounts, and the receiver of their calls. */
export type Stage = {
  readonly server: ServerUnderTest;
  readonly receiver: Receiver;
  readonly attacker: Api;
  readonly victim: Api;
};

export type Api = (path: string, body?: unknown) => Promise<Record<string, unknown>>;
export type Hook = { readonly id: string; readonly url: string };

export type Receiver = {
  readonly url: string;
  /** Resolves once a call with this body arrives. */
  waitFor(body: string): Promise<void>;
  forget(body: string): void;
  close(): void;
};

/** Longer waits are not measured. */
export const maxWaitMs = 6_000;

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, () => void>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.end();
    arrivals.get(body)?.();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    waitFor: (body) => new Promise<void>((resolve) => arrivals.set(body, resolve)),
    forget: (body) => void arrivals.delete(body),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function createApi(origin: string, token: string): Api {
  return async (path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

/** A hook with one action, which sends `bodyText` to the receiver. */
export async function makeHook(api: Api, receiver: Receiver, bodyText: string): Promise<Hook> {
  const hook = await api("/hooks", { name: "attacks", provider: "generic", methods: ["POST"] });
  const headers = { "content-type": "text/plain" };
  await api(`/hooks/${String(hook.id)}/actions`, {
    name: "to the receiver",
    request: { method: "POST", url: receiver.url, headers, bodyText },
  });
  return { id: String(hook.id), url: String(hook.catchUrl) };
}

export async function post(
  url: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.arrayBuffer();
}

/** The time in ms. A failure counts as the longest wait. */
export async function time(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.race([work.catch(() => delay(maxWaitMs)), delay(maxWaitMs)]);
  return performance.now() - startedAt;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
