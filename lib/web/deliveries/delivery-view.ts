import { z } from "zod";
import type { DistinctHeaders } from "#lib/core/api/http/http-types.ts";
import { showHeaders } from "#lib/core/api/http/show-headers.ts";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { DecodedBody } from "#lib/core/mapping/payload/decode-body.ts";
import { describeCutBody } from "#lib/core/mapping/payload/describe-cut-body.ts";
import { readUnpacked } from "#lib/core/mapping/payload/read-by-bytes.ts";
import { readDeclared } from "#lib/core/mapping/payload/read-payload.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { isWhollyMasked } from "#lib/core/people/mask/mask-body.ts";
import { isCredentialHeader, redactUrl } from "#lib/core/people/redact/redact-request.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { findPayloadField } from "#lib/core/providers/catalog/catalog.ts";
import {
  type SuggestedProvider,
  suggestProvider,
} from "#lib/core/verify/recognize/suggest-provider.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import type {
  DeliveryRecord,
  DeliveryReply,
  DeliverySummary,
  WholeDelivery,
} from "#lib/services/deliveries/read-deliveries.ts";
import { RawJson } from "#lib/web/route/api-json.ts";
import { view } from "#lib/web/route/view.ts";
import { runSchema, showRun } from "#lib/web/runs/run-view.ts";

const summarySchema = z
  .object({
    id: z.string(),
    hookId: z.string(),
    status: z.enum(deliveryStatuses),
    reason: z.string().nullable().describe("Why it wasn't accepted, or wasn't published: a code"),
    detail: z.string().nullable().describe("The reason in words"),
    receivedAt: z.date(),
    method: z.string(),
    path: z.string().describe("What follows the catch URL"),
    query: z.string().describe("Without secrets"),
    contentType: z.string().nullable(),
    bodySize: z.int().describe("In bytes, as sent"),
    eventId: z.string().nullable(),
    eventType: z.string().nullable(),
    duplicateOf: z.string().nullable().describe("The delivery that it repeats"),
    duplicateDiffers: z
      .boolean()
      .nullable()
      .describe(
        "It says something else than that delivery. Null: not a duplicate, or not compared",
      ),
    batchId: z.string().nullable().describe("The batch that contained it"),
    verification: z.object({
      outcome: z.string().describe("`verified`, `failed`, `not_configured`, or `pending`"),
      scheme: z.string().nullable(),
      reason: z.string().nullable(),
    }),
    sourceIp: z.string(),
    responseMs: z.int().nullable().describe("From its first byte until it got its response"),
    isSample: z.boolean().describe("Catchment made it"),
  })
  .meta({ id: "Delivery" });

const provider = { id: z.string(), name: z.string() };

const deliverySchema = summarySchema
  .extend({
    headers: z.record(z.string(), z.string()).describe("By lowercase name, without credentials"),
    rawHeaders: z
      .array(z.tuple([z.string(), z.string()]).readonly())
      .readonly()
      .describe("In the order and letter case received"),
    storedBodySize: z.int().describe("Less than `bodySize`: the body was cut"),
    body: z.string(),
    bodyEncoding: z.enum(["utf8", "base64"]),
    payload: z.unknown().describe("The parsed body with all digits, or null"),
    payloadError: z.string().optional().describe("Why there is no payload"),
    payloadErrorCode: z.string().optional(),
    suggestedProvider: z
      .object({
        ...provider,
        why: z.array(z.string()).readonly(),
        isClear: z.boolean(),
        alternatives: z.array(z.object(provider)).readonly(),
      })
      .nullable()
      .describe("The provider that it seems to come from. Not proven"),
    reply: z
      .object({
        sentAs: z.string(),
        status: z.int().nullable(),
        afterMs: z.int().nullable(),
        problem: z.string().nullable(),
      })
      .nullable()
      .describe("What the provider got, if an action replies or a listener answers"),
    fetched: z
      .object({
        gapId: z.string().describe("The search that found it"),
        provider: z.string().describe("Whose API listed it"),
        takenBy: z.string().nullable(),
        occurredAt: z.date().describe("By the provider's clock"),
      })
      .nullable()
      .describe("Where a delivery that never arrived comes from. Null: it arrived"),
    runs: z.array(runSchema).describe("Without attempts; the newest 200"),
  })
  .meta({ id: "WholeDelivery" });

/** A delivery in a list. */
export const deliverySummaryView = view(summarySchema, showDeliverySummary);

/** One complete delivery. */
export const deliveryView = view(deliverySchema, showDelivery);

function showDeliverySummary(delivery: DeliverySummary) {
  const { verificationOutcome, verificationScheme, ...rest } = delivery;
  const reason = verificationOutcome === "failed" ? delivery.reason : null;
  return {
    ...rest,
    query: redactUrl(`?${rest.query}`, []).slice(1),
    verification: { outcome: verificationOutcome, scheme: verificationScheme, reason },
  };
}

/**
 * `payload` is the JSON as received, character by character, or the fields of a form; null with a
 * `payloadError` and its code if there is neither.
 */
export function showDelivery({ delivery, decoded, runs, reply, fetched }: WholeDelivery) {
  const { body, headersJson, hookName: _hookName, provider: _provider, ...rest } = delivery;
  const { storedSize, ...summary } = rest;
  const pairs = JSON.parse(headersJson) as readonly (readonly [string, string])[];
  const { headers, rawHeaders } = showHeaders(pairs.map(hideCredential));
  return {
    ...showDeliverySummary(summary),
    headers,
    rawHeaders,
    storedBodySize: storedSize,
    ...showBody(body),
    ...(showCutBody(delivery) ?? showMaskedBody(body) ?? showPayload(delivery, decoded)),
    suggestedProvider: suggestOtherProvider(delivery, toDistinctHeaders(pairs)),
    reply: showReply(reply),
    fetched,
    runs: runs.map(showRun),
  };
}

/**
 * The response that the provider got from the hook's action or from a listener, or the one sent
 * instead. Null: neither was to respond.
 */
function showReply(reply: DeliveryReply | null) {
  if (reply === null || reply.sentAs === null) return null;
  const { sentAs, sentStatus, sentAfterMs, problem } = reply;
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
  if (text !== null) return { body: text, bodyEncoding: "utf8" } as const;
  return { body: bytes.toString("base64"), bodyEncoding: "base64" } as const;
}

/** Null: the whole body is stored. */
function showCutBody({ storedSize, bodySize }: DeliveryRecord) {
  const cut = describeCutBody(storedSize, bodySize);
  if (cut === null) return null;
  const payloadError = `This delivery was rejected, and ${cut}.`;
  return { payload: null, payloadError, payloadErrorCode: "body_cut" as const };
}

/** Null: it isn't masked as a whole. */
function showMaskedBody(body: Uint8Array) {
  if (!isWhollyMasked(body)) return null;
  const payloadError =
    "All of this body is masked for your role, because its fields can't be told apart.";
  return { payload: null, payloadError, payloadErrorCode: "masked" as const };
}

function showPayload({ body, contentType, provider }: DeliveryRecord, decoded: DecodedBody) {
  const field = findPayloadField(provider);
  const { payload } = decoded.ok
    ? readDeclared(decoded.bytes, contentType, field)
    : readUnpacked({ bytes: body, decoded }, contentType, field);
  switch (payload.kind) {
    case "json":
      return { payload: new RawJson(payload.text) };
    case "form":
      return { payload: payload.text === null ? payload.fields : new RawJson(payload.text) };
    case "none":
      return { payload: null, payloadError: payload.reason, payloadErrorCode: payload.code };
    default:
      return payload satisfies never;
  }
}

/**
 * A provider that doesn't sign proves itself by a token or password, which is the hook's secret
 * itself: it is never shown. Signatures are for this one body, and users compare them if
 * verification fails.
 */
function hideCredential([name, value]: readonly [string, string]): readonly [string, string] {
  return isCredentialHeader(name) ? [name, redactionMark] : [name, value];
}
