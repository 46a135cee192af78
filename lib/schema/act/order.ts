/** The rule that decides which runs of an action start one after the other. */
import { z } from "zod";

export const orderSchema = z
  .strictObject({
    by: z
      .string()
      .min(1, "must not be empty")
      .max(1_000, "must have at most 1000 characters")
      .describe(
        "A template. Runs for which it gives the same value start in the order of their deliveries",
      ),
    skipAfterSeconds: z
      .int()
      .min(1, "must be at least 1")
      .max(30 * 86_400, "must be at most 2592000 (30 days)")
      .nullable()
      .default(null)
      .describe("How long a failing run holds those behind it. Null: until it has ended"),
  })
  .meta({ id: "RunOrder" });
export type RunOrder = z.output<typeof orderSchema>;

/** The order in the two columns of a row. */
export function toRunOrder(row: {
  readonly order_by: string | null;
  readonly order_skip_seconds: number | null;
}): RunOrder | null {
  const { order_by: by, order_skip_seconds: skipAfterSeconds } = row;
  return by === null ? null : { by, skipAfterSeconds };
}
