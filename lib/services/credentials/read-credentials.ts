import { z } from "zod";
import {
  getCredential as findCredential,
  listCredentials as findCredentials,
} from "#lib/db/credentials/credentials.ts";
import { byId, pageFields } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

export type { CredentialRecord } from "#lib/db/credentials/credentials.ts";

/** Returns a credential of the account, without its secret. Throws `not_found`. */
export const getCredential = service({
  permission: "hooks:read",
  input: byId,
  run: ({ db, actor }, { id }) => findCredential(db, actor.accountId, id),
});

/** The account's credentials, newest first. */
export const listCredentials = service({
  permission: "hooks:read",
  input: z.strictObject(pageFields),
  run: ({ db, actor }, page) => findCredentials(db, actor.accountId, page),
});
