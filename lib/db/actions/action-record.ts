import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import { optionColumns, readOptions } from "#lib/db/queue/option-columns.ts";
import { type ActionInput, actionInputSchema } from "#lib/schema/act/action.ts";
import type { ActionOptions } from "#lib/schema/act/action-options.ts";
import { type ActionRequestTemplate, requestSchema } from "#lib/schema/act/action-request.ts";
import { type RunOrder, toRunOrder } from "#lib/schema/act/order.ts";
import type { RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { type ActionStep, stepsSchema } from "#lib/schema/act/steps.ts";
import { type SuccessRule, successSchema } from "#lib/schema/act/success.ts";
import { type Breaker, toBreaker } from "#lib/schema/field/breaker.ts";
import { type RateLimit, toRateLimit } from "#lib/schema/field/rate-limit.ts";

/** An action as its owner sees it. Its credentials stay sealed. */
export type ActionRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly position: number;
  readonly filter: ActionInput["filter"];
  /** The one call. Null: it has steps. */
  readonly request: ActionRequestTemplate | null;
  /** The steps without their credentials. Null: it has one call. */
  readonly steps: readonly ActionStep[] | null;
  readonly authCiphertext: Uint8Array | null;
  readonly retry: RetryPolicy;
  /** Null: every 2xx is a success. */
  readonly success: SuccessRule | null;
  readonly rateLimit: RateLimit | null;
  /** The version, which increases with each save of a change in behavior. */
  readonly version: number;
  readonly breaker: Breaker | null;
  readonly order: RunOrder | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
} & ActionOptions;

/** JSON columns are read as text: JSON numbers may have more digits than JavaScript's. */
export const actionColumns = Prisma.sql`
  actions.id, actions.account_id, actions.hook_id, actions.name, actions.enabled, actions.position,
  actions.filter::text as filter, actions.request::text as request, actions.steps::text as steps, actions.auth_ciphertext,
  actions.retry::text as retry, actions.success::text as success, actions.rate_count, actions.rate_seconds,
  actions.breaker_failures, actions.breaker_window_seconds, actions.breaker_open_seconds, actions.order_by, actions.order_skip_seconds, ${optionColumns("actions")},
  actions.version, actions.created_at, actions.updated_at`;

export type ActionRow = {
  id: string;
  account_id: string;
  hook_id: string;
  name: string;
  enabled: boolean;
  position: number;
  filter: string | null;
  request: string | null;
  steps: string | null;
  auth_ciphertext: Uint8Array | null;
  retry: string | null;
  success: string | null;
  rate_count: number | null;
  rate_seconds: number | null;
  version: number;
  breaker_failures: number | null;
  breaker_window_seconds: number | null;
  breaker_open_seconds: number | null;
  order_by: string | null;
  order_skip_seconds: number | null;
  created_at: Date;
  updated_at: Date;
};

const { filter: filterSchema, retry: retrySchema } = actionInputSchema.shape;

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
    request: row.request === null ? null : requestSchema.parse(parseStored(row.request)),
    steps: row.steps === null ? null : stepsSchema.parse(parseStored(row.steps)),
    authCiphertext: row.auth_ciphertext,
    retry: retrySchema.parse(row.retry === null ? {} : JSON.parse(row.retry)),
    success: row.success === null ? null : successSchema.parse(parseStored(row.success)),
    rateLimit: toRateLimit(row),
    breaker: toBreaker(row),
    order: toRunOrder(row),
    ...readOptions(row),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function parseStored(text: string): unknown {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(`A stored action can't be read: ${parsed.message}`);
  return parsed.value;
}
