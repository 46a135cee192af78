import { z } from "zod";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { decodeBody } from "#lib/core/mapping/payload/decode-body.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { findPayloadField } from "#lib/core/providers/catalog/catalog.ts";
import type { IdentifiableRequest } from "#lib/core/verify/dedupe/content-hash.ts";
import { identifyEvent, readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import {
  type DedupeRule,
  dedupeRuleSchema,
  type EventTypeRule,
  eventTypeRuleSchema,
} from "#lib/schema/receive/event-rules.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

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
