import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { toClientNetwork } from "#lib/core/sending/address/client-network.ts";
import { listAccounts } from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { clearSignInAttempt, reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import {
  allowSignIn,
  denySignIn,
  findWaitingSignIn,
  type WaitingSignIn,
} from "#lib/db/sign-in/device-sign-ins.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { apiScopeSchema } from "#lib/schema/account/api-token.ts";
import { describeThrottled } from "#lib/schema/account/describe-throttled.ts";
import {
  deviceTokenDays,
  userCodeSchema,
  writeUserCode,
} from "#lib/schema/account/device-sign-in.ts";
import { limitScopes } from "#lib/schema/account/permissions.ts";
import { auditPerson, requireUser } from "#lib/services/account/person.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

/** The facts to see before deciding about the sign-in of a tool. */
export const readDeviceSignIn = service({
  permission: "profile:write",
  input: z.strictObject({ code: userCodeSchema }),
  run: async (context, { code }) => {
    const { db, actor, now, request } = context;
    const user = requireUser(actor);
    const asked = await requireWaiting(context, code);
    const [accounts, memberships] = await Promise.all([
      listAccounts(db, user.userId),
      listMemberships(db, user.userId),
    ]);
    const { host, address, createdAt, expiresAt, scopes } = asked;
    const nowMs = now().getTime();
    return {
      ...{ host, address, createdAt, expiresAt, nowMs },
      code: writeUserCode(code),
      /** The browser of the person has the same address. Null: one of them is unknown. */
      isSameAddress: isSameClient(address, request?.ip ?? null),
      tokenExpiresAt: new Date(nowMs + deviceTokenDays * 86_400_000),
      accountId: user.accountId,
      accounts: accounts.flatMap(({ id, name }) => {
        const role = memberships.find(({ accountId }) => accountId === id)?.role;
        if (role === undefined) return [];
        const given = limitScopes(scopes, role);
        const missing = scopes.filter((scope) => !given.includes(scope));
        return [{ id, name, role, scopes: given, missing }];
      }),
    };
  },
});

/** Lets the tool have a token of the person, with the scopes that the page showed, as far as their role allows. */
export const allowDeviceSignIn = service({
  permission: "profile:write",
  input: z.strictObject({
    code: userCodeSchema,
    accountId: z.uuid(),
    scopes: z.array(apiScopeSchema).max(100),
  }),
  run: async (context, { code, accountId, scopes: shown }): Promise<void> => {
    const user = requireUser(context.actor);
    const asked = await requireWaiting(context, code);
    await context.db.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const memberships = await listMemberships(tx, user.userId);
      const role = memberships.find((each) => each.accountId === accountId)?.role;
      if (role === undefined)
        throw new AppError("not_found", "You don't belong to this account any more.");
      const scopes = limitScopes(asked.scopes, role).filter((scope) => shown.includes(scope));
      if (scopes.length === 0)
        throw new AppError("forbidden", `Your role is ${role}, which allows none of this.`);
      const { userId } = user;
      if (!(await allowSignIn(tx, asked.id, { accountId, userId, scopes }))) throw isGone();
      const actor = { ...user, accountId, role };
      const after = { ...describeAsked(asked), scopes };
      const entry = { event: "device_sign_in.allowed", targets: [toTarget(asked)] };
      await audit({ ...context, actor }, { ...entry, before: {}, after }, tx);
    });
  },
});

/** Gives the tool nothing. The log of each of the person's accounts says so: someone may have tried to get in. */
export const denyDeviceSignIn = service({
  permission: "profile:write",
  input: z.strictObject({ code: userCodeSchema }),
  run: async (context, { code }): Promise<void> => {
    const user = requireUser(context.actor);
    const asked = await requireWaiting(context, code);
    await context.db.$transaction(async (tx) => {
      if (!(await denySignIn(tx, asked.id))) throw isGone();
      const entry = { event: "device_sign_in.denied", targets: [toTarget(asked)] };
      const after = { ...describeAsked(asked), scopes: asked.scopes };
      await auditPerson(context, user, { ...entry, before: {}, after }, tx);
    });
  },
});

/** Wrong codes count for the person and their address, with the pauses of wrong second factors. */
async function requireWaiting(
  { db, actor, request }: ServiceContext,
  code: string,
): Promise<WaitingSignIn> {
  const { userId } = requireUser(actor);
  const address = request?.ip ?? null;
  const attempt = {
    email: `device code of ${userId}`,
    address: address === null ? null : `device code ${toClientNetwork(address)}`,
    isSecret: true,
  };
  const permit = await reserveSignInAttempt(db, attempt);
  if (!permit.ok) {
    const { retryAfterSeconds } = permit;
    logCounted("warn", "device_sign_in.code_throttled", { userId, address });
    throw new AppError("rate_limited", describeThrottled(retryAfterSeconds, "wrong codes"), {
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }
  const found = await findWaitingSignIn(db, code);
  if (found === null) throw isGone();
  await clearSignInAttempt(db, attempt);
  return found;
}

function isSameClient(one: string | null, other: string | null): boolean | null {
  if (one === null || other === null) return null;
  return toClientNetwork(one) === toClientNetwork(other);
}

function describeAsked({ host, address, createdAt }: WaitingSignIn) {
  return { host, address, askedAt: createdAt };
}

function toTarget({ id, host }: WaitingSignIn) {
  return { type: "device_sign_in", id, name: host ?? "CLI" };
}

function isGone(): AppError {
  return invalidField(
    "code",
    "No sign-in waits for this code. Check it, or start again in your terminal: a code works once, for 10 minutes.",
    "not_found",
  );
}
