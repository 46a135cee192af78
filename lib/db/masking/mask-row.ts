import { maskBody, maskHeaders, maskQuery } from "#lib/core/people/mask/mask-body.ts";
import { maskCall, maskedDetail, maskUrl } from "#lib/core/people/mask/mask-call.ts";
import { maskSentence } from "#lib/core/people/mask/mask-sentence.ts";
import type { MaskState } from "#lib/core/people/mask/mask-state.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";

type Row = Readonly<Record<string, unknown>>;
type MaskColumn = (value: NonNullable<unknown>, row: Row, state: MaskState) => unknown;

/**
 * Masks what a row has of payloads, whichever statement read it. Columns are known by their names,
 * and bytes that have none of them are masked like bodies: a new statement can't show what it forgot.
 */
export function maskRow(row: Row, state: MaskState): Row {
  const masked = Object.entries(row).map(([name, value]) => {
    if (value === null || value === undefined) return [name, value];
    const own = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (own !== undefined) return [name, own(value, row, state)];
    return [name, isPayload(name, value) ? maskBody(value as Uint8Array, state) : value];
  });
  return Object.fromEntries(masked);
}

/** Bytes are bodies, unless they are sealed or hashed. */
function isPayload(name: string, value: unknown): boolean {
  return (
    value instanceof Uint8Array && !/ciphertext|hash|mac$|auth$|publicKey|^content$/i.test(name)
  );
}

/** The reply of an action is text, and made from payloads. */
const bodyColumn: MaskColumn = (value, _row, state) =>
  value instanceof Uint8Array ? maskBody(value, state) : maskText;

/** The request of an action and the response of a hook are what people set up, not what was sent. */
const callColumn: MaskColumn = (value, row) => {
  if ("auth_ciphertext" in row || "verification" in row) return value;
  return typeof value === "string" ? maskCall(value) : JSON.parse(maskCall(JSON.stringify(value)));
};

const headersColumn: MaskColumn = (value, _row, state) => {
  const headers = typeof value === "string" ? JSON.parse(value) : value;
  const masked = Array.isArray(headers)
    ? maskHeaders(headers, state)
    : Object.fromEntries(Object.keys(headers).map((name) => [name, maskText]));
  return typeof value === "string" ? JSON.stringify(masked) : masked;
};

/** A sentence, whose code is in another column of the row. */
function sentenceColumn(...codes: readonly string[]): MaskColumn {
  return (value, row) => {
    const code = codes.map((name) => row[name]).find((each) => typeof each === "string");
    return maskSentence(typeof code === "string" ? code : null, String(value));
  };
}

/** The details of a problem, and the results of a backtest. */
const detailsColumn: MaskColumn = (value, row) => {
  const details = typeof value === "string" ? JSON.parse(value) : value;
  const masked = maskDetails(details, row);
  return typeof value === "string" ? JSON.stringify(masked) : masked;
};

function maskDetails(details: Row, { reason }: Row): Row {
  const { kind, message, requests, changes } = details;
  const hasSentence =
    kind === "action_failing" || kind === "subscription_failing" || kind === "rejected";
  return {
    ...details,
    ...(hasSentence && typeof message === "string"
      ? { message: maskSentence(typeof reason === "string" ? reason : null, message) }
      : {}),
    ...(Array.isArray(requests) ? { requests: requests.map(maskRequest) } : {}),
    ...(kind === undefined && Array.isArray(changes) ? { changes: [] } : {}),
  };
}

/** A request of a backtest: which fields differ is shown, and not how. */
function maskRequest(request: Row): Row {
  const changes = Array.isArray(request.changes) ? (request.changes as readonly Row[]) : [];
  return {
    ...request,
    url: maskUrl(String(request.url)),
    changes: changes.map(({ path, before, after }) => ({
      path,
      before: before === null ? null : maskText,
      after: after === null ? null : maskText,
    })),
  };
}

const columns: Readonly<Record<string, MaskColumn>> = {
  body: bodyColumn,
  headers: headersColumn,
  headersJson: headersColumn,
  query: (value, _row, state) => (typeof value === "string" ? maskQuery(value, state) : value),
  request: callColumn,
  requestJson: callColumn,
  response: callColumn,
  responseJson: callColumn,
  result: callColumn,
  resultJson: callColumn,
  detail: sentenceColumn("reason", "code"),
  message: sentenceColumn("reason", "code"),
  reason_detail: sentenceColumn("reason_code"),
  reasonDetail: sentenceColumn("reasonCode"),
  error_message: sentenceColumn("error_code"),
  errorMessage: sentenceColumn("errorCode"),
  details: detailsColumn,
  warning: () => maskedDetail,
  problem: () => maskedDetail,
};
