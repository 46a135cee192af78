import { AppError } from "#lib/base/errors.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { createSampleMark, sampleHeader } from "#lib/core/providers/samples/sample-mark.ts";
import { type AllowList, parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { findMarkedDeliveries } from "#lib/db/deliveries/find-marked-deliveries.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { testDeliverySchema } from "#lib/schema/receive/test-delivery.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import {
  type PreparedTest,
  prepareTestDelivery,
  showTestCommand,
} from "./prepare-test-delivery.ts";

/** The result of a test delivery, which arrives like any other. */
export type TestDelivery = {
  /**
   * The id of the delivery; for a batch, the first. Null: nothing was recorded; the response says
   * why.
   */
  readonly deliveryId: string | null;
  readonly deliveryStatus: string | null;
  readonly eventType: string;
  /** The response that a provider would have got. */
  readonly response: { readonly status: number; readonly body: string };
  /** The effect of the hook's state on the test; null if there is nothing to say. */
  readonly note: string | null;
};

/**
 * Makes a sample event of the hook's provider, signs it with the hook's own secret, and sends it to
 * the catch listener by HTTP as any provider would. Throws `not_found`, `conflict` if no test can
 * be made, and `unavailable` if the listener can't be reached.
 */
export const sendTestDelivery = service({
  permission: "hooks:write",
  input: testDeliverySchema.extend({ id: recordId }),
  run: (context, { id, eventType }) => send(context, id, eventType),
});

async function send(
  context: ServiceContext,
  id: string,
  eventType: string | undefined,
): Promise<TestDelivery> {
  const { db, sealer } = context;
  const { accountId } = context.actor;
  const hook = await getHook(db, accountId, id);
  const prepared = await prepareTestDelivery(context, hook, { eventType, isToShow: false });
  const { body } = prepared.request;
  const mark = createSampleMark(sealer, { accountId, hookId: hook.id, body, nowMs: Date.now() });
  const sinceMs = Date.now() - clockSkewMs;
  const result = await call(context, prepared, mark);
  if (!result.ok) {
    const detail =
      `The test didn't reach the catch URL: ${result.error.message} Check ` +
      "that the catch process is running, then try again.";
    throw new AppError("unavailable", detail);
  }
  const [delivery] = await findMarkedDeliveries(db, accountId, { hookId: hook.id, mark, sinceMs });
  return {
    deliveryId: delivery?.id ?? null,
    deliveryStatus: delivery?.status ?? null,
    eventType: prepared.eventType,
    response: {
      status: result.response.status,
      body: Buffer.from(result.response.body).toString("utf8"),
    },
    note: describeState(hook),
  };
}

const timeoutMs = 15_000;
const maxReplyBytes = 8 * 1024;
/** The catch process may run on another machine. */
const clockSkewMs = 60_000;

/** A client for this one call. The only private address it reaches is the listener's. */
async function call(
  { env }: ServiceParts,
  { request }: PreparedTest,
  mark: string,
): Promise<CallResult> {
  const { origin, allow } = ownListener(env);
  const { pathname, search } = new URL(request.url);
  const outgoing: OutgoingRequest = {
    method: request.method,
    url: `${origin}${pathname}${search}`,
    headers: Object.entries({
      "user-agent": "Catchment-Test",
      ...request.headers,
      [sampleHeader]: mark,
    }),
    body: request.body,
  };
  const client = createHttpClient({ allow });
  try {
    return await client.call(outgoing, { timeoutMs, maxResponseBytes: maxReplyBytes });
  } finally {
    await client.close();
  }
}

function describeState({ status }: HookRecord): string | null {
  switch (status) {
    case "active":
      return null;
    case "paused":
      return "The hook is paused: the runs of this test are held until it is resumed.";
    case "pending":
      return (
        "It was accepted because Catchment made it. The provider's " +
        "deliveries are verified once you add the signing secret."
      );
    case "disabled":
      return "The hook is disabled and rejects all requests. Enable it to receive deliveries.";
    default:
      return status satisfies never;
  }
}

/** Sends a signed sample event through the catch URL, and shows another one as a shell command. */
export const testHook = service({
  permission: "hooks:write",
  input: testDeliverySchema.extend({ id: recordId }),
  run: async (context, input) => {
    const sent = await sendTestDelivery(context, input);
    const { command, validForSeconds } = await showTestCommand(context, input);
    return { ...sent, curl: command, curlValidForSeconds: validForSeconds };
  },
});

/**
 * The address of our own catch listener for the web process, and what its client may connect to.
 */
type OwnListener = { readonly origin: string; readonly allow: AllowList };

type ListenerEnv = Pick<Env, "host" | "port" | "publicUrl" | "egressAllow"> & {
  readonly internal: Pick<Env["internal"], "webSocket">;
};

/**
 * The catch listener beside this process, by the address it listens on. If the catch role runs on
 * another machine, there is no socket between the two, and the public URL is used.
 */
export function ownListener({
  host,
  port,
  publicUrl,
  egressAllow,
  internal,
}: ListenerEnv): OwnListener {
  if (internal.webSocket === undefined) return { origin: publicUrl, allow: egressAllow };
  const literal = wildcards.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  const networks = [`127.0.0.0/8:${port}`, `[::1]:${port}`];
  if (/^[\d.]+$|^\[/.test(literal)) networks.push(`${literal}:${port}`);
  const parsed = parseCidrList(networks.join(","));
  return {
    origin: `http://${literal}:${port}`,
    allow: parsed.ok ? [...parsed.cidrs, ...egressAllow] : egressAllow,
  };
}

/** A listener on all addresses also listens on loopback. */
const wildcards = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);
