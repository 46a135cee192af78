import { Webhook as StandardWebhook } from "standardwebhooks";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { type ConsumedMessage, KafkaCluster } from "./kafka-cluster.ts";

type Created = Record<string, unknown>;
type Attempt = {
  readonly response: { readonly status: number; readonly body: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
};

/** The parts of a running Catchment that it needs. */
type Catchment = {
  readonly folder: string;
  readonly subscribe: (
    recipient: string,
    receiverUrl: string,
    credentialId: unknown,
    more: object,
  ) => Promise<Created>;
  readonly move: (id: unknown, receiverUrl: string) => Promise<unknown>;
  /** Returns the id of the run. */
  readonly publish: (recipient: string, data: object) => Promise<string>;
  readonly untilEnded: (
    run: string,
  ) => Promise<{ readonly status: string; readonly attempts: readonly Attempt[] }>;
  readonly say: (text: string) => void;
  readonly onEnd: (stop: () => Promise<unknown>) => void;
};

/** Publishes to librdkafka's cluster, reads with its consumer, and kills the cluster meanwhile. */
export async function checkKafka(catchment: Catchment): Promise<void> {
  const { folder, subscribe, publish, untilEnded, say, onEnd } = catchment;
  const cluster = new KafkaCluster(folder, "kafka-1");
  onEnd(() => cluster.kill());
  const url = `kafka://${await cluster.ready()}`;
  const receiver = { type: "kafka", topic: cluster.topic };
  const headers = { "X-Team": "billing" };
  const { id, secret } = await subscribe("kafka", url, null, { receiver, headers });

  const run = await untilEnded(
    await publish("kafka", { note: "Zoë 😀", long: "x".repeat(200_000) }),
  );
  equal([run.status, run.attempts[0]?.response?.status], ["succeeded", 200]);
  const first = await untilRead(cluster, 1);
  const [message] = first;
  const sent = readHeaders(message);
  new StandardWebhook(String(secret)).verify(message?.payload ?? "", sent);
  equal(JSON.parse(message?.payload ?? "").data.note, "Zoë 😀");
  equal([message?.key, sent["x-team"]], ["kafka", "billing"]);
  equal(sent["content-type"], "application/json");
  equal(run.attempts[0]?.response?.body.includes(`partition ${message?.partition} `), true);
  say(`Kafka: ${run.attempts[0]?.response?.body} Its bytes, headers, key, and checksum are right`);

  const keys = ["kafka", "a", "cust_42", "evt_0123456789", "Zoë 😀"];
  for (const key of keys) {
    const more = { receiver: { ...receiver, key }, eventTypes: ["invoice.*"] };
    await subscribe(`key-${keys.indexOf(key)}`, url, null, more);
    await untilEnded(await publish(`key-${keys.indexOf(key)}`, { key }));
    cluster.produce(key, `of kcat: ${key}`);
  }
  const all = (await untilRead(cluster, 1 + 2 * keys.length)).slice(1);
  for (const key of keys)
    equal(
      new Set(all.filter((each) => each.key === key).map(({ partition }) => partition)).size,
      1,
    );
  say("Kafka: each key is in the partition that librdkafka's murmur2 chooses");

  await killMeanwhile(catchment, { cluster, id });
}

/**
 * The messages that were confirmed and read before are lost with the cluster's memory. So the next cluster has to have
 * all others.
 */
async function killMeanwhile(
  { folder, move, publish, untilEnded, say, onEnd }: Catchment,
  { cluster, id }: { readonly cluster: KafkaCluster; readonly id: unknown },
): Promise<void> {
  const known = cluster.messages().length;
  const [before, count] = [10, 40];
  const runs: string[] = [];
  const publishUntil = async (end: number) => {
    while (runs.length < end) runs.push(await publish("kafka", { number: runs.length }));
  };
  await publishUntil(before);
  for (const run of runs) equal((await untilEnded(run)).status, "succeeded");
  await untilRead(cluster, known + before);
  await cluster.kill();
  await publishUntil(count / 2);
  const next = new KafkaCluster(folder, "kafka-2");
  onEnd(() => next.kill());
  // It has other ports.
  await move(id, `kafka://${await next.ready()}`);
  await publishUntil(count);
  const codes = new Set<string>();
  for (const run of runs) {
    const ended = await untilEnded(run);
    equal(ended.status, "succeeded");
    for (const { error } of ended.attempts) if (error !== null) codes.add(error.code);
  }
  const after = await untilRead(next, count - before);
  const numbers = new Set(after.map(({ payload }) => JSON.parse(payload).data.number));
  equal(numbers.size, count - before);
  say(`Kafka: killed (${[...codes].join(", ")}) and replaced: all of ${count} events arrived`);
}

function untilRead(cluster: KafkaCluster, count: number): Promise<readonly ConsumedMessage[]> {
  return waitUntil(`${count} messages in Kafka`, 60_000, () => {
    const read = cluster.messages();
    return read.length >= count ? read : undefined;
  });
}

function readHeaders(message: ConsumedMessage | undefined): Record<string, string> {
  const flat = message?.headers ?? [];
  const pairs = flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? ""] as const] : [],
  );
  return Object.fromEntries(pairs);
}

function equal(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`It is ${is}, and should be ${should}.`);
}
