/** Which runs of an action go one after the other. */
import { z } from "zod";

export const orderSchema = z.strictObject({
  /** A template. Runs for which it gives the same go in the order of their deliveries. */
  by: z.string().min(1, "must not be empty").max(1_000, "must have at most 1000 characters"),
  /** How long a failing run holds the ones behind it. Null: until it has ended. */
  skipAfterSeconds: z
    .int()
    .min(1, "must be at least 1")
    .max(30 * 86_400, "must be at most 2592000 (30 days)")
    .nullable()
    .default(null),
});
export type RunOrder = z.output<typeof orderSchema>;

/** From the two columns of a row. */
export function toRunOrder(row: {
  readonly order_by: string | null;
  readonly order_skip_seconds: number | null;
}): RunOrder | null {
  const { order_by: by, order_skip_seconds: skipAfterSeconds } = row;
  return by === null ? null : { by, skipAfterSeconds };
}
