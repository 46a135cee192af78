import { z } from "zod";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { decodeBody } from "#lib/core/mapping/payload/decode-body.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findPayloadField, findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { IdentifiableRequest } from "#lib/core/verify/dedupe/content-hash.ts";
import { identifyEvent, readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { includeContent } from "#lib/core/verify/dedupe/include-content.ts";
import { defaultDedupe, readScheme } from "#lib/core/verify/hook/hook-rules.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listDifferingDuplicates } from "#lib/db/deliveries/differing-duplicates.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import {
  type AcceptedDuplicates,
  acceptDuplicates,
} from "#lib/evaluate/stored/accept-duplicates.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import {
  type DedupeRule,
  dedupeRuleSchema,
  type EventTypeRule,
  eventTypeRuleSchema,
} from "#lib/schema/receive/event-rules.ts";
import { withEvaluationParts } from "#lib/services/evaluation.ts";
import { auditWithoutChange } from "#lib/services/frame/audit.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { updateHook } from "./write-hooks.ts";

/** The result of trying a rule on the latest deliveries. */
export type IdentityCheck = {
  readonly checked: number;
  /** The number of deliveries without such a value. */
  readonly without: number;
  /** The number of deliveries that would have repeated another one. */
  readonly repeated: number;
  /** A few of the values, newest first, without repeats. */
  readonly examples: readonly string[];
};

const looked = 20;
/** Larger bodies are skipped: this is only a check. */
const maxBodyBytes = 262_144;
const maxExamples = 3;

/** Tries an unsaved rule on a hook's latest deliveries, as the catch path would. */
export const checkIdentity = service({
  permission: "hooks:read",
  input: z.discriminatedUnion("what", [
    z.strictObject({ id: recordId, what: z.literal("dedupe"), rule: dedupeRuleSchema }),
    z.strictObject({ id: recordId, what: z.literal("eventType"), rule: eventTypeRuleSchema }),
  ]),
  run: async (context, input): Promise<IdentityCheck> => {
    authorize(context.actor, "deliveries:read");
    const requests = await readLatest(context, input.id);
    return input.what === "dedupe"
      ? checkDedupe(requests, input.rule)
      : checkEventType(requests, input.rule);
  },
});

function checkDedupe(requests: readonly IdentifiableRequest[], rule: DedupeRule): IdentityCheck {
  const found = requests.map((request) => identifyEvent(listSources(rule), request));
  const keys = found.flatMap(({ keyHash }) => (keyHash === null ? [] : [keyHash.toString("hex")]));
  return {
    checked: found.length,
    without: found.length - keys.length,
    repeated: keys.length - new Set(keys).size,
    examples: takeExamples(found.map(({ eventId }) => eventId)),
  };
}

/** Tries a rule for event types, which may repeat. */
function checkEventType(
  requests: readonly IdentifiableRequest[],
  rule: EventTypeRule,
): IdentityCheck {
  const types = requests.map((request) => readEventType(listSources(rule), request));
  return {
    checked: types.length,
    without: types.filter((type) => type === null).length,
    repeated: 0,
    examples: takeExamples(types),
  };
}

function takeExamples(values: readonly (string | null)[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== null).slice(0, maxExamples);
}

async function readLatest(
  { db, actor: { accountId } }: ServiceContext,
  hookId: string,
): Promise<readonly IdentifiableRequest[]> {
  const hook = await getHook(db, accountId, hookId);
  const { items } = await listDeliveries(db, accountId, { hookId: hook.id }, { limit: looked * 2 });
  const events = items.filter(
    ({ status, bodySize }) => isEvent(status) && bodySize <= maxBodyBytes,
  );
  const requests: IdentifiableRequest[] = [];
  // One at a time, so that the bodies aren't all in memory at once.
  for (const { id } of events.slice(0, looked)) {
    const { body, headersJson, contentType, method, path, query } = await getDelivery(
      db,
      accountId,
      id,
    );
    const headers = toDistinctHeaders(JSON.parse(headersJson));
    const decoded = await decodeBody(body, headers["content-encoding"]?.join(", ") ?? null);
    const bytes = decoded.ok ? decoded.bytes : body;
    const payload = readPayload(bytes, contentType, findPayloadField(hook.provider));
    requests.push({ headers, body: bytes, payload, method, path, query });
  }
  return requests;
}

/** Rejected deliveries and non-events say nothing about events. */
function isEvent(status: string): boolean {
  return status === "accepted" || status === "duplicate" || status === "pending";
}

type CountedDuplicates = AcceptedDuplicates & { readonly dedupe: DedupeRule };

/**
 * Makes duplicates that say something else than their first delivery count as events: the hook's
 * rule includes the content from now on. Those that are stored are accepted, and their actions run,
 * unless `acceptStored` is false.
 */
export const countDuplicates = service({
  permission: "hooks:write",
  input: z.strictObject({
    id: recordId,
    acceptStored: z
      .boolean({ error: "must be true or false" })
      .default(true)
      .describe("False: stored duplicates stay as they are"),
  }),
  run: async (context, { id, acceptStored }): Promise<CountedDuplicates> => {
    const { db, actor } = context;
    if (acceptStored) authorize(actor, "deliveries:write");
    const before = await getHook(db, actor.accountId, id);
    const rule = findRuleWithContent(before);
    if (rule !== null) await updateHook(context, { id, dedupe: rule });
    const dedupe = rule ?? before.dedupe;
    if (!acceptStored) return { dedupe, accepted: 0, kept: 0 };
    // Before it begins: it works in many transactions, each of which lasts.
    await auditWithoutChange(context, {
      event: "hook.duplicates.accepted",
      targets: [{ type: "hook", id, name: before.name }],
    });
    const hook = { id: before.id, accountId: actor.accountId };
    const counts = await withEvaluationParts(context, (parts) => acceptDuplicates(db, hook, parts));
    return { dedupe, ...counts };
  },
});

/**
 * The hook's rule together with what deliveries say. Null: it includes that already. What isn't
 * signed must not make a captured body another event.
 */
type IdentifyingHook = Pick<HookRecord, "provider" | "verification" | "dedupe">;

function findRuleWithContent(hook: IdentifyingHook): DedupeRule | null {
  const scheme = findProvider(hook.provider)?.scheme ?? readScheme(hook.verification);
  const isSigned = scheme !== null && !["token", "basic", "bearer"].includes(scheme.kind);
  const rule = includeContent(hook.dedupe, { from: isSigned ? "content" : "request" });
  return rule === null ? null : dedupeRuleSchema.parse(rule.length === 1 ? rule[0] : rule);
}

/** The number of duplicates that the hook's page compares, newest first. */
const maxCompared = 100;

/** The number of recent duplicates of a hook that differ from their first delivery and could count as events. */
export async function countDifferingDuplicates(db: Database, hook: HookRecord): Promise<number> {
  if (!canCountDuplicates(hook)) return 0;
  return (await listDifferingDuplicates(db, hook, maxCompared)).length;
}

/**
 * True if a duplicate that differs may be another event. The rule of a provider in the catalog says
 * what its events have in common, and some change a counter in each attempt.
 */
export function canCountDuplicates(hook: IdentifyingHook): boolean {
  const isProviders =
    findProvider(hook.provider) !== undefined &&
    JSON.stringify(hook.dedupe) === JSON.stringify(defaultDedupe(hook.provider));
  return !isProviders && findRuleWithContent(hook) !== null;
}
