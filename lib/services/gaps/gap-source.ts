import { AppError, invalidField } from "#lib/base/errors.ts";
import type { EventList } from "#lib/core/providers/event-lists/event-list.ts";
import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { whyIncomparable } from "#lib/core/verify/hook/why-incomparable.ts";
import { findLastWebhook } from "#lib/db/gaps/gaps.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The API of the hook's provider. Throws `conflict` if it lists nothing, or nothing that can be compared. */
export function requireList(hook: HookRecord): EventList {
  const list = findEventList(hook.provider);
  if (list === null)
    throw new AppError("conflict", "The API of this hook's provider can't be asked for events.");
  const why = whyNot(hook, list);
  if (why !== null) throw new AppError("conflict", why);
  return list;
}

/** Why a hook can't be searched. Null: it can. */
export function whyNot(hook: HookRecord, { name }: EventList): string | null {
  if (hook.status === "pending")
    return "This hook awaits its signing secret, so it doesn't know yet which events it has.";
  return whyIncomparable(hook, name);
}

/** Throws `invalid_request` unless the credential is one for this API. */
export function requireFitting(
  { origin, settings }: { readonly origin: string; readonly settings: { readonly type: string } },
  list: EventList,
): void {
  requireOrigin(origin, list);
  requireHeader(settings.type, list);
}

/** A stand-in of the provider's API in a private network has no certificate. */
function requireOrigin(origin: string, { name, isOrigin, origin: own }: EventList): void {
  if (isOrigin(origin) || origin.startsWith("http:")) return;
  throw invalidField(
    "credentialId",
    `is for ${origin}, and the API of ${name} is ${own}`,
    "conflict",
  );
}

function requireHeader(type: string, { credentialHelp }: EventList): void {
  if (type !== "query" && type !== "hmac") return;
  throw invalidField("credentialId", `can't be sent to this API. ${credentialHelp}`, "conflict");
}

type AskedWebhook = {
  readonly hookId: string;
  readonly list: EventList;
  readonly webhook: string | undefined;
};

/** The path of the webhook in the API. Null: the provider lists events. */
export async function chooseWebhook(
  { db, actor }: ServiceContext,
  { hookId, list: { redelivers }, webhook }: AskedWebhook,
): Promise<string | null> {
  if (redelivers === undefined) return null;
  const text = webhook ?? (await findLastWebhook(db, actor.accountId, hookId));
  if (text === null) throw invalidField("webhook", `is missing. ${redelivers.help}`, "required");
  const path = redelivers.readWebhook(text);
  if (path === null) throw invalidField("webhook", `isn't one. ${redelivers.help}`);
  return path;
}
