/** The commonest shapes of MAC schemes. What a sender does differently is said in its own file. */
import type { BatchRule } from "#lib/core/batch/batch-rule.ts";
import type { DedupeSource, EventTypeSource } from "#lib/schema/hook.ts";
import type { MacScheme } from "../scheme.ts";

type Options = {
  readonly hash?: MacScheme["hash"];
  readonly encoding?: MacScheme["encoding"];
  /** Constant text in front of the signature. */
  readonly prefix?: string;
};

/** An HMAC of the raw body and nothing else: a replay is stopped by de-duplication alone. */
export function bodyMac(header: string, { hash, encoding, prefix }: Options = {}): MacScheme {
  return {
    kind: "mac",
    mac: "hmac",
    hash: hash ?? "sha256",
    encoding: encoding ?? "hex",
    signature: {
      sources: [{ from: "header", name: header }],
      format: prefix === undefined ? { type: "bare" } : { type: "prefixed", prefix },
    },
    signed: { template: "{body}" },
    secret: { decode: "utf8" },
  };
}

type TimeOptions = {
  readonly unit?: NonNullable<MacScheme["timestamp"]>["unit"];
  /** Seconds, to the past and to the future. 300 where the sender names none. */
  readonly window?: number;
};

/** Signature and time of sending in two headers. */
export function stampedMac(
  header: string,
  timeHeader: string,
  { template, unit, window = 300, ...rest }: Options & TimeOptions & { readonly template: string },
): MacScheme {
  return {
    ...bodyMac(header, rest),
    signed: { template },
    timestamp: {
      source: { from: "header", name: timeHeader },
      unit: unit ?? "s",
      pastSeconds: window,
      futureSeconds: window,
    },
  };
}

type PairOptions = Pick<Options, "encoding"> &
  TimeOptions & {
    readonly template?: string;
    readonly itemSeparator?: string;
    /** The key of the signature. Others, such as decoys and newer versions, are ignored. */
    readonly key?: string;
    /** The key of the time; null where the header holds none. */
    readonly timeKey?: string | null;
  };

/** `t=1700000000,v1=…` in one header, as Stripe has it. */
export function pairMac(header: string, options: PairOptions = {}): MacScheme {
  const { template, itemSeparator = ",", key = "v1", timeKey = "t", unit = "s", window = 300 } = options;
  const scheme: MacScheme = {
    ...bodyMac(header, options),
    signature: {
      sources: [{ from: "header", name: header }],
      format: { type: "pairs", itemSeparator, keySeparator: "=", key },
    },
    signed: { template: template ?? (timeKey === null ? "{body}" : "{timestamp}.{body}") },
  };
  if (timeKey === null) return scheme;
  return {
    ...scheme,
    timestamp: {
      source: { from: "part", key: timeKey },
      unit,
      pastSeconds: window,
      futureSeconds: window,
    },
  };
}

/** Nothing that the sender gives stays the same when it tries again, but the body does. */
export const byContent: DedupeSource = { from: "content" };

export function inHeader(name: string): EventTypeSource {
  return { from: "header", name };
}

export function inBody(path: string): EventTypeSource {
  return { from: "body", path };
}

/** Several events in one body, in the list at `path` of it; `""` where the body is the list. */
export function eventsAt(path: string, options: Partial<Omit<BatchRule, "list">> = {}): BatchRule {
  const { keepsEnvelope = false, eventId = [], otherwise = "content", eventType = [] } = options;
  return { list: { from: "body", path }, keepsEnvelope, eventId, otherwise, eventType };
}
