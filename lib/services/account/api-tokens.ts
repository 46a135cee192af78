import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import {
  revokeApiToken as endToken,
  listApiTokens as findTokens,
  createApiToken as insertToken,
} from "#lib/db/accounts/api-tokens.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { getMember } from "#lib/db/members/members.ts";
import { createApiTokenSchema } from "#lib/schema/account/api-token.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { requireUser } from "./person.ts";

const dayMs = 86_400_000;

/** The token in plain text. It can't be read again later. */
type NewApiToken = { readonly token: string };

/** Who calls with a token. Null: it is unknown, expired, or revoked. */
export { type ApiTokenHolder, findApiToken } from "#lib/db/accounts/api-tokens.ts";

/** The account's API tokens, without their text. */
export const listApiTokens = service({
  permission: "account:read",
  input: noFields,
  run: ({ db, actor }) => findTokens(db, actor.accountId),
});

export const createApiToken = service({
  permission: "tokens:write",
  input: createApiTokenSchema,
  run: async (context, { name, scopes, expiresInDays }): Promise<NewApiToken> => {
    const { db, actor, now } = context;
    const expiresAt =
      expiresInDays === null ? null : new Date(now().getTime() + expiresInDays * dayMs);
    const { userId } = requireUser(actor);
    return await db.$transaction(async (tx) => {
      // A member who is being removed gets none: it would work again if they came back.
      await lockAccount(tx, actor.accountId);
      await getMember(tx, actor.accountId, userId);
      const made = { name, scopes, expiresAt, userId };
      const { id, token } = await insertToken(tx, actor.accountId, made);
      const entry = { event: "api_token.created", targets: [{ type: "api_token", id, name }] };
      await audit(context, { ...entry, before: {}, after: { scopes, expiresAt } }, tx);
      return { token };
    });
  },
});

/** A token that can only publish, for the command that publishes the first event. */
export const createPublishToken = service({
  permission: "tokens:write",
  input: noFields,
  run: (context): Promise<NewApiToken> =>
    createApiToken(context, {
      name: "Publish events",
      scopes: ["events:write"],
      expiresInDays: 90,
    }),
});

/** Throws `not_found` if the account has no such active token. */
export const revokeApiToken = service({
  permission: "tokens:write",
  input: z.strictObject({ id: z.uuid() }),
  run: (context, { id }): Promise<void> => revoke(context, id),
});

/** Revokes a token that the person made, such as that of a lost laptop. Every role may. */
export const revokeOwnToken = service({
  permission: "profile:write",
  input: z.strictObject({ id: z.uuid() }),
  run: (context, { id }): Promise<void> => revoke(context, id, requireUser(context.actor).userId),
});

async function revoke(context: ServiceContext, id: string, maker?: string): Promise<void> {
  await context.db.$transaction(async (tx) => {
    const isRevoked = await endToken(tx, context.actor.accountId, id, maker);
    if (!isRevoked) throw new AppError("not_found", "This token no longer works. Reload the page.");
    await audit(context, { event: "api_token.revoked", targets: [{ type: "api_token", id }] }, tx);
  });
}
