import { z } from "zod";

const downSince = z.date();
const nextTryAt = z.date();

/** The current state of an action's breaker. */
export const breakerStateSchema = z
  .discriminatedUnion("state", [
    z.object({ state: z.literal("closed") }),
    z.object({ state: z.literal("held"), heldSince: z.date(), reason: z.string() }),
    z.object({ state: z.literal("open"), downSince, nextTryAt }),
    z.object({ state: z.literal("probing"), downSince, nextTryAt }),
    z.object({ state: z.literal("recovering"), downSince, concurrency: z.int() }),
  ])
  .meta({ id: "BreakerState" });
