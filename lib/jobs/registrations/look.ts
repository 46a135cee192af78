import { isSameTypes, mergeTypes } from "#lib/core/providers/registrars/merge-types.ts";
import type { Found, Made, Place, Wanted } from "#lib/core/providers/registrars/registrar.ts";
import type { LeasedRegistration } from "#lib/db/registrations/work-registrations.ts";
import type { Said, Stop } from "./converse.ts";
import type { Looked, LookTools } from "./look-tools.ts";
import {
  hasLost,
  isRenewalDue,
  isReplaced,
  readUnknownSecret,
  toWanted,
  whyNotEnable,
  whyNotRevive,
} from "./weigh-change.ts";

/** A process that was killed leaves its lease, which lasts longer. */
const settleMs = 120_000;

/**
 * Makes what the provider has what is wanted. It looks first, so it never makes a second webhook for a URL, and never
 * changes one with another URL.
 */
export async function look(registration: LeasedRegistration, tools: LookTools): Promise<Looked> {
  const { registrar, ask } = tools;
  const at = { resource: registration.resource };
  const listed = await ask(registrar.list(at));
  if (listed.kind !== "value") return listed;
  const mine = findMine(listed.value, registration, tools);
  if (registration.status === "removing" || registration.isHookDeleted)
    return await remove(registration, tools, at, mine);
  const spare = listed.value.filter((found) => isSpare(found, mine, registration, tools));
  for (const found of spare) {
    const removed = await ask(registrar.remove(at, found));
    if (removed.kind !== "value") return removed;
  }
  if (mine === undefined || spare.includes(mine))
    return await createAgain(registration, tools, at, mine !== undefined);
  if (!isOurs(mine, registration, tools))
    return fail(
      `Someone has changed the URL of this webhook at ${registrar.name}, so Catchment leaves it alone. ` +
        "Connect again to register another one.",
    );
  return await correct(registration, tools, at, mine);
}

function findMine(
  listed: readonly Found[],
  { providerId, url: registeredUrl }: LeasedRegistration,
  { url }: LookTools,
): Found | undefined {
  const byUrl = (wanted: string | null) => listed.filter((found) => found.url === wanted);
  const same = byUrl(url);
  return (
    listed.find(({ id }) => id === providerId) ??
    // Of two that someone registered, the one that works.
    same.find(({ isEnabled }) => isEnabled) ??
    same[0] ??
    byUrl(registeredUrl)[0]
  );
}

function isOurs(
  found: Found,
  registration: LeasedRegistration,
  { url, previousUrls }: LookTools,
): boolean {
  return [url, registration.url, ...previousUrls].includes(found.url);
}

/**
 * True for a webhook that we made and don't know: what stored its id and its secret was killed, or failed. No one knows
 * its secret.
 */
function isSpare(
  found: Found,
  mine: Found | undefined,
  registration: LeasedRegistration,
  tools: LookTools,
): boolean {
  if (found.mark !== registration.id || !isOurs(found, registration, tools)) return false;
  if (found.id === registration.providerId) return false;
  return found !== mine || tools.registrar.secret === "theirs";
}

async function remove(
  registration: LeasedRegistration,
  tools: LookTools,
  at: Place,
  mine: Found | undefined,
): Promise<Looked> {
  if (mine === undefined || !isOurs(mine, registration, tools)) return { kind: "gone" };
  const removed = await tools.ask(tools.registrar.remove(at, mine));
  return removed.kind === "value" ? { kind: "gone" } : removed;
}

async function createAgain(
  registration: LeasedRegistration,
  tools: LookTools,
  at: Place,
  wasUnfinished: boolean,
): Promise<Looked> {
  const { providerId, mayCreate, recreate } = registration;
  const { name, whenFailing } = tools.registrar;
  const isWanted = providerId === null || mayCreate || recreate === "always" || wasUnfinished;
  if (isWanted || whenFailing === "loses") return await create(registration, tools, at, false);
  if (whenFailing !== "deletes")
    return {
      kind: "missing",
      reason: `Someone has deleted this webhook at ${name}. Connect again to register another one.`,
    };
  const why = await whyNotRevive(registration, tools, "deleted this webhook");
  return why === null ? await create(registration, tools, at, true) : fail(why);
}

async function create(
  registration: LeasedRegistration,
  tools: LookTools,
  at: Place,
  isRevived: boolean,
): Promise<Looked> {
  const { registrar, ask } = tools;
  const wanted = await toWanted(registration, tools, at);
  if (typeof wanted === "string") return fail(wanted);
  const made: Said<Made> = await ask(registrar.create(at, wanted.wanted));
  if (made.kind !== "value") return made.kind === "wait" ? waitForList(made) : made;
  const { id, secret } = made.value;
  const { secretId } = wanted;
  return {
    ...{ kind: "kept", providerId: id, url: tools.url, appliedTypes: wanted.wanted.eventTypes },
    ...{
      registeredTypes: wanted.wanted.eventTypes,
      secretId,
      isAdopted: false,
      isRevived,
      newSecret: secret,
      isMade: true,
    },
    expiresAtMs: null,
  };
}

/** Changes what isn't as it should be: both URLs and both secrets are valid here meanwhile. */
async function correct(
  registration: LeasedRegistration,
  tools: LookTools,
  at: Place,
  mine: Found,
): Promise<Looked> {
  const { registrar, ask, url } = tools;
  const own = await toWanted(registration, tools, at);
  if (typeof own === "string") return fail(own);
  const { appliedTypes, providerId } = registration;
  const ownTypes = own.wanted.eventTypes;
  const eventTypes = mergeTypes(mine.eventTypes, appliedTypes, ownTypes);
  const wanted = { ...own.wanted, eventTypes };
  const isTakenAway = !mine.isEnabled || hasLost(registration, registrar, mine);
  const why = isTakenAway ? await whyNotEnable(registration, tools, mine) : null;
  if (why !== null) return fail(why);
  const kept: Kept = {
    ...{ kind: "kept", providerId: mine.id, url, appliedTypes: ownTypes, secretId: own.secretId },
    ...{ registeredTypes: eventTypes, newSecret: null, isMade: false, isRevived: isTakenAway },
    isAdopted: providerId === null || registration.isAdopted,
    expiresAtMs: null,
  };
  if (isReplaced(registration, registrar, mine, wanted))
    return await replace(tools, at, mine, wanted, kept);
  const isRight = mine.url === url && isSameTypes(eventTypes, mine.eventTypes);
  const isDue = await isRenewalDue(registration, tools, mine);
  const isChanged = isTakenAway || !isRight || isDue || wanted.isNewSecret;
  if (isChanged) {
    const updated = await ask(registrar.update(at, mine, wanted));
    if (updated.kind !== "value") return updated;
  }
  const read = await readUnknownSecret(registration, tools, at, mine);
  if (read.kind !== "value") return read;
  return { ...kept, newSecret: read.value, expiresAtMs: isChanged ? null : mine.expiresAtMs };
}

type Kept = Extract<Looked, { kind: "kept" }>;

/** Makes another webhook before it removes this one. Killed in between, the next look removes the other as a spare. */
async function replace(
  { registrar, ask }: LookTools,
  at: Place,
  mine: Found,
  wanted: Wanted,
  kept: Kept,
): Promise<Looked> {
  const made = await ask(registrar.create(at, wanted));
  if (made.kind !== "value") return made.kind === "wait" ? waitForList(made) : made;
  const removed = await ask(registrar.remove(at, mine));
  if (removed.kind !== "value") return removed;
  return { ...kept, providerId: made.value.id, newSecret: made.value.secret, isMade: true };
}

/** It may have been made. The list may need some time to have it. */
function waitForList(made: Stop): Stop {
  return { ...made, waitMs: Math.max(settleMs, made.waitMs ?? 0) };
}

function fail(reason: string): Looked {
  return { kind: "failing", reason };
}
