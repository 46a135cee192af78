import { Prisma } from "#lib/db/generated/client.ts";
import type { ActionInput } from "#lib/schema/action/action.ts";

/** What of an action decides when its runs start, besides the options that are whole numbers. */
export type ActionControl = Pick<ActionInput, "rateLimit" | "breaker">;

export const controlNames = Prisma.sql`
  rate_count, rate_seconds, breaker_failures, breaker_window_seconds, breaker_open_seconds`;

/** For `insert` or `update`, in the order of the names. */
export function controlValues({ rateLimit, breaker }: ActionControl): Prisma.Sql {
  return Prisma.sql`
    ${rateLimit?.count ?? null}::int, ${rateLimit?.perSeconds ?? null}::int,
    ${breaker?.failures ?? null}::int, ${breaker?.windowSeconds ?? null}::int, ${breaker?.openSeconds ?? null}::int`;
}

/** What a change makes of it. */
export function mergeControl(
  patch: { readonly [Name in keyof ActionControl]?: ActionControl[Name] | undefined },
  { rateLimit, breaker }: ActionControl,
): ActionControl {
  return {
    rateLimit: patch.rateLimit === undefined ? rateLimit : patch.rateLimit,
    breaker: patch.breaker === undefined ? breaker : patch.breaker,
  };
}
