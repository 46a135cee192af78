import { expect, it } from "vitest";
import { isBrokerUrl, readBrokerKind, readBrokerOrigin } from "#lib/schema/act/broker-origin.ts";

it.each([
  ["amqps://broker.example.com", "amqps://broker.example.com", "rabbitmq", 5671],
  ["AMQP://Broker.example.com.:5672", "amqp://broker.example.com", "rabbitmq", 5672],
  ["kafkas://one.example.com:9093", "kafkas://one.example.com", "kafka", 9093],
  ["kafka://one,two:9093,[::1]:1", "kafka://one,two:9093,[::1]:1", "kafka", 9092],
  ["kafka://0x7f.1", "kafka://127.0.0.1", "kafka", 9092],
])("%s is the origin %s", (text, origin, kind, port) => {
  const read = readBrokerOrigin(text);
  expect(read).toMatchObject({ origin, kind });
  expect(read?.places[0].port).toBe(port);
  expect(readBrokerOrigin(origin)?.origin).toBe(origin);
});

it.each([
  "amqps://one,two",
  "kafka://",
  "kafka://one,,two",
  "kafka://one,",
  "kafka://one,one:9092",
  "kafka://one:0",
  "kafka://one:65536",
  "kafka://a@one",
  "kafka://one/topic",
  `kafka://${Array.from({ length: 11 }, (_, index) => `b${index}`).join(",")}`,
  "https://one",
  "constructor://one",
])("%s is the origin of no broker", (text) => expect(readBrokerOrigin(text)).toBeNull());

it("the scheme says the kind", () => {
  expect(readBrokerKind(" Kafkas://anything")).toBe("kafka");
  expect(readBrokerKind("amqp://anything")).toBe("rabbitmq");
  expect(isBrokerUrl("https://kafka.example.com")).toBe(false);
  expect(readBrokerKind("toString://x")).toBeNull();
});
