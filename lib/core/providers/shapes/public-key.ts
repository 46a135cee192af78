import type { PublicKeyScheme } from "#lib/core/verify/scheme/scheme.ts";

type Signed = {
  readonly template: string;
  /** The timestamp header, if one is signed. */
  readonly time?: string;
  readonly unit?: "s" | "rfc3339";
};

/** A scheme with a private key that signs. Users paste the public key, which isn't secret. */
export function signedBy(
  algorithm: PublicKeyScheme["algorithm"],
  encoding: "hex" | "base64",
  header: string,
  { template, time, unit = "s" }: Signed,
): PublicKeyScheme {
  const scheme: PublicKeyScheme = {
    kind: "publicKey",
    algorithm,
    encoding,
    signature: { sources: [{ from: "header", name: header }], format: { type: "bare" } },
    signed: { template },
    secret: { decode: encoding },
  };
  if (time === undefined) return scheme;
  const source = { from: "header", name: time } as const;
  return { ...scheme, timestamp: { source, unit, pastSeconds: 300, futureSeconds: 300 } };
}

export function withId(scheme: PublicKeyScheme, name: string): PublicKeyScheme {
  return { ...scheme, signed: { ...scheme.signed, values: { id: { from: "header", name } } } };
}
