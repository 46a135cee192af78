import { AppError, invalidField } from "#lib/base/errors.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { isCallback } from "#lib/db/subscriptions/event-callbacks.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { checkTransform } from "#lib/threads/transform/run-transform.ts";

/**
 * Throws `template_invalid`, with line and column, for a transform that can't be loaded, or
 * `rate_limited` if no thread was free to load it.
 */
export async function requireTransform(
  accountId: string,
  source: string | null | undefined,
): Promise<void> {
  if (source === null || source === undefined) return;
  const checked = await checkTransform(webThreads(), source, { accountId });
  if (checked.ok) return;
  if (checked.code === "too_busy") throw busyServer();
  const { line, column } = checked;
  const message = checked.code === "no_function" ? noFunction : checked.message;
  const place = line === null || column === null ? {} : { line, column };
  const error = { path: "transform", code: "invalid_template" as const, message, ...place };
  throw new AppError("template_invalid", `transform: ${message}`, { errors: [error] });
}

const noFunction = "The code must export a function: export default ({ payload }) => …";

type Owner = Pick<SubscriptionRecord, "id" | "accountId">;

/** An assistant reads events in one shape only. */
export async function requireNoCallback(tx: Transaction, { accountId, id }: Owner): Promise<void> {
  if (!(await isCallback(tx, accountId, id))) return;
  const message =
    "must be null: an AI assistant made this subscription, and reads events as they are";
  throw invalidField("transform", message, "not_allowed");
}
