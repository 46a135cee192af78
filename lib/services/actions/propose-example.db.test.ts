import { expect, it } from "vitest";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { proposeExample } from "./propose-example.ts";

const api = withApi();

it.each([
  ["at once", ""],
  ["in a thread", "x".repeat(20_000)],
])("finds the values of an example in a stored delivery, %s", async (_where, more) => {
  const { id: hookId } = await api.createHook({});
  const body = Buffer.from(`{"mail":"ada@example.com","more":"${more}"}`);
  const deliveryId = await storeDelivery(api.db, api.account.id, hookId, { body });
  const place = { hookId, deliveryId };
  const example = {
    url: null,
    query: [],
    body: { kind: "json" as const, value: { email: "ada@example.com", other: "x" } },
  };
  const proposals = await proposeExample(api.context, api.account.id, place, example);
  expect(proposals).toMatchObject([
    { path: "body.email", template: "{{ payload.mail }}", confidence: "same" },
    { path: "body.other", template: null, confidence: "none" },
  ]);
  const others = await api.createAccount(`others-${more.length}`);
  await expect(proposeExample(api.context, others.id, place, example)).rejects.toThrow(
    /There is no (?:hook|delivery) with this id/u,
  );
});
