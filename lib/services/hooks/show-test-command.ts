import { toCurlCommand } from "#lib/core/api/http/curl-command.ts";
import { createSampleMark, sampleHeader } from "#lib/core/providers/samples/sample-mark.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { testDeliverySchema } from "#lib/schema/receive/test-delivery.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { prepareTestDelivery, secretPlaceholder } from "./prepare-test-delivery.ts";

/**
 * A test as a shell command. A secret that would be readable in it is replaced by a placeholder.
 */
export type TestCommand = {
  readonly eventType: string;
  /** The command. Null: it is too large for a command line. */
  readonly command: string | null;
  /** The command works for so many seconds, because the time is signed; null: it doesn't expire. */
  readonly validForSeconds: number | null;
  /** The placeholder to replace in the command manually; null: there is none. */
  readonly placeholder: string | null;
};

/** Returns a shell command that sends a new sample event. Throws like `sendTestDelivery`. */
export const showTestCommand = service({
  permission: "hooks:write",
  input: testDeliverySchema.extend({ id: recordId }),
  run: (context, { id, eventType }) => show(context, id, eventType),
});

async function show(
  context: ServiceContext,
  id: string,
  eventType: string | undefined,
): Promise<TestCommand> {
  const { accountId } = context.actor;
  const hook = await getHook(context.db, accountId, id);
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
