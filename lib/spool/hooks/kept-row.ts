import type { CatchHookRow, SealedSecretRow } from "#lib/db/hooks/catch-hook.ts";

/** A hook's columns with times instead of remaining times, which change with every look. */
export type KeptRow = Omit<CatchHookRow, "secrets" | "keyExpiresInMs"> & {
  readonly keyExpiresAtMs: number | null;
  readonly secrets: readonly KeptSecret[];
};

type KeptSecret = Omit<SealedSecretRow, "expiresInMs"> & { readonly expiresAtMs: number | null };

export function toKept(row: CatchHookRow, nowMs: number): KeptRow {
  const { keyExpiresInMs, secrets, ...rest } = row;
  return {
    ...rest,
    keyExpiresAtMs: toTime(keyExpiresInMs, nowMs),
    secrets: secrets.map(({ expiresInMs, ...secret }) => ({
      ...secret,
      expiresAtMs: toTime(expiresInMs, nowMs),
    })),
  };
}

/** The row as the database would tell it now, if nothing has changed. Null: its URL has expired. */
export function fromKept(
  { keyExpiresAtMs, secrets, ...rest }: KeptRow,
  nowMs: number,
): CatchHookRow | null {
  if (keyExpiresAtMs !== null && keyExpiresAtMs <= nowMs) return null;
  return {
    ...rest,
    keyExpiresInMs: keyExpiresAtMs === null ? null : keyExpiresAtMs - nowMs,
    secrets: secrets
      .filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs)
      .map(({ expiresAtMs, ...secret }) => ({
        ...secret,
        expiresInMs: expiresAtMs === null ? null : expiresAtMs - nowMs,
      })),
  };
}

/** Whole seconds, rarely a second early, so that two looks at the same hook are the same. */
function toTime(inMs: number | null, nowMs: number): number | null {
  return inMs === null ? null : Math.floor((nowMs + inMs) / 1_000) * 1_000;
}
