import { toDistinctHeaders } from "#lib/core/build-request/delivery-context.ts";
import type { DistinctHeaders } from "#lib/core/http/http-types.ts";
import { showHeaders } from "#lib/core/http/show-headers.ts";
import { decodeBody } from "#lib/core/payload/decode-body.ts";
import { describeCutBody } from "#lib/core/payload/describe-cut-body.ts";
import { readUnpacked } from "#lib/core/payload/read-by-bytes.ts";
import { readUtf8 } from "#lib/core/payload/read-utf8.ts";
import { type SuggestedProvider, suggestProvider } from "#lib/core/recognise/suggest-provider.ts";
import { redactUrl } from "#lib/core/redact/redact-request.ts";
import type { DeliveryAnswer } from "#lib/db/answers/find-answers.ts";
import type { DeliveryRecord } from "#lib/db/deliveries/deliveries.ts";
import type { DeliverySummary } from "#lib/db/deliveries/delivery-summary.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { showRun } from "#lib/web/runs/run-view.ts";
import { RawJson } from "#lib/web/views/api-json.ts";
import { hideCredential } from "./hide-credential.ts";

/** A delivery in a list. */
export function showDeliverySummary(delivery: DeliverySummary) {
  const { verificationOutcome, verificationScheme, ...rest } = delivery;
  const reason = verificationOutcome === "failed" ? delivery.reason : null;
  return {
    ...rest,
    query: redactUrl(`?${rest.query}`, []).slice(1),
    verification: { outcome: verificationOutcome, scheme: verificationScheme, reason },
  };
}

/**
 * One complete delivery. `payload` is the JSON as received, character by character, or the fields
 * of a form; null with a `payloadError` and its code if there is neither.
 */
export async function showDelivery(
  delivery: DeliveryRecord,
  runs: readonly RunRecord[],
  answer: DeliveryAnswer | null = null,
) {
  const { body, headersJson, hookName: _hookName, ...summary } = delivery;
  const pairs = JSON.parse(headersJson) as readonly (readonly [string, string])[];
  const distinct = toDistinctHeaders(pairs);
  const encoding = distinct["content-encoding"]?.join(", ") ?? null;
  const { headers, rawHeaders } = showHeaders(pairs.map(hideCredential));
  return {
    ...showDeliverySummary(summary),
    headers,
    rawHeaders,
    storedBodySize: body.byteLength,
    ...showBody(body),
    ...(showCutBody(delivery) ?? (await showPayload(body, delivery.contentType, encoding))),
    suggestedProvider: suggestOtherProvider(delivery, distinct),
    answer: showAnswer(answer),
    runs: runs.map(showRun),
  };
}

/** What the provider got from the hook's action, or instead. Null: no action was to answer. */
function showAnswer(answer: DeliveryAnswer | null) {
  if (answer === null || answer.sentAs === null) return null;
  const { sentAs, sentStatus, sentAfterMs, problem } = answer;
  return { sentAs, status: sentStatus, afterMs: sentAfterMs, problem };
}

/**
 * The provider that an unverified delivery seems to come from, unless the hook expects that one
 * anyway.
 */
function suggestOtherProvider(
  { body, verificationOutcome, verificationScheme }: DeliveryRecord,
  headers: DistinctHeaders,
): SuggestedProvider | null {
  if (verificationOutcome === "verified") return null;
  const suggestion = suggestProvider({ headers, body });
  const isExpected = [suggestion, ...(suggestion?.alternatives ?? [])].some(
    (one) => one?.id === verificationScheme,
  );
  return isExpected ? null : suggestion;
}

function showBody(body: Uint8Array) {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = readUtf8(bytes);
  if (text !== null) return { body: text, bodyEncoding: "utf8" };
  return { body: bytes.toString("base64"), bodyEncoding: "base64" };
}

/** Null: the whole body is stored. */
function showCutBody({ body, bodySize }: DeliveryRecord) {
  const cut = describeCutBody(body.byteLength, bodySize);
  if (cut === null) return null;
  const payloadError = `This delivery was rejected, and ${cut}.`;
  return { payload: null, payloadError, payloadErrorCode: "body_cut" as const };
}

async function showPayload(body: Uint8Array, contentType: string | null, encoding: string | null) {
  const decoded = await decodeBody(body, encoding);
  const { payload } = readUnpacked({ bytes: body, decoded }, contentType);
  switch (payload.kind) {
    case "json":
      return { payload: new RawJson(payload.text) };
    case "form":
      return { payload: payload.value };
    case "none":
      return { payload: null, payloadError: payload.reason, payloadErrorCode: payload.code };
    default:
      return payload satisfies never;
  }
}
