/** What a look decides before it changes a webhook. */

import { mergeTypes } from "#lib/core/providers/registrars/merge-types.ts";
import type { Found, Place, Registrar, Wanted } from "#lib/core/providers/registrars/registrar.ts";
import type { LeasedRegistration } from "#lib/db/registrations/work-registrations.ts";
import type { Said } from "./converse.ts";
import type { LookTools } from "./look-tools.ts";

const dayMs = 86_400_000;

/** At two thirds of its life, or when the provider asks for it. */
export async function isRenewalDue(
  { expiresAtMs, renewAtMs }: LeasedRegistration,
  { registrar, nowMs, isRenewalAsked }: LookTools,
  mine: Found,
): Promise<boolean> {
  if (registrar.lifeMs === null || mine.expiresAtMs === null) return false;
  if (await isRenewalAsked()) return true;
  // Someone else has renewed it, or this is the first look.
  if (mine.expiresAtMs !== expiresAtMs || renewAtMs === null) return false;
  return nowMs >= renewAtMs;
}

/** The secret of a webhook that we didn't see being made. Null: the hook has it, or it can't be had. */
export async function readUnknownSecret(
  { providerId }: LeasedRegistration,
  { registrar, ask, hasSecret, newId }: LookTools,
  at: Place,
  mine: Found,
): Promise<Said<string | null>> {
  if (registrar.readSecret === undefined || mine.id === providerId)
    return { kind: "value", value: null };
  const read = await ask(registrar.readSecret(at, mine, newId()));
  if (read.kind !== "value" || !(await hasSecret(read.value))) return read;
  return { kind: "value", value: null };
}

/** True if the provider has taken away a part of what we registered. */
export function hasLost(
  { appliedTypes }: LeasedRegistration,
  { whenFailing }: Registrar,
  { eventTypes }: Found,
): boolean {
  return whenFailing === "deletes" && appliedTypes.some((type) => !eventTypes.includes(type));
}

/** True if the webhook can't become what is wanted, or no one knows its secret. */
export function isReplaced(
  { providerId }: LeasedRegistration,
  { isFixed }: Registrar,
  mine: Found,
  wanted: Wanted,
): boolean {
  return isFixed !== undefined && (mine.id !== providerId || isFixed(mine, wanted));
}

/** Why a webhook that the provider has taken away isn't enabled. Null: it may be. */
export async function whyNotEnable(
  registration: LeasedRegistration,
  tools: LookTools,
  { whyDisabled }: Found,
): Promise<string | null> {
  const { name, canEnable } = tools.registrar;
  const why = whyDisabled === null ? "" : ` ${whyDisabled}`;
  if (!canEnable)
    return `${name} has switched this webhook off${why}, and its API can't switch it on. Test it at ${name}.`;
  return await whyNotRevive(registration, tools, `switched this webhook off${why}`);
}

/** Null: it may be enabled, or created again. That happens once a day, and only if our own URL responds. */
export async function whyNotRevive(
  { revivedAtMs }: LeasedRegistration,
  { registrar, nowMs, askOwnUrl }: LookTools,
  what: string,
): Promise<string | null> {
  const { name } = registrar;
  if (revivedAtMs !== null && nowMs - revivedAtMs < dayMs)
    return `${name} has ${what} again within a day. Find out why, and connect again.`;
  const why = await askOwnUrl();
  return why === null ? null : `${name} has ${what}. ${why}`;
}

export async function toWanted(
  { id, eventTypes, secretId }: LeasedRegistration,
  { registrar, url, nowMs, findSecret, newId }: LookTools,
  at: Place,
): Promise<{ readonly wanted: Wanted; readonly secretId: string | null } | string> {
  const types = [...new Set(eventTypes.flatMap((type) => registrar.toType(type) ?? []))];
  const expiresAtMs = registrar.lifeMs === null ? null : nowMs + registrar.lifeMs(at);
  const ends = { expiresAtMs, newId: newId() };
  const wanted = { url, eventTypes: mergeTypes([], [], types), mark: id, ...ends };
  if (registrar.secret !== "ours")
    return { wanted: { ...wanted, secret: "", isNewSecret: false }, secretId: null };
  const found = await findSecret();
  if (typeof found === "string") return found;
  const own = { secret: found.secret, isNewSecret: found.id !== secretId };
  return { wanted: { ...wanted, ...own }, secretId: found.id };
}
