import { Prisma } from "#lib/db/generated/client.ts";
import type { ErasedPlace, NamedPlace } from "#lib/schema/account/erasure-places.ts";

type PlaceColumn = {
  readonly name: string;
  readonly kind: "text" | "json" | "bytes" | "list";
};

/** A table with texts of an account, and how its rows are read one after the other. */
export type Place = {
  readonly name: ErasedPlace | NamedPlace;
  readonly table: string;
  /** The primary key, in its order. */
  readonly keys: readonly { readonly name: string; readonly type: string }[];
  readonly columns: readonly PlaceColumn[];
  /** The condition for rows of the account. */
  readonly isOurs: (accountId: string) => Prisma.Sql;
  /** No index finds the rows of an account: all are walked through, and those of others aren't read. */
  readonly walksAll: boolean;
};

const id = [{ name: "id", type: "uuid" }];
const uuid = (name: string) => ({ name, type: "uuid" });
const text = (name: string) => ({ name, type: "text" });

const ofAccount = (accountId: string) => Prisma.sql`account_id = ${accountId}::uuid`;
const ofHooks = (accountId: string) =>
  Prisma.sql`hook_id in (select h.id from hooks h where h.account_id = ${accountId}::uuid)`;
const ofGaps = (accountId: string) =>
  Prisma.sql`gap_id in (select g.id from gaps g where g.account_id = ${accountId}::uuid)`;
const ofBacktests = (accountId: string) =>
  Prisma.sql`backtest_id in (select b.id from backtests b where b.account_id = ${accountId}::uuid)`;
const ofAlerts = (accountId: string) =>
  Prisma.sql`alert_id in (select a.id from alerts a where a.account_id = ${accountId}::uuid)`;

/** @param columns names, with `:json`, `:bytes`, or `:list` behind those that aren't texts */
function place(
  name: Place["name"],
  table: string,
  columns: string,
  { keys = id, isOurs = ofAccount, walksAll = false }: Partial<Omit<Place, "name" | "table">> = {},
): Place {
  return { name, table, keys, isOurs, walksAll, columns: columns.split(" ").map(toColumn) };
}

function toColumn(column: string): PlaceColumn {
  const [name = "", kind = "text"] = column.split(":");
  return { name, kind: kind as PlaceColumn["kind"] };
}

/** Where what arrived is, and what was made of it. Deliveries and events come first: others belong to them. */
export const rowsToErase: readonly Place[] = [
  place(
    "deliveries",
    "deliveries",
    "detail path query headers:json content_type body:bytes event_id event_type source_ip",
  ),
  place("events", "events", "public_id type recipient body:bytes warning"),
  place("runs", "runs", "reason_detail request response error_message"),
  place("queue", "queue", "reason_detail"),
  place("attempts", "attempts", "request:json response:json error_message", { walksAll: true }),
  place("run_steps", "run_steps", "request response result error_message", {
    keys: [uuid("id"), text("key"), { name: "item", type: "int" }],
    walksAll: true,
  }),
  place("replies", "answers", "headers:json body problem", { walksAll: true }),
  place("listener_responses", "listener_responses", "headers:json body:bytes reply:json", {
    keys: [uuid("delivery_id"), uuid("listener_id")],
  }),
  place("backtests", "backtests", "draft:json current:json answers:json"),
  place("backtest_results", "backtest_results", "change_key code message details:json", {
    keys: [uuid("backtest_id"), uuid("delivery_id")],
    isOurs: ofBacktests,
  }),
  place("gaps", "gaps", "reason cursor"),
  place("gaps", "gap_events", "event_id event_type body:bytes", {
    keys: [uuid("gap_id"), uuid("key")],
    isOurs: ofGaps,
  }),
  place("shapes", "hook_shapes", "shape:json", {
    keys: [uuid("hook_id"), text("event_type")],
    isOurs: ofHooks,
  }),
  place("problems", "problems", "key reason details:json comment"),
  place("notices", "notices", "detail"),
  place("alert_attempts", "alert_attempts", "message", {
    keys: [uuid("alert_id"), { name: "number", type: "int" }],
    isOurs: ofAlerts,
  }),
  place("bulk_jobs", "bulk_jobs", "filter:json pause_reason"),
  place("saved_views", "saved_views", "params:json"),
  // They come last: an event that is deleted changes the hours of its recipient.
  place("usage", "usage_hours", "subject", {
    keys: [
      { name: "hour", type: "timestamptz" },
      uuid("account_id"),
      text("kind"),
      text("subject"),
    ],
  }),
  place("usage", "usage_days", "subject", {
    keys: [uuid("account_id"), { name: "day", type: "date" }, text("kind"), text("subject")],
  }),
];

/** Rows with sealed texts, which are opened to look into them. One with a value is removed. */
export const rowsToOpen: readonly Place[] = [
  place("stored_responses", "idempotency_keys", "key body", {
    keys: [uuid("account_id"), text("key")],
  }),
  place("drafts", "action_drafts", "content:bytes", {
    keys: [uuid("user_id"), uuid("target_id")],
  }),
];

/** What people have set up, and the audit log. A value there is only counted. */
export const rowsToName: readonly Place[] = [
  place("account", "accounts", "name", {
    isOurs: (accountId) => Prisma.sql`id = ${accountId}::uuid`,
  }),
  place("account", "sender_settings", "portal_name portal_origins:list", {
    keys: [uuid("account_id")],
  }),
  place("account", "saved_views", "name"),
  place("account", "audit_receivers", "receiver_url failure", { keys: [uuid("account_id")] }),
  place(
    "hooks",
    "hooks",
    "name verification:json dedupe:json event_type:json response:json publish:json cors:json answer:json silence:json",
  ),
  place("hooks", "hook_paths", "path", { keys: [uuid("account_id"), text("path")] }),
  place(
    "hooks",
    "registrations",
    "event_types:list resource provider_id url applied_types:list registered_types:list",
  ),
  place("hooks", "hook_shapes", "event_type", {
    keys: [uuid("hook_id"), text("event_type")],
    isOurs: ofHooks,
  }),
  place(
    "actions",
    "actions",
    "name filter:json request:json steps:json retry:json success:json held_reason order_by",
  ),
  place("action_versions", "action_versions", "author content:json auths:json summary note", {
    keys: [uuid("action_id"), { name: "version", type: "int" }],
  }),
  place("destinations", "destinations", "name origin"),
  place("credentials", "credentials", "name origin settings:json"),
  place("event_types", "event_types", "name description schema:json example:json transform note", {
    keys: [uuid("account_id"), text("name")],
  }),
  place("event_types", "event_type_versions", "name schema:json example:json transform note", {
    keys: [uuid("account_id"), text("name"), text("version")],
  }),
  place(
    "subscriptions",
    "subscriptions",
    "recipient receiver_url receiver:json description event_types:list filter:json metadata:json retry:json transform status_reason",
  ),
  place("subscriptions", "subscription_patterns", "recipient pattern", {
    keys: [uuid("account_id"), text("recipient"), text("pattern"), uuid("subscription_id")],
  }),
  place("recipients", "recipients", "id name metadata:json", {
    keys: [uuid("account_id"), text("id")],
  }),
  place("recipients", "portal_links", "recipient"),
  place("recipients", "quota_uses", "recipient", {
    keys: [uuid("account_id"), text("recipient"), text("per"), { name: "starts_on", type: "date" }],
  }),
  place("alert_channels", "alert_channels", "name target recipient"),
  place("listeners", "listeners", "owner_name name event_types:list"),
  place("listeners", "listener_connections", "host"),
  place("listeners", "listener_responses", "listener_name owner_name host", {
    keys: [uuid("delivery_id"), uuid("listener_id")],
  }),
  place("members", "invitations", "email"),
  place("api_tokens", "api_tokens", "name"),
  place("audit_log", "audit_entries", "actor_name ip user_agent targets:json changes:json", {
    keys: [uuid("account_id"), { name: "seq", type: "bigint" }],
  }),
];
