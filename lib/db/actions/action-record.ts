import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import type { Sealer, SealPlace } from "#lib/core/seal/sealer.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { optionColumns, readOptions } from "#lib/db/queue/option-columns.ts";
import { type ActionInput, actionInputSchema } from "#lib/schema/action/action.ts";
import type { ActionOptions } from "#lib/schema/action/action-options.ts";
import type { ActionRequestTemplate, RequestAuth } from "#lib/schema/action/action-request.ts";
import type { RetryPolicy } from "#lib/schema/action/retry-policy.ts";

/** An action as its owner sees it. Its credentials stay sealed. */
export type ActionRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly position: number;
  readonly filter: ActionInput["filter"];
  readonly request: ActionRequestTemplate;
  readonly authCiphertext: Uint8Array | null;
  readonly retry: RetryPolicy;
  readonly createdAt: Date;
  readonly updatedAt: Date;
} & ActionOptions;

/** Read as text: JSON numbers may have more digits than JavaScript's. */
export const actionColumns = Prisma.sql`
  actions.id, actions.account_id, actions.hook_id, actions.name, actions.enabled, actions.position,
  actions.filter::text as filter, actions.request::text as request, actions.auth_ciphertext,
  actions.retry::text as retry, ${optionColumns("actions")}, actions.created_at, actions.updated_at`;

export type ActionRow = {
  id: string;
  account_id: string;
  hook_id: string;
  name: string;
  enabled: boolean;
  position: number;
  filter: string | null;
  request: string;
  auth_ciphertext: Uint8Array | null;
  retry: string | null;
  created_at: Date;
  updated_at: Date;
};

const {
  filter: filterSchema,
  request: requestSchema,
  retry: retrySchema,
} = actionInputSchema.shape;

/** Stored JSON is parsed here and trusted from here on. */
export function toActionRecord(row: ActionRow): ActionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    hookId: row.hook_id,
    name: row.name,
    enabled: row.enabled,
    position: row.position,
    filter: row.filter === null ? null : filterSchema.parse(parseStored(row.filter)),
    request: requestSchema.parse(parseStored(row.request)),
    authCiphertext: row.auth_ciphertext,
    retry: retrySchema.parse(row.retry === null ? {} : JSON.parse(row.retry)),
    ...readOptions(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The place that an action's credentials are sealed to. */
export function actionAuthPlace(accountId: string, actionId: string): SealPlace {
  return { accountId, table: "actions", rowId: actionId, field: "auth_ciphertext" };
}

/**
 * An action's credentials in plain text, for the call and for redaction. Null if it has none.
 * Throws if they can't be opened: a call without its credentials would be a different call.
 */
export function openActionAuth(
  sealer: Sealer,
  action: {
    readonly id: string;
    readonly accountId: string;
    readonly authCiphertext: Uint8Array | null;
  },
): RequestAuth | null {
  if (action.authCiphertext === null) return null;
  const opened = sealer.open(action.authCiphertext, actionAuthPlace(action.accountId, action.id));
  if (!opened.ok)
    throw new Error(`The credentials of an action can't be opened. ${opened.message}`);
  // Sealed by `sealActionAuth`, so authentic: no need to validate again.
  return JSON.parse(Buffer.from(opened.plaintext).toString("utf8")) as RequestAuth;
}

export function sealActionAuth(
  sealer: Sealer,
  place: { readonly accountId: string; readonly actionId: string },
  auth: RequestAuth,
): Uint8Array {
  const plaintext = Buffer.from(JSON.stringify(auth), "utf8");
  return sealer.seal(plaintext, actionAuthPlace(place.accountId, place.actionId));
}

function parseStored(text: string): unknown {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(`A stored action can't be read: ${parsed.message}`);
  return parsed.value;
}
