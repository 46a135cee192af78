/** Unique values, so that no two samples are the same event. */
export type Fresh = {
  readonly nowMs: number;
  /** Seconds since 1970. */
  readonly seconds: number;
  /** ISO 8601 in UTC with milliseconds. */
  readonly iso: string;
  /** Like `iso`, without milliseconds. */
  readonly isoSeconds: string;
  /** Letters and digits. */
  text(length: number): string;
  hex(length: number): string;
  /** A whole number with this many digits, at most 15. */
  digits(length: number): number;
  uuid(): string;
};

/** @param randomBytes a source of random bytes, used for ids only, not for secrets */
export function createFresh(nowMs: number, randomBytes: (count: number) => Uint8Array): Fresh {
  const pick = (alphabet: string, length: number) =>
    Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
  const hex = (length: number) => pick("0123456789abcdef", length);
  const iso = new Date(nowMs).toISOString();
  return {
    nowMs,
    seconds: Math.floor(nowMs / 1000),
    iso,
    isoSeconds: `${iso.slice(0, 19)}Z`,
    text: (length) =>
      pick("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", length),
    hex,
    digits: (length) => Number(pick("123456789", 1) + pick("0123456789", Math.min(length, 15) - 1)),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick("89ab", 1)}${hex(3)}-${hex(12)}`,
  };
}
