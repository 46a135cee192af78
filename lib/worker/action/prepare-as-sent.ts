import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { isSensitiveName } from "#lib/core/people/redact/redact-request.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { SentRequest } from "#lib/db/replays/load-sent-requests.ts";
import { type ActionRequestTemplate, requestSchema } from "#lib/schema/act/action-request.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import type { ActionConfig } from "../config/action-config.ts";
import { toEarlierStoredBody, toStoredRequest } from "../outcome/stored-attempt.ts";
import { prepareNeed } from "./prepare-run.ts";
import { readDelivery } from "./read-delivery.ts";

type SentInput = {
  readonly sent: SentRequest;
  readonly runId: string;
  readonly target: RunTarget;
  /** The action's current configuration, whose credentials are used. */
  readonly config: ActionConfig;
  readonly delivery: RunDelivery;
  readonly version: string;
};

type PreparedAsSent =
  | {
      readonly kind: "ready";
      readonly request: OutgoingRequest;
      /** True if the request needs the action's saved credential. */
      readonly isRebuilt: boolean;
    }
  | { readonly kind: "fail"; readonly code: string; readonly message: string };

/**
 * The request that an earlier run sent, byte for byte, except for its `Idempotency-Key` and
 * credentials. The history stores it without secrets and truncates a long body. So it is built
 * again from the delivery, with the template of that version and the current credentials, and only
 * sent if the history would store the same for it. Otherwise the request in the history is sent, if
 * it is complete.
 */
export async function prepareAsSent(
  threads: Threads<PrepareTasks>,
  input: SentInput,
): Promise<PreparedAsSent> {
  const { sent, config, runId } = input;
  if (sent.requestJson === null) return fail("The request is no longer stored.");
  const template = readTemplate(sent.templateJson);
  const rebuilt = template === null ? null : await rebuild(threads, input, template);
  const stored = readStored(sent.requestJson);
  if (rebuilt !== null && isSame(rebuilt, stored, config.secretValues))
    return { kind: "ready", request: rebuilt, isRebuilt: true };
  if (stored.bodyTruncated || stored.bodyBinary || /\[redacted\]|\u{fffd}/u.test(sent.requestJson))
    return fail(
      "What the history has of the request is incomplete, and building it " +
        "again gives another one. Replay the delivery as it is now.",
    );
  const headers = stored.headers.map(([name, value]) =>
    isIdempotencyKey(name) ? ([name, runId] as const) : ([name, value] as const),
  );
  const body = stored.body === null ? null : Buffer.from(stored.body, "utf8");
  return { kind: "ready", request: { ...stored, headers, body }, isRebuilt: false };
}

function fail(message: string): PreparedAsSent {
  return { kind: "fail", code: "request_not_repeatable", message };
}

/** Null: it can't be built, or its credentials are for another origin than they were entered for. */
async function rebuild(
  threads: Threads<PrepareTasks>,
  { sent, runId, target, config, delivery, version }: SentInput,
  request: ActionRequestTemplate,
): Promise<OutgoingRequest | null> {
  const now = config.steps === null ? config : null;
  const isSameOrigin =
    now !== null && readTemplateOrigin(now.request.url) === readTemplateOrigin(request.url);
  const { view, readContext } = readDelivery(delivery);
  const prepared = await prepareNeed(
    threads,
    {
      delivery: view,
      hook: target.hook,
      filter: null,
      need: {
        kind: "request",
        request,
        auth: isSameOrigin ? now.auth : null,
        runId,
        version,
      },
      nowMs: sent.sentAtMs,
    },
    {
      accountId: target.accountId,
      actionChars: sent.templateJson?.length ?? 0,
      readContext,
    },
  );
  return prepared.kind === "ready" ? prepared.value : null;
}

function readTemplate(json: string | null): ActionRequestTemplate | null {
  const value = json === null ? null : parseExactJson(json);
  const read = requestSchema.safeParse(value?.ok === true ? value.value : null);
  if (!read.success) return null;
  const { auth: _apart, ...template } = read.data;
  return template;
}

type Stored = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
  readonly bodyTruncated: boolean;
  /** Parts of it aren't text, and only their sizes are stored. */
  readonly bodyBinary: boolean;
};

function readStored(json: string): Stored {
  const { method, url, headers, body, bodyTruncated, bodyBinary = false } = JSON.parse(json);
  return { method, url, headers, body, bodyTruncated, bodyBinary };
}

function isSame(
  request: OutgoingRequest,
  stored: Stored,
  secretValues: readonly string[],
): boolean {
  const rebuilt = readStored(toStoredRequest(request, secretValues));
  if (request.body !== null && rebuilt.bodyBinary && !stored.bodyBinary) {
    const { bodyTruncated, bodyBinary } = stored;
    const body = toEarlierStoredBody(request.body, secretValues);
    return isEqual({ ...rebuilt, body, bodyTruncated, bodyBinary }, stored);
  }
  return isEqual(rebuilt, stored);
}

function isEqual(one: Stored, other: Stored): boolean {
  return JSON.stringify(withoutOwn(one)) === JSON.stringify(withoutOwn(other));
}

/** Removes credentials, which are the current ones, and what is new in each request. */
function withoutOwn(stored: Stored): Stored {
  const headers = stored.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(
      ([name, value]) => !newEachTime.has(name) && !(isSensitiveName(name) && isHidden(value)),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return { ...stored, headers };
}

const newEachTime: ReadonlySet<string> = new Set([
  "idempotency-key",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
]);

function isHidden(value: string): boolean {
  return value === redactionMark;
}

function isIdempotencyKey(name: string): boolean {
  return name.toLowerCase() === "idempotency-key";
}
