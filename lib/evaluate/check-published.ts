import { readEventData, toVersion } from "#lib/core/sending/read-published-event.ts";
import { describeMismatch, type EventCheck } from "#lib/core/sending/schema-finding.ts";
import {
  describeUnpublished,
  findMismatched,
  findTooLarge,
  type WhyUnpublished,
  whySample,
} from "#lib/core/sending/why-unpublished.ts";
import type { PublishedDelivery } from "#lib/db/deliveries/published-deliveries.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { HookRules } from "./catch-hook.ts";
import {
  type CaughtRequest,
  type Evaluation,
  evaluateDelivery,
  type VerificationState,
} from "./evaluate-delivery.ts";
import type { ReadLarge } from "./read-events-task.ts";

/**
 * Checks events against the schemas of their types: one entry per event, in order. An empty list:
 * no type has a schema. "busy": too many checks are waiting. Throws if the database is
 * unavailable.
 */
export type CheckEvents = (
  accountId: string,
  events: readonly { readonly type: string; readonly dataJson: string }[],
) => Promise<readonly EventCheck[] | "busy">;

export type CheckedEvaluation =
  | Evaluation
  /** The check isn't possible now, so it isn't known whether the event may be published. */
  | { readonly kind: "unchecked"; readonly cause: unknown };

type EvaluationTasks = { readonly readLarge: ReadLarge; readonly checkEvents: CheckEvents };

/**
 * Evaluates a delivery, and applies the rules of `POST /events` to the events that it publishes:
 * the size limit, and the schema of their type. An event that breaks them isn't published, and
 * neither is a sample. The delivery is accepted nevertheless, and states the reason. Hooks that
 * don't publish have nothing to wait for.
 */
export function evaluateChecked(
  hook: HookRules,
  request: CaughtRequest,
  verification: VerificationState,
  { readLarge, checkEvents }: EvaluationTasks,
): CheckedEvaluation | Promise<CheckedEvaluation> {
  const evaluation = evaluateDelivery(hook, request, verification, readLarge);
  return hook.events.publish === null ? evaluation : check(evaluation, checkEvents);
}

async function check(
  evaluation: Evaluation | Promise<Evaluation>,
  checkEvents: CheckEvents,
): Promise<CheckedEvaluation> {
  const evaluated = await evaluation;
  if (evaluated.kind !== "delivery") return evaluated;
  const { delivery } = evaluated;
  const checked = [delivery, ...(delivery.events ?? [])].flatMap(({ published }) =>
    published === undefined || findBroken(delivery, published) !== null ? [] : [published],
  );
  try {
    const checks =
      checked.length === 0 ? [] : await checkEvents(delivery.accountId, checked.map(toChecked));
    if (checks === "busy") return { kind: "unchecked", cause: tooBusy };
    const found = new Map(checked.map(({ id }, index) => [id, checks[index] ?? null]));
    const events = delivery.events?.map((event) => applyRules(event, found));
    const whole = applyRules(delivery, found);
    return { ...evaluated, delivery: events === undefined ? whole : { ...whole, events } };
  } catch (cause) {
    return { kind: "unchecked", cause };
  }
}

const tooBusy = new Error("too many checks are waiting");

function toChecked({ type, body }: PublishedDelivery) {
  return { type, dataJson: readEventData(body) };
}

/** @param found the checks, by the event's id */
function applyRules(
  delivery: NewDelivery,
  found: ReadonlyMap<string, EventCheck | null>,
): NewDelivery {
  if (delivery.published === undefined) return delivery;
  const { finding, version } = found.get(delivery.published.id) ?? { finding: null, version: null };
  const published = version === null ? delivery.published : addVersion(delivery.published, version);
  const why = findBroken(delivery, published) ?? findMismatched(finding);
  if (why !== null) return leaveUnpublished(delivery, published.type, why);
  if (finding === null) return { ...delivery, published };
  const warnings = [published.warning, describeMismatch(finding)].filter((text) => text !== null);
  return { ...delivery, published: { ...published, warning: warnings.join(" ") } };
}

function addVersion(published: PublishedDelivery, version: string): PublishedDelivery {
  const body = toVersion(published.body, version, readEventData(published.body));
  return { ...published, body };
}

/** The rule that an event breaks whatever its schema. */
function findBroken(
  { isSample }: Pick<NewDelivery, "isSample">,
  { body }: PublishedDelivery,
): WhyUnpublished | null {
  return isSample ? whySample : findTooLarge(body);
}

function leaveUnpublished(delivery: NewDelivery, type: string, why: WhyUnpublished): NewDelivery {
  const { published: _, ...rest } = delivery;
  return { ...rest, reason: why.code, detail: describeUnpublished(type, why) };
}
