import type { OidcEnv } from "#lib/core/env/oidc-settings.ts";
import { countKeys, readDiscovery } from "#lib/core/people/sign-in/read-discovery.ts";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { createHttpClient, type HttpClient } from "../http-client.ts";

export type IssuerCheck = {
  readonly ok: boolean;
  /** The finding in a sentence, and the change in a second one. */
  readonly message: string;
};

const timeoutMs = 10_000;
const maxResponseBytes = 512 * 1024;

/**
 * Gets the identity provider's discovery document and its keys, as a sign-in does. The operator chose
 * the issuer, so it may be at any address. Never throws.
 */
export async function checkIssuer(oidc: OidcEnv): Promise<IssuerCheck> {
  const everywhere = parseCidrList("0.0.0.0/0, ::/0, 127.0.0.0/8, ::1");
  const client = createHttpClient({ allow: everywhere.ok ? everywhere.cidrs : [] });
  try {
    const url = `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const document = await getJson(client, url);
    if (!document.ok) return document;
    const discovery = readDiscovery(document.value, oidc);
    if (!discovery.ok) return discovery;
    const keys = await getJson(client, discovery.value.keysUrl);
    if (!keys.ok) return keys;
    const count = countKeys(keys.value);
    if (!count.ok) return count;
    const shown = count.value === 1 ? "1 key" : `${count.value} keys`;
    return { ok: true, message: `${oidc.issuer} answers, and publishes ${shown}.` };
  } finally {
    await client.close();
  }
}

type Json = { readonly ok: true; readonly value: unknown } | (IssuerCheck & { readonly ok: false });

async function getJson(client: HttpClient, url: string): Promise<Json> {
  const headers: [string, string][] = [["accept", "application/json"]];
  const request = { method: "GET", url, headers, body: null };
  const result = await client.call(request, { timeoutMs, maxResponseBytes });
  const reject = (what: string) =>
    ({
      ok: false,
      message: `${url} ${what}. Correct CATCHMENT_OIDC_ISSUER, or the network.`,
    }) as const;
  if (!result.ok) return reject(`can't be reached: ${result.error.message.replace(/\.$/, "")}`);
  const { status, body } = result.response;
  if (status !== 200) return reject(`responds with ${status}`);
  try {
    return { ok: true, value: JSON.parse(Buffer.from(body).toString("utf8")) };
  } catch {
    return reject("doesn't respond with JSON");
  }
}
