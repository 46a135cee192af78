/** Common MAC schemes. */
import type { MacScheme } from "#lib/core/verify/scheme/scheme.ts";

type Options = {
  readonly hash?: MacScheme["hash"];
  readonly encoding?: MacScheme["encoding"];
  /** Constant prefix of the signature. */
  readonly prefix?: string;
};

/** An HMAC of only the raw body, so only de-duplication stops replays. */
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
  /** Tolerance in seconds, past and future. Default: 300. */
  readonly window?: number;
};

/** Signature and timestamp in two headers. */
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
    /** The key of the time; null if the header has none. */
    readonly timeKey?: string | null;
  };

/** `t=1700000000,v1=…` in one header, as Stripe sends it. */
export function pairMac(header: string, options: PairOptions = {}): MacScheme {
  const {
    template,
    itemSeparator = ",",
    key = "v1",
    timeKey = "t",
    unit = "s",
    window = 300,
  } = options;
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
