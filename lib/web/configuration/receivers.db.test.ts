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

test("a file has a Kafka cluster with its topic, and the list of brokers in any form is the same", async () => {
  const file = (origin: string, topic: string) =>
    fileOf(
      "credentials:",
      "  - name: Cluster",
      "    origin: kafkas://one.example.com,two.example.com:9094",
      "    auth: { type: basic, username: shop, password: password-of-the-cluster }",
      "subscriptions:",
      `  - receiverUrl: ${origin}`,
      "    credential: Cluster",
      "    recipient: cust_kafka",
      `    receiver: { type: kafka, topic: ${topic}, mechanism: scram-sha-512 }`,
    );
  const origin = "kafkas://one.example.com:9093,two.example.com:9094";
  await apply([file(origin, "orders")]);
  expect((await send("plan", [file(origin, "orders")])).body.items).toEqual([]);
  const { token } = configuration.account;
  const path = "/subscriptions?recipient=cust_kafka";
  const { data } = (await api.send("GET", path, undefined, token)).body;
  const receiver = { type: "kafka", topic: "orders", key: null, mechanism: "scram-sha-512" };
  expect(data).toMatchObject([{ receiver, receiverUrl: origin, status: "active" }]);
  const changed = await apply([file(origin, "paid")]);
  expect(changed.items).toMatchObject([{ op: "change" }]);
});
