/** Registrations, as their owner sees them. */

import type { Registration } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { requireId } from "#lib/db/postgres/not-found.ts";
import { resolveProblem } from "#lib/db/problems/record-problems.ts";
import type { RecreateRule, RegistrationStatus } from "#lib/schema/receive/registration.ts";

export type RegistrationRecord = Pick<
  Registration,
  | "id"
  | "hookId"
  | "credentialId"
  | "provider"
  | "resource"
  | "reason"
  | "providerId"
  | "url"
  | "appliedTypes"
  | "registeredTypes"
  | "isAdopted"
  | "checkedAt"
  | "revivedAt"
  | "expiresAt"
  | "createdBy"
  | "createdAt"
> & {
  readonly eventTypes: readonly string[];
  readonly status: RegistrationStatus;
  readonly recreate: RecreateRule;
};

/** Null: the hook has none. */
export async function findRegistration(
  db: Database | Transaction,
  accountId: string,
  hookId: string,
): Promise<RegistrationRecord | null> {
  const where = { accountId, hookId: requireId("hook", hookId), hook: { deletedAt: null } };
  const found = await db.registration.findFirst({ where });
  return found === null ? null : toRecord(found);
}

type NewRegistration = Pick<
  Registration,
  "id" | "accountId" | "hookId" | "provider" | "resource" | "createdBy"
> & {
  readonly credentialId: string;
  readonly eventTypes: readonly string[];
  readonly recreate: RecreateRule;
};

export async function insertRegistration(
  tx: Transaction,
  { eventTypes, ...registration }: NewRegistration,
): Promise<void> {
  const data = { ...registration, ...soon, eventTypes: [...eventTypes] };
  await tx.registration.create({ data, select: { id: true } });
}

type Change = {
  readonly credentialId: string;
  readonly eventTypes: readonly string[];
  readonly recreate: RecreateRule;
};

/** Changes what is wanted, and asks the provider soon. It begins again if it is missing, or failing. */
export async function changeRegistration(
  tx: Transaction,
  accountId: string,
  id: string,
  { eventTypes, ...change }: Change,
): Promise<void> {
  await tx.registration.updateMany({
    where: { id, accountId },
    data: { ...change, ...soon, eventTypes: [...eventTypes], mayCreate: true, revivedAt: null },
  });
  await tx.registration.updateMany({
    where: { id, accountId, status: { in: ["missing", "failing"] } },
    data: { status: "connecting", reason: null },
  });
}

/** Has it removed at the provider, in the background. */
export async function markRemoving(
  tx: Transaction,
  accountId: string,
  { id }: Pick<RegistrationRecord, "id">,
): Promise<void> {
  const data = { ...soon, status: "removing", failingSince: null, reason: null };
  await tx.registration.updateMany({ where: { id, accountId }, data });
}

/** Forgets it. The provider keeps what it has, and its problem is over. */
export async function forgetRegistration(
  tx: Transaction,
  accountId: string,
  { id, hookId }: Pick<RegistrationRecord, "id" | "hookId">,
): Promise<void> {
  await tx.registration.deleteMany({ where: { id, accountId } });
  await resolveProblem(tx, accountId, toProblemKey(hookId), "deleted");
}

/** A hook has at most one problem with its registration. */
export function toProblemKey(hookId: string): string {
  return `registration:${hookId}`;
}

/** Looks soon whether the provider has what the hook has now. */
export async function checkRegistrationSoon(
  tx: Transaction,
  accountId: string,
  hookId: string,
): Promise<void> {
  await tx.registration.updateMany({ where: { accountId, hookId }, data: soon });
}

/** Due since the beginning, whatever the clock of a worker says. */
const soon = { nextAt: new Date(0), tryCount: 0 };

function toRecord(row: Registration): RegistrationRecord {
  const { id, hookId, credentialId, provider, resource, reason, providerId, url } = row;
  const {
    eventTypes,
    appliedTypes,
    registeredTypes,
    isAdopted,
    checkedAt,
    revivedAt,
    expiresAt,
    createdBy,
    createdAt,
  } = row;
  return {
    ...{ id, hookId, credentialId, provider, resource, reason, providerId, url },
    ...{
      eventTypes,
      appliedTypes,
      registeredTypes,
      isAdopted,
      checkedAt,
      revivedAt,
      expiresAt,
      createdBy,
      createdAt,
    },
    status: row.status as RegistrationStatus,
    recreate: row.recreate as RecreateRule,
  };
}
