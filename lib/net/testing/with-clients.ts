import { afterEach } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import type { CallResult } from "../call-result.ts";
import { createHttpClient, type HttpClientOptions } from "../http-client.ts";

/**
 * Makes clients for a test file, with an allowlist and a name server that returns these addresses,
 * one result per lookup. Without them, names are looked up as usual. Every client is closed after
 * its test.
 */
export function withClients() {
  const clients: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  return (
    allow: string,
    answers?: readonly (readonly string[])[],
    more: Partial<HttpClientOptions> = {},
  ) => {
    const parsed = parseCidrList(allow);
    if (!parsed.ok) throw new Error(parsed.message);
    const lookups: string[] = [];
    const resolve = async (host: string) => {
      lookups.push(host);
      return answers?.[lookups.length - 1] ?? answers?.at(-1) ?? [];
    };
    const client = createHttpClient({
      allow: parsed.cidrs,
      ...(answers === undefined ? {} : { resolve }),
      ...more,
    });
    clients.push(client);
    const call = (url: string, timeoutMs = 5_000): Promise<CallResult> =>
      client.call({ method: "GET", url, headers: [], body: null }, { timeoutMs });
    return { call, lookups, client };
  };
}
