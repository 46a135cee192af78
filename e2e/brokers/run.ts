import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChannelModel, connect, type GetMessage } from "amqplib";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { makeCertificate } from "#e2e/crash/broker/broker-cluster.ts";
import { RabbitNode } from "#e2e/crash/broker/rabbit-node.ts";
import { findRabbitPrograms } from "#e2e/crash/broker/rabbit-programs.ts";
import { start } from "#e2e/crash/cluster/spawned.ts";
import { fetchUntilAvailable } from "#e2e/harness/fetch-until-available.ts";
import { createThroughApi } from "#e2e/harness/post-to-api.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import { checkKafka } from "./check-kafka.ts";

/**
 * `npm run test:brokers`: a running Catchment publishes to librdkafka's cluster of Kafka, and to Debian's RabbitMQ,
 * with TLS and without. Not part of `npm test`, because it downloads both.
 */
const login = { user: "catchment", password: "a password of the broker" };
const folder = makeScratchFolder("brokers");
const stops: (() => Promise<unknown>)[] = [];

type Run = {
  readonly status: string;
  readonly statusReason: string | null;
  readonly attempts: readonly {
    readonly response: { readonly status: number; readonly body: string } | null;
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
};

try {
  const rabbit = await startRabbit();
  mkdirSync(join(folder, "catchment"));
  const env = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: rabbit.caFile };
  const server = await startServer({ folder: join(folder, "catchment"), env }, makeAccess());
  stops.push(() => server.stop());
  const api = async <Value>(path: string): Promise<Value> => {
    const headers = { authorization: `Bearer ${server.apiToken}` };
    const response = await fetchUntilAvailable(`${server.origin}/api/v1${path}`, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Value;
  };
  const create = async (path: string, body: unknown) =>
    await createThroughApi(server, `/api/v1${path}`, body);
  const save = async (origin: string, password = login.password) => {
    const auth = { type: "basic", username: login.user, password };
    return (await create("/credentials", { name: `${origin} ${password}`, origin, auth })).id;
  };
  const subscribe = (
    recipient: string,
    receiverUrl: string,
    credentialId: unknown,
    more: object = {},
  ) =>
    create("/subscriptions", {
      ...{ recipient, receiverUrl, credentialId },
      retry: { maxAttempts: 10, initialDelayMs: 1_000, maxDelayMs: 2_000 },
      ...more,
    });
  const publish = async (recipient: string, data: object) => {
    const { id } = await create("/events", { type: "invoice.paid", recipient, data });
    return await waitUntil(`the run of ${id}`, 30_000, async () => {
      const { data: found } = await api<{ data: { id: string }[] }>(`/runs?eventId=${id}`);
      return found[0]?.id;
    });
  };
  const untilEnded = (id: string) =>
    waitUntil(`the end of ${id}`, 90_000, async () => {
      const run = await api<Run>(`/runs/${id}`);
      return run.status === "succeeded" || run.status === "failed" ? run : undefined;
    });

  const move = async (id: unknown, receiverUrl: string) => {
    const response = await fetch(`${server.origin}/api/v1/subscriptions/${id}`, {
      method: "PATCH",
      headers: {
        ...{ authorization: `Bearer ${server.apiToken}`, "content-type": "application/json" },
      },
      body: JSON.stringify({ receiverUrl, headers: null }),
    });
    if (!response.ok) throw new Error(`PATCH: ${response.status} ${await response.text()}`);
  };
  const onEnd = (stop: () => Promise<unknown>) => stops.push(stop);
  await checkKafka({ folder, subscribe, move, publish, untilEnded, say, onEnd });

  const secure = await save(rabbit.secureOrigin);
  const plain = await save(rabbit.plainOrigin);
  const exchange = { receiver: { type: "rabbitmq", exchange: "events" } };
  for (const [recipient, origin, credential] of [
    ["secure", rabbit.secureOrigin, secure],
    ["plain", rabbit.plainOrigin, plain],
  ] as const) {
    const { secret } = await subscribe(recipient, origin, credential, exchange);
    const run = await untilEnded(await publish(recipient, { note: "Zoë 😀", recipient }));
    equal(run.status, "succeeded");
    const message = await rabbit.take("invoices");
    const { messageId, type, contentType, deliveryMode, headers } = message.properties;
    equal([type, contentType, deliveryMode], ["invoice.paid", "application/json", 2]);
    equal(messageId, headers?.["webhook-id"]);
    const body = message.content.toString();
    new StandardWebhook(String(secret)).verify(body, headers as Record<string, string>);
    equal(JSON.parse(body).data, { note: "Zoë 😀", recipient });
    say(`${origin}: the message is persistent, and its signature is right`);
  }

  await subscribe("queue", `${rabbit.plainOrigin}/%2f`, plain, {
    receiver: { type: "rabbitmq", routingKey: "invoices" },
  });
  await untilEnded(await publish("queue", { straight: true }));
  equal(JSON.parse((await rabbit.take("invoices")).content.toString()).data, { straight: true });
  say("the default exchange puts it into the queue of the routing key");

  const once = { retry: { maxAttempts: 1, initialDelayMs: 1_000, maxDelayMs: 1_000 } };
  const wrong = await save(rabbit.plainOrigin, "wrong");
  const failures = [
    ["no queue", plain, { receiver: { type: "rabbitmq", routingKey: "nothing" } }, 312, "NO_ROUTE"],
    ["no exchange", plain, { receiver: { type: "rabbitmq", exchange: "none" } }, 404, "NOT_FOUND"],
    ["wrong password", wrong, {}, 403, "ACCESS_REFUSED"],
    [
      "full queue",
      plain,
      { receiver: { type: "rabbitmq", routingKey: "full" } },
      null,
      "basic.nack",
    ],
  ] as const;
  for (const [what, credential, settings, code, text] of failures) {
    await subscribe(what.replace(" ", "_"), rabbit.plainOrigin, credential, {
      ...once,
      ...settings,
    });
    const run = await untilEnded(await publish(what.replace(" ", "_"), {}));
    const [attempt] = run.attempts;
    equal([run.status, attempt?.response?.status ?? null], ["failed", code]);
    if (!attempt?.error?.message.includes(text)) throw new Error(`${what}: ${JSON.stringify(run)}`);
    say(`${what}: ${attempt.error.message}`);
  }
  await subscribe("vhost", `${rabbit.plainOrigin}/none`, plain, once);
  const lost = await untilEnded(await publish("vhost", {}));
  equal(lost.attempts[0]?.error?.code, "undelivered");
  say(`no virtual host: ${lost.attempts[0]?.error?.message}`);

  const count = 40;
  const runs: string[] = [];
  for (let number = 0; number < count; number += 1) {
    if (number === count / 4) await rabbit.kill();
    if (number === count / 2) rabbit.start();
    runs.push(await publish("secure", { number }));
  }
  for (const run of runs) equal((await untilEnded(run)).status, "succeeded");
  const numbers = new Set<number>();
  while (numbers.size < count)
    numbers.add(JSON.parse((await rabbit.take("invoices")).content.toString()).data.number);
  say(`the broker was killed and started again: all of ${count} events arrived`);
} finally {
  for (const stop of stops.toReversed()) await stop();
}

async function startRabbit() {
  const programs = findRabbitPrograms(folder);
  const user = findServiceUser();
  const certificate = makeCertificate(folder, user);
  const [port, plainPort] = [await findFreePort(), await findFreePort()];
  const [distributionPort, epmdPort] = [await findFreePort(), await findFreePort()];
  const log = { env: programs.env, logFile: join(folder, "epmd.log"), user };
  const epmd = start(programs.epmd, ["-address", "127.0.0.1", "-port", String(epmdPort)], log);
  stops.push(() => epmd.kill());
  const name = "rabbit1@localhost";
  const node = new RabbitNode({
    ...{ name, all: [name], folder, programs, user, login, certificate },
    ...{ port, plainPort, distributionPort, epmdPort, cookie: randomBytes(12).toString("hex") },
  });
  stops.push(() => node.kill());
  node.start();
  const place = { protocol: "amqp", hostname: "127.0.0.1", port: plainPort };
  const ask = async (): Promise<ChannelModel> =>
    await waitUntil("RabbitMQ", 180_000, async () => {
      if (node.hasEnded()) throw new Error(readFileSync(join(folder, `${name}.log`), "utf8"));
      const connection = await connect({
        ...place,
        ...{ username: login.user, password: login.password },
      }).catch(() => undefined);
      connection?.on("error", () => {});
      return connection;
    });
  const connection = await ask();
  const channel = await connection.createChannel();
  await channel.assertExchange("events", "topic", { durable: true });
  await channel.assertQueue("invoices", { durable: true });
  await channel.bindQueue("invoices", "events", "invoice.#");
  const full = { "x-max-length": 0, "x-overflow": "reject-publish" };
  await channel.assertQueue("full", { durable: true, arguments: full });
  await connection.close();
  return {
    caFile: certificate.cert,
    secureOrigin: `amqps://127.0.0.1:${port}`,
    plainOrigin: `amqp://127.0.0.1:${plainPort}`,
    kill: () => node.kill(),
    start: () => node.start(),
    async take(queue: string): Promise<GetMessage> {
      const reading = await ask();
      const from = await reading.createChannel();
      try {
        return await waitUntil(`a message in ${queue}`, 60_000, async () => {
          const message = await from.get(queue, { noAck: true });
          return message === false ? undefined : message;
        });
      } finally {
        await reading.close();
      }
    },
  };
}

function equal(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`It is ${is}, and should be ${should}.`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
