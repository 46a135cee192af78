import { z } from "zod";

const maxExpectedMinutes = 31 * 1_440;

/** Whether a hook that goes silent is reported, and by what. */
export const hookSilenceSchema = z
  .strictObject(
    {
      enabled: z
        .boolean({ error: "must be true or false" })
        .default(true)
        .describe("False: its silence isn't reported"),
      expectEveryMinutes: z
        .int("must be a whole number of minutes, or null")
        .min(10, "must be at least 10 minutes")
        .max(maxExpectedMinutes, `must be at most ${maxExpectedMinutes} minutes (31 days)`)
        .nullable()
        .default(null)
        .describe(
          "At least one delivery is expected in so many minutes. Null: as its learned rhythm says",
        ),
    },
    { error: "must be an object with enabled and expectEveryMinutes" },
  )
  .meta({ id: "HookSilence" });
export type HookSilence = z.output<typeof hookSilenceSchema>;
