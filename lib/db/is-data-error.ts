/**
 * Whether a statement failed over a value in it (SQLSTATE class 22, or a violated constraint, class 23) and not over
 * the database: the same values will fail again, other values will not.
 */
export function isDataError(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== null && (state.startsWith("22") || state.startsWith("23"));
}

/**
 * The SQLSTATE of a failed statement; null: it failed before PostgreSQL had said anything. Prisma puts the driver's
 * error into `meta.driverAdapterError`, whose `cause` carries `originalCode`; a bare `pg` error has it as `code`.
 */
export function sqlStateOf(error: unknown): string | null {
  for (const place of [["meta", "driverAdapterError", "cause"], ["cause"], []]) {
    const found = place.reduce<unknown>(readProperty, error);
    for (const name of ["originalCode", "code"]) {
      const state = readProperty(found, name);
      if (typeof state === "string" && sqlState.test(state)) return state;
    }
  }
  return null;
}

// Prisma's own codes (P2010) look the same but for their letter; PostgreSQL has class P0 only.
const sqlState = /^(?!P[1-9])[0-9A-Z]{5}$/;

function readProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
