import { readEventData } from "./read-published-event.ts";

type OccurredEvent = {
  /** The event's id as receivers see it. */
  readonly publicId: string;
  readonly type: string;
  /** As it is stored: `{id, type, timestamp, data}`. */
  readonly body: Uint8Array;
};

/** Receivers of AI assistants accept no more. */
const maxDataBytes = 256 * 1024 - 1_024;

/**
 * An event as an AI assistant gets it: an `EventOccurrence` of MCP Events (SEP-3415), as JSON whose numbers keep their
 * digits. Its id is that of the call, too. Data that is no object is the field `value` of one, and data that is too
 * large is left out, which `_meta` says.
 */
export function toOccurrence({ publicId, type, body }: OccurredEvent): string {
  const text = Buffer.from(body).toString("utf8");
  const data = readEventData(text).trim();
  const isObject = data.startsWith("{");
  const isLarge = Buffer.byteLength(data) > maxDataBytes;
  const shown = isLarge ? "{}" : isObject ? data : `{"value":${data}}`;
  const meta = isLarge ? `,"_meta":{"catchment/omitted":"data is larger than 255 KiB"}` : "";
  // None of the three needs escapes.
  return `{"eventId":"${publicId}","name":"${type}","timestamp":"${readTimestamp(text)}","data":${shown}${meta}}`;
}

function readTimestamp(text: string): string {
  return /"timestamp":"([^"]+)"/.exec(text)?.[1] ?? "";
}

/** Tells the receiver which subscription a call is of, before it reads the body. */
export function callbackHeader(callbackId: string): [string, string] {
  return ["x-mcp-subscription-id", callbackId];
}
