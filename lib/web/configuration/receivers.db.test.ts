import { expect, test } from "vitest";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api, send, apply } = configuration;
const write = (key: string) =>
  fileOf(
    "credentials:",
    "  - name: Broker",
    "    origin: amqps://broker.example.com",
    "    auth: { type: basic, username: shop, password: password-of-the-broker }",
    "subscriptions:",
    "  - receiverUrl: amqps://broker.example.com/orders",
    "    credential: Broker",
    `    receiver: { type: rabbitmq, exchange: events, routingKey: ${key} }`,
  );

test("a file has the settings of a receiver, and the same file plans nothing", async () => {
  await apply([write("orders")]);
  const { token } = configuration.account;
  const read = async () => (await api.send("GET", "/subscriptions", undefined, token)).body.data;
  const receiver = { type: "rabbitmq", exchange: "events", routingKey: "orders" };
  expect(await read()).toMatchObject([{ receiver, status: "active" }]);
  expect((await send("plan", [write("orders")])).body.items).toEqual([]);
  const changed = await apply([write("paid")]);
  expect(changed.items).toMatchObject([{ op: "change" }]);
  expect(await read()).toMatchObject([{ receiver: { ...receiver, routingKey: "paid" } }]);
});
