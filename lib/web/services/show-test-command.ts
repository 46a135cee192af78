import { createSampleMark, sampleHeader } from "#lib/core/samples/sample-mark.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { TestDeliveryInput } from "#lib/schema/test-delivery.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { toCurlCommand } from "#lib/web/views/curl-command.ts";
import { prepareTestDelivery, secretPlaceholder } from "./prepare-test-delivery.ts";

/** A test as a command for a shell. It never holds the secret: where that would travel in clear, a placeholder does. */
export type TestCommand = {
  readonly eventType: string;
  /** Null: too large for a command line. */
  readonly command: string | null;
  /** The command is refused after so many seconds, because the time is signed; null: it does not grow old. */
  readonly validForSeconds: number | null;
  /** What to put into the command by hand; null: nothing. */
  readonly placeholder: string | null;
};

/** Throws like `sendTestDelivery`. Each command is another event. */
export async function showTestCommand(
  context: ServerContext,
  accountId: string,
  hookId: string,
  { eventType }: TestDeliveryInput,
): Promise<TestCommand> {
  const hook = await getHook(context.db, accountId, hookId);
  const prepared = await prepareTestDelivery(context, hook, { eventType, isToShow: true });
  const { request, validForSeconds } = prepared;
  const { body } = request;
  const mark = createSampleMark(context.sealer, {
    accountId,
    hookId: hook.id,
    body,
    nowMs: Date.now(),
  });
  const command = toCurlCommand({
    url: request.url,
    method: request.method,
    headers: [...Object.entries(request.headers), [sampleHeader, mark]],
    body: Buffer.from(body).toString("utf8"),
  });
  const hasPlaceholder = command?.includes(secretPlaceholder) === true;
  return {
    eventType: prepared.eventType,
    command,
    validForSeconds,
    placeholder: hasPlaceholder ? secretPlaceholder : null,
  };
}
