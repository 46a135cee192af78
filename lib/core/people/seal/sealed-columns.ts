import {
  actionAuthPlace,
  actionDraftPlace,
  alertChannelPlace,
  auditKeyPlace,
  auditReceiverPlace,
  credentialPlace,
  erasureRuleKeyPlace,
  erasureValuesPlace,
  hookSecretPlace,
  subscriptionHeadersPlace,
  subscriptionSecretPlace,
  totpSecretPlace,
} from "./seal-places.ts";
import type { SealPlace } from "./sealer.ts";

/** A column of sealed values. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The columns that identify a row. */
  readonly keys: readonly string[];
  /** Further columns that its place needs. */
  readonly others: readonly string[];
  /** The place that a value of this row is bound to. `row` has the columns above. */
  readonly place: (row: Readonly<Record<string, string | null>>) => SealPlace;
};

type Row = Parameters<SealedColumn["place"]>[0];

/**
 * Every column of sealed values: a rotation of the secret key seals them again. A test compares it
 * with the schema. Pending deliveries also have sealed values within their text, and stored responses
 * are sealed text: see `sealed-deliveries.ts` and `sealed-responses.ts` in `lib/db/seal`.
 */
export const sealedColumns: readonly SealedColumn[] = [
  byId("hook_secrets", "ciphertext", hookSecretPlace),
  byId("credentials", "ciphertext", credentialPlace),
  byId("actions", "auth_ciphertext", actionAuthPlace),
  byId("alert_channels", "ciphertext", alertChannelPlace),
  byId("erasures", "ciphertext", erasureValuesPlace),
  {
    table: "erasure_watches",
    column: "key_ciphertext",
    keys: ["account_id"],
    others: [],
    place: (row) => erasureRuleKeyPlace(read(row, "account_id")),
  },
  byId("subscription_secrets", "ciphertext", subscriptionSecretPlace),
  byId("subscriptions", "headers_ciphertext", subscriptionHeadersPlace),
  {
    table: "action_drafts",
    column: "content",
    keys: ["user_id", "target_id"],
    others: ["account_id"],
    place: (row) =>
      actionDraftPlace(read(row, "account_id"), {
        userId: read(row, "user_id"),
        targetId: read(row, "target_id"),
      }),
  },
  ofBacktest("draft_auth"),
  ofBacktest("current_auth"),
  {
    table: "audit_chains",
    column: "key_ciphertext",
    keys: ["account_id"],
    others: ["key_id"],
    place: (row) => auditKeyPlace(read(row, "account_id"), read(row, "key_id")),
  },
  {
    table: "audit_receivers",
    column: "ciphertext",
    keys: ["account_id"],
    others: [],
    place: (row) => auditReceiverPlace(read(row, "account_id")),
  },
  {
    table: "totp_secrets",
    column: "ciphertext",
    keys: ["user_id"],
    others: [],
    place: (row) => totpSecretPlace(read(row, "user_id")),
  },
];

function byId(
  table: string,
  column: string,
  place: (row: { readonly id: string; readonly accountId: string }) => SealPlace,
): SealedColumn {
  return {
    table,
    column,
    keys: ["id"],
    others: ["account_id"],
    place: (row) => place({ id: read(row, "id"), accountId: read(row, "account_id") }),
  };
}

/** Sealed for the action, or for the backtest if the action is new. */
function ofBacktest(column: string): SealedColumn {
  return {
    table: "backtests",
    column,
    keys: ["id"],
    others: ["action_id", "account_id"],
    place: (row) =>
      actionAuthPlace({
        id: row.action_id ?? read(row, "id"),
        accountId: read(row, "account_id"),
      }),
  };
}

function read(row: Row, name: string): string {
  const value = row[name];
  if (value === null || value === undefined) throw new Error(`The row has no ${name}`);
  return value;
}
