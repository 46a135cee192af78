import { capitalize } from "#lib/base/capitalize.ts";
import { errorTable } from "#lib/base/errors.ts";
import { toDistinctHeaders } from "#lib/core/mapping/build-request/delivery-context.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { describeJsonFault, findJsonFault } from "#lib/core/mapping/json/scan-json.ts";
import type { DecodedBody } from "#lib/core/mapping/payload/decode-body.ts";
import { readUnpacked } from "#lib/core/mapping/payload/read-by-bytes.ts";
import type { PayloadErrorCode } from "#lib/core/mapping/payload/read-payload.ts";
import {
  buildPayloadTree,
  isCutSomewhere,
  type PayloadNode,
} from "#lib/core/mapping/payload-tree/payload-tree.ts";
import type { CutText, TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { findPayloadField, findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { identifyEvent, readEventType } from "#lib/core/verify/dedupe/identify-event.ts";
import { toErrorCode } from "#lib/core/verify/rejection-code.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import type { DedupeSource, EventTypeSource } from "#lib/schema/receive/event-rules.ts";
import type { DeliveryRecord, DeliveryReply } from "#lib/services/deliveries/read-deliveries.ts";
import type { HookRecord } from "#lib/services/hooks/read-hooks.ts";
import { RawJson } from "#lib/web/route/api-json.ts";

/** The body of a delivery, cut to what a page can hold. */
type BodyView = {
  readonly tree: PayloadNode | null;
  /** True if some part of the tree is left out. */
  readonly isTreeCut: boolean;
  /** The reason why there is no tree; null if there is one. */
  readonly treeProblem: string | null;
  /**
   * The position where the JSON is invalid, with the surrounding text; null: it is valid, or was
   * never meant as JSON.
   */
  readonly fault: JsonFaultView | null;
  /** The reason why only its start, or nothing, can be shown. Null: the whole body is stored. */
  readonly notStored: string | null;
  readonly raw: (CutText & { readonly form: "text" | "hex" }) | null;
};

type JsonFaultView = {
  /** "Line 1, column 22: a comma or } is expected here." */
  readonly message: string;
  readonly before: string;
  readonly after: string;
};

type ShownBody = {
  readonly contentType: string | null;
  readonly body: string;
  readonly bodyEncoding: string;
  readonly payload: unknown;
  readonly payloadError?: string | undefined;
  readonly payloadErrorCode?: PayloadErrorCode | undefined;
};

/** Builds the view from the API's response, so that the dashboard and the API always agree. */
export function viewBody(
  shown: ShownBody,
  budget: { tree: TextBudget; raw: TextBudget },
): BodyView {
  const notStored = isNotStored(shown) ? (shown.payloadError ?? null) : null;
  return { ...viewTree(shown, budget.tree), notStored, raw: viewRaw(shown, budget.raw) };
}

function isNotStored({ payloadErrorCode }: ShownBody): boolean {
  return payloadErrorCode === "body_cut";
}

function viewTree(shown: ShownBody, budget: TextBudget) {
  const { payload, payloadError } = shown;
  if (payload instanceof RawJson) {
    const parsed = parseExactJson(payload.text);
    if (parsed.ok) return withTree(parsed.value, budget);
    const treeProblem = `${sentence(parsed.message)} Templates can't read it either. The raw body is complete.`;
    return { tree: null, isTreeCut: false, treeProblem, fault: null };
  }
  if (payload === null) {
    const treeProblem = payloadError ?? "There is no parsed view.";
    return {
      tree: null,
      isTreeCut: false,
      treeProblem,
      fault: findFault(shown),
    };
  }
  return withTree(payload, budget);
}

function withTree(payload: unknown, budget: TextBudget) {
  const tree = buildPayloadTree(payload, budget);
  return {
    tree,
    isTreeCut: isCutSomewhere(tree),
    treeProblem: null,
    fault: null,
  };
}

/** Characters around the position. */
const maxAround = 60;

function findFault({ body, bodyEncoding, payloadErrorCode }: ShownBody): JsonFaultView | null {
  if (bodyEncoding !== "utf8") return null;
  // Text that neither claims to be JSON nor starts like it has no JSON error.
  const isMeantAsJson =
    payloadErrorCode === "invalid_json" ||
    (payloadErrorCode === "not_json" && /^\s*[[{]/u.test(body));
  if (!isMeantAsJson) return null;
  const fault = findJsonFault(body);
  if (fault === null) return null;
  const { index } = fault;
  return {
    message: sentence(describeJsonFault(fault)),
    before: body.slice(Math.max(0, index - maxAround), index).toWellFormed(),
    after: body.slice(index, index + maxAround).toWellFormed(),
  };
}

function viewRaw({ body, bodyEncoding }: ShownBody, budget: TextBudget): BodyView["raw"] {
  if (body === "") return null;
  if (bodyEncoding === "utf8") return { form: "text", ...budget.take(body, maxRawChars) };
  const bytes = Buffer.from(body.slice(0, 4 * Math.ceil(maxHexBytes / 3)), "base64").subarray(
    0,
    maxHexBytes,
  );
  const isCut = (body.length * 3) / 4 - 2 > maxHexBytes;
  return { form: "hex", text: toHexLines(bytes), isCut };
}

const maxRawChars = 65_536;
const maxHexBytes = 2_048;

/** `00000010  89 50 4e 47 …  .PNG`, as hexdump writes it. */
function toHexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join("\n");
}

function sentence(clause: string): string {
  return `${capitalize(clause)}.`;
}

/** The start of a body on one line; null if it isn't text. */
export function toBodyStart(bytes: Uint8Array): string | null {
  // `stream`: a character split by the cut is dropped, not replaced.
  const text = new TextDecoder("utf-8").decode(bytes, { stream: true });
  if (/[\u{fffd}\0]|[^\P{Cc}\s]/u.test(text)) return null;
  return text.replace(/\s+/gu, " ").trim();
}

/**
 * The event that a rejected delivery claims to be. It is only shown: nothing is stored of what isn't
 * verified. Null if it claims none, or the body was cut.
 */
export function readClaimedEvent(
  { headersJson, body, contentType, provider, path, query }: DeliveryRecord,
  { eventType, dedupe }: Pick<HookRecord, "eventType" | "dedupe">,
  decoded: DecodedBody,
): { readonly eventType: string | null; readonly eventId: string | null } {
  const bytes = decoded.ok ? decoded.bytes : body;
  const request = {
    headers: toDistinctHeaders(JSON.parse(headersJson)),
    body: bytes,
    payload: readUnpacked({ bytes: body, decoded }, contentType, findPayloadField(provider))
      .payload,
    path,
    query,
  };
  return {
    eventType: readEventType(listSources<EventTypeSource>(eventType), request),
    eventId: identifyEvent(listSources<DedupeSource>(dedupe), request).eventId,
  };
}

/** The provider's view of a delivery. */
type ResponseView = {
  /** Null: none. */
  readonly status: number | null;
  readonly body: string | null;
  /** The hook has changed since, so its own response may have been different. */
  readonly isSinceChanged: boolean;
  readonly durationMs: number | null;
  /** The origin of the response, if an action of the hook was to respond. */
  readonly note: string | null;
};

/**
 * The response to a delivery, as `lib/catch/write-response.ts` writes it. It isn't stored, but
 * follows from the result. Null if it doesn't follow: a handshake can repeat what was sent.
 */
export function viewResponse(
  delivery: DeliveryRecord,
  hook: RespondingHook,
  reply: DeliveryReply | null,
  responses: readonly ReplyingProgram[],
): ResponseView | null {
  const response = viewStoredResponse(delivery, hook);
  if (reply === null || reply.sentAs === null) return response;
  const { sentAs, sentStatus, sentAfterMs, problem } = reply;
  const shared = { status: sentStatus, durationMs: sentAfterMs, isSinceChanged: false };
  if (sentAs === "listener")
    return { ...shared, body: null, note: nameReplier(responses) ?? sentNotes.listener };
  if (response === null) return null;
  const isOwn = sentAs === "reply";
  const why = sentAs === "none" && problem !== null ? ` ${problem}` : "";
  return {
    ...shared,
    body: isOwn ? reply.body : sentStatus === null ? null : response.body,
    isSinceChanged: !isOwn && response.isSinceChanged,
    note: `${sentNotes[sentAs]}${why}`,
  };
}

/** A program that listens, and what it responded is what the provider gets. */
type ReplyingProgram = { readonly owner: string; readonly host: string; readonly replies: boolean };

function nameReplier(responses: readonly ReplyingProgram[]): string | null {
  const one = responses.find(({ replies }) => replies);
  return one === undefined ? null : `The program of ${one.owner} on ${one.host} responded.`;
}

const sentNotes: Readonly<Record<NonNullable<DeliveryReply["sentAs"]>, string>> = {
  reply: "The hook's action replied.",
  none: "The hook's action had no reply.",
  timeout: "The hook's action had not ended in time.",
  busy: "Too many deliveries waited for a reply.",
  closed: "It closed its connection before there was a reply.",
  stopping: "The server stopped before there was a reply.",
  listener: "A program that listens responded.",
  listener_none: "A program that listens responded, but not with what can be passed on.",
  listener_timeout: "The program that answers had not responded in time.",
};

function viewStoredResponse(delivery: DeliveryRecord, hook: RespondingHook): StoredResponse | null {
  const { id, status, duplicateOf, reason, detail, responseMs, batchId, receivedAt } = delivery;
  const shared = { durationMs: responseMs, isSinceChanged: false, note: null };
  const own = ownResponse(hook);
  const accepted = (body: string | null) =>
    own === null
      ? { ...shared, status: 200, body }
      : { ...shared, ...own, isSinceChanged: hook.updatedAt.getTime() > receivedAt.getTime() };
  // The provider's request got the response, not each event of its batch.
  if (batchId !== null) return null;
  switch (status) {
    case "accepted":
    case "pending":
      return accepted(JSON.stringify({ status: "accepted", deliveryId: id }));
    case "duplicate":
      return accepted(
        JSON.stringify({ status: "duplicate", deliveryId: id, originalDeliveryId: duplicateOf }),
      );
    case "batch":
      return accepted(null);
    case "rejected": {
      const code = toErrorCode(reason);
      return code === null ? null : { ...shared, status: errorTable[code].status, body: detail };
    }
    case "handshake":
      return null;
    default:
      return status satisfies never;
  }
}

/** The part of a hook that its own responses depend on. */
type RespondingHook = Pick<HookRecord, "response" | "provider" | "updatedAt">;

type StoredResponse = ResponseView & { readonly status: number };

function ownResponse({
  response,
  provider,
}: RespondingHook): { status: number; body: string | null } | null {
  if (response !== null) return { status: response.status, body: response.body };
  const usual = findProvider(provider)?.response;
  return usual === undefined ? null : { status: usual.status ?? 200, body: usual.body ?? "" };
}
