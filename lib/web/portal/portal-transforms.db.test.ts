import { expect, it } from "vitest";
import type { z } from "zod";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { createPortalLink } from "#lib/db/recipients/portal-links.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { portalLinkSchema } from "#lib/schema/send/recipient.ts";
import type { Service } from "#lib/services/frame/service.ts";
import {
  getPortalSend,
  getPortalSubscription,
  listPortalSends,
  listPortalSubscriptions,
} from "#lib/services/portal.ts";
import { previewTransform } from "#lib/services/subscriptions/try-transform.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { callPortalService } from "./call-portal.ts";

const api = withApi();
const secretWord = "internalMargin";
const transform = `export default ({ payload }) => payload.data.${secretWord}.a`;

it("a customer sees that a send failed, and nothing of the transform that it failed in", async () => {
  const link = portalLinkSchema.parse({});
  const { token } = await createPortalLink(api.db, api.account.id, "cust_1", link);
  const receiverUrl = "http://127.0.0.1:65000/in";
  const input = { receiverUrl, recipient: "cust_1", transform };
  const { id } = (await api.send("POST", "/subscriptions", input)).body;
  const event = newEvent(api.account.id, { recipient: "cust_1", dataJson: "{}" });
  await storeEvents(api.db, [event]);
  const [send] = await api.db.queuedRun.findMany({ where: { targetId: id } });
  if (send === undefined) throw new Error("nothing is queued");
  const reasonDetail = `The transform failed in line 1: ${secretWord} is undefined`;
  await endRuns(api.db, [send.id], { reasonCode: "transform_threw", reasonDetail });
  await api.db.$executeRaw`
    update runs set error_code = 'transform_threw', error_message = ${reasonDetail}
    where id = ${send.id}::uuid`;

  const run = <Schema extends z.ZodType, Value>(service: Service<Schema, Value>, given: object) =>
    callPortalService(api.context, token, service, given);
  const seen = [
    await run(listPortalSubscriptions, {}),
    await run(getPortalSubscription, { id }),
    await run(listPortalSends, { id }),
    await run(getPortalSend, { id: send.id }),
  ];
  for (const each of seen) {
    const text = JSON.stringify(each);
    expect(text).not.toContain(secretWord);
    expect(text).toContain("failed");
  }
  expect(await run(getPortalSend, { id: send.id })).toMatchObject({ isTransformed: true });
  const { body } = await api.send("GET", `/runs/${send.id}`);
  expect(JSON.stringify(body)).toContain(secretWord);
  const tried = { transform, recipient: "cust_1", eventId: null };
  await expect(run(previewTransform, tried)).rejects.toMatchObject({ code: "forbidden" });
});
