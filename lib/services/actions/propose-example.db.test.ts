import { expect, it } from "vitest";
import { testContext } from "#lib/services/testing/test-context.ts";
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
  const example = {
    ...{ hookId, deliveryId },
    url: null,
    query: [],
    body: { kind: "json" as const, value: { email: "ada@example.com", other: "x" } },
  };
  const proposals = await proposeExample(testContext(api.db, api.account.id), example);
  expect(proposals).toMatchObject([
    { path: "body.email", template: "{{ payload.mail }}", confidence: "same" },
    { path: "body.other", template: null, confidence: "none" },
  ]);
  const others = await api.createAccount(`others-${more.length}`);
  await expect(proposeExample(testContext(api.db, others.id), example)).rejects.toThrow(
    /There is no (?:hook|delivery) with this id/u,
  );
});
