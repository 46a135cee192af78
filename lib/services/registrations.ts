import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { findMissingTypes } from "#lib/core/providers/registrars/find-missing-types.ts";
import { findRegistrar } from "#lib/core/providers/registrars/find-registrar.ts";
import type { Registrar } from "#lib/core/providers/registrars/registrar.ts";
import { listEnabledFilters } from "#lib/db/actions/actions.ts";
import { getCredential } from "#lib/db/credentials/credentials.ts";
import { findLastCredential } from "#lib/db/gaps/gaps.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import {
  changeRegistration,
  findRegistration,
  forgetRegistration,
  insertRegistration,
  markRemoving,
  type RegistrationRecord as StoredRegistration,
} from "#lib/db/registrations/registrations.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { registerSchema, removeRegistrationSchema } from "#lib/schema/receive/registration.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** A registration, and what the hook's actions need of it. */
export type RegistrationRecord = StoredRegistration & {
  /** The types that enabled actions name, and that the provider doesn't send. */
  readonly missingTypes: readonly string[];
};

/** What is known of a hook's webhook at its provider. Throws `not_found` if Catchment keeps none. */
export const getRegistration = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }): Promise<RegistrationRecord> => {
    const hook = await getHook(db, actor.accountId, id);
    const found = await findRegistration(db, actor.accountId, hook.id);
    if (found === null) throw new AppError("not_found", noRegistration);
    return await withMissingTypes(db, actor.accountId, found);
  },
});

async function withMissingTypes(
  db: Database | Transaction,
  accountId: string,
  registration: StoredRegistration,
): Promise<RegistrationRecord> {
  const { provider, hookId, eventTypes, registeredTypes } = registration;
  const filters = await listEnabledFilters(db, accountId, hookId);
  const missingTypes = findMissingTypes(provider, filters, [...eventTypes, ...registeredTypes]);
  return { ...registration, missingTypes };
}

const noRegistration = "Catchment keeps no webhook of this hook registered.";

/** How a hook can be registered. Null: its provider has no API for webhooks that is known. */
export const readRegistrar = service({
  permission: "hooks:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const hook = await getHook(db, actor.accountId, id);
    const registrar = findRegistrar(hook.provider);
    if (registrar === null) return null;
    const found = await findRegistration(db, actor.accountId, hook.id);
    const registration = found === null ? null : await withMissingTypes(db, actor.accountId, found);
    const lastCredentialId =
      registration?.credentialId ?? (await findLastCredential(db, actor.accountId, hook.id));
    return { registrar, registration, lastCredentialId, whyNot: whyNotYet(hook, registrar) };
  },
});

/**
 * Registers a hook at its provider in the background, and keeps it so. A webhook with its URL is adopted. Done again,
 * it changes what is wanted, and registers again what someone has deleted. Throws `conflict` if the provider has no
 * API.
 */
export const registerHook = service({
  permission: "hooks:write",
  input: registerSchema.extend({ id: recordId }),
  run: async (context, { id: hookId, ...asked }): Promise<RegistrationRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    return await db.$transaction(async (tx) => {
      const hook = await lockHook(tx, accountId, hookId);
      const registrar = findRegistrar(hook.provider);
      if (registrar === null)
        throw new AppError("conflict", "The API of this hook's provider can't register webhooks.");
      const why = whyNotYet(hook, registrar);
      if (why !== null) throw new AppError("conflict", why);
      const before = await findRegistration(tx, accountId, hook.id);
      if (before?.status === "removing")
        throw new AppError("conflict", "This webhook is being removed. Wait until it is gone.");
      const resource = readResource(registrar, asked.resource ?? before?.resource ?? "");
      requireTypes(registrar, asked.eventTypes);
      const chosen = asked.credentialId ?? before?.credentialId ?? null;
      if (chosen === null)
        throw invalidField(
          "credentialId",
          `is missing. ${endOpen(registrar.credentialHelp)}`,
          "required",
        );
      const credential = await getCredential(tx, accountId, chosen);
      requireFitting(registrar, credential.origin, credential.settings.type);
      const recreate = asked.recreate ?? before?.recreate ?? "ask";
      const change = { credentialId: credential.id, eventTypes: asked.eventTypes, recreate };
      const isKept =
        before !== null && before.provider === hook.provider && before.resource === resource;
      if (isKept) await changeRegistration(tx, accountId, before.id, change);
      else {
        if (before !== null) requireUnregistered(before);
        if (before !== null) await forgetRegistration(tx, accountId, before);
        await insertRegistration(tx, {
          ...{ id: newId(), accountId, hookId: hook.id, provider: hook.provider, resource },
          ...{ ...change, createdBy: nameActor(actor) },
        });
      }
      const after = await findRegistration(tx, accountId, hook.id);
      if (after === null) throw new AppError("not_found", noRegistration);
      const event = isKept ? "registration.changed" : "registration.connected";
      await audit(context, { event, targets: toTargets(hook, after) }, tx);
      return await withMissingTypes(tx, accountId, after);
    });
  },
});

/** Removes the webhook at the provider in the background, or only forgets it. Throws `not_found`. */
export const removeRegistration = service({
  permission: "hooks:write",
  input: removeRegistrationSchema.extend({ id: recordId }),
  run: async (context, { id, keep = false }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      const hook = await lockHook(tx, actor.accountId, id);
      const found = await findRegistration(tx, actor.accountId, hook.id);
      if (found === null) throw new AppError("not_found", noRegistration);
      if (keep) await forgetRegistration(tx, actor.accountId, found);
      else await markRemoving(tx, actor.accountId, found);
      const event = keep ? "registration.forgotten" : "registration.removed";
      await audit(context, { event, targets: toTargets(hook, found) }, tx);
    });
  },
});

function toTargets({ id, name }: HookRecord, registration: StoredRegistration) {
  return [
    { type: "hook", id, name },
    { type: "registration", id: registration.id, name: registration.provider },
  ];
}

/** Null: it can be registered now. */
function whyNotYet(hook: HookRecord, { secret, name }: Registrar): string | null {
  if (secret !== "app" || hook.secrets.length > 0) return null;
  return `${name} signs with the secret of your app. Add it to this hook first, so that nothing is rejected.`;
}

function readResource({ resource: needed, name }: Registrar, resource: string): string {
  if (needed === null) {
    if (resource === "") return resource;
    throw invalidField("resource", `must be left out: ${name} needs none`, "not_allowed");
  }
  if (needed.isValid(resource)) return resource;
  throw invalidField("resource", `isn't valid. ${endOpen(needed.help)}`);
}

function requireTypes({ toType, typesHelp, name }: Registrar, eventTypes: readonly string[]): void {
  const wrong = eventTypes.find((type) => toType(type) === null);
  if (wrong === undefined) return;
  throw invalidField(
    "eventTypes",
    `has “${wrong}”, which isn't an event type of ${name}. ${endOpen(typesHelp)}`,
  );
}

/** A stand-in of the provider's API in a private network has no certificate. */
function requireFitting(
  { isOrigin, name, origin: own, credentialHelp }: Registrar,
  origin: string,
  type: string,
): void {
  if (!isOrigin(origin) && !origin.startsWith("http:"))
    throw invalidField(
      "credentialId",
      `is for ${origin}, and the API of ${name} is ${own}`,
      "conflict",
    );
  if (type === "query" || type === "hmac")
    throw invalidField(
      "credentialId",
      `can't be sent to this API. ${endOpen(credentialHelp)}`,
      "conflict",
    );
}

/** Its place at the provider is another one, where the webhook would be left behind. */
function requireUnregistered({ providerId }: StoredRegistration): void {
  if (providerId === null) return;
  throw new AppError(
    "conflict",
    "This hook is registered elsewhere. Disconnect it there first, and connect it again.",
  );
}

/** Messages of fields end without a full stop. */
function endOpen(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
