import { createHash } from "node:crypto";
import { AppError } from "#lib/base/errors.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { checkUrl } from "#lib/core/sending/address/check-url.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { isPublishedType } from "#lib/db/events/known-types.ts";
import { hasVerifiedUrl } from "#lib/db/subscriptions/event-callbacks.ts";
import { verifyCallback } from "#lib/net/challenge/verify-callback.ts";
import { leadsBack } from "#lib/net/leads-back.ts";
import { personOf } from "#lib/services/account/person.ts";
import { portalTestClient } from "#lib/services/actions/test-client.ts";
import type { Actor, TokenActor } from "#lib/services/frame/actor.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import packageJson from "../../../package.json" with { type: "json" };

/** What makes a callback the same one, beside who asks. */
export type CallbackKey = {
  readonly name: string;
  readonly recipient: string | null;
  readonly url: string;
};

/** Callbacks belong to programs. */
export function requireToken(actor: Actor): TokenActor {
  if (actor.type === "token") return actor;
  throw new AppError("forbidden", "Only a program with an API token can have events sent to it.");
}

/** The name of a callback for its client: the same for the same person, URL, event type, and arguments. */
export function toCallbackId(actor: TokenActor, { name, recipient, url }: CallbackKey): string {
  const principal = personOf(actor) ?? actor.tokenId;
  const key = JSON.stringify([actor.accountId, principal, url, name, recipient]);
  return `sub_${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}

/** Whether the account has an event type: in its catalog, or published before. */
export async function isKnownType({ db, actor }: ServiceContext, name: string): Promise<boolean> {
  const { accountId } = actor;
  if ((await findEventType(db, accountId, name)) !== null) return true;
  return await isPublishedType(db, accountId, name);
}

/**
 * Why a URL can't be a callback, or null. It has the networks of the portal, and https unless the operator allows the
 * machine itself.
 */
export function explainCallbackUrl(text: string, { env }: ServiceContext): string | null {
  const checked = checkUrl(text, env.portalEgressAllow);
  if (!checked.ok) return checked.message;
  const { url } = checked;
  if (url.protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
    return "The callback URL must start with https://.";
  if (leadsBack(url, { ownOrigins: [env.publicUrl], ownPorts: [env.port] }))
    return "The callback URL points to this server.";
  return null;
}

type Fault = NonNullable<Awaited<ReturnType<typeof verifyCallback>>>;

/** The limit keeps programs from making us call many URLs that aren't theirs. */
const perAccount = new RateLimiter({ burst: 60, ratePerSecond: 0.5, now: () => Date.now() });

/** Asks a callback whether it wants events, unless one of the same token at this URL has said so. Null: it does. */
export async function findCallbackFault(
  { db, env }: ServiceContext,
  { accountId, tokenId }: TokenActor,
  callback: { readonly url: string; readonly secret: string; readonly callbackId: string },
): Promise<Fault | "busy" | null> {
  const known = { tokenId, receiverUrl: callback.url };
  if (await hasVerifiedUrl(db, accountId, known)) return null;
  if (perAccount.take(accountId) > 0) return "busy";
  const client = portalTestClient(env);
  return await verifyCallback(client, { ...callback, version: packageJson.version });
}
