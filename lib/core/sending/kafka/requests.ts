/** Requests of Kafka's protocol, in versions that Kafka has understood from 1.0 on. */
import { array, bytes, int8, int16, int32, type KafkaReader, string } from "./wire.ts";

type Api = {
  readonly key: number;
  /** The versions that are the same in what is written and read here. The highest that the broker knows is used. */
  readonly versions: readonly [min: number, max: number];
};

export const apis = {
  produce: { key: 0, versions: [3, 7] },
  metadata: { key: 3, versions: [1, 4] },
  saslHandshake: { key: 17, versions: [1, 1] },
  apiVersions: { key: 18, versions: [0, 0] },
  saslAuthenticate: { key: 36, versions: [0, 1] },
} as const satisfies Record<string, Api>;
export type ApiName = keyof typeof apis;

/** With its size in front. */
export function toRequest(
  name: ApiName,
  { version, id, body }: { readonly version: number; readonly id: number; readonly body: Buffer },
): Buffer {
  return bytes(
    Buffer.concat([int16(apis[name].key), int16(version), int32(id), string("catchment"), body]),
  );
}

/** The versions that a broker knows of each API, by its key. */
export type KnownVersions = ReadonlyMap<number, readonly [min: number, max: number]>;

export function readApiVersions(reader: KafkaReader) {
  const code = reader.int16();
  const entries = reader.array(
    () => [reader.int16(), [reader.int16(), reader.int16()] as const] as const,
  );
  return { code, versions: new Map(entries) satisfies KnownVersions };
}

/** Null: the broker knows none of ours. */
export function chooseVersion(name: ApiName, known: KnownVersions): number | null {
  const { key, versions } = apis[name];
  const [min, max] = known.get(key) ?? [0, -1];
  const chosen = Math.min(versions[1], max);
  return chosen < versions[0] || chosen < min ? null : chosen;
}

export type TopicMetadata = {
  /** 0: no error. */
  readonly code: number;
  readonly brokers: ReadonlyMap<number, { readonly host: string; readonly port: number }>;
  /** The id of the broker that leads each partition, in their order. -1: none does now. */
  readonly leaders: readonly number[];
};

/** Asks about one topic. A topic that doesn't exist isn't created, as far as the broker lets us say so. */
export function metadataBody(topic: string, version: number): Buffer {
  const names = array([string(topic)]);
  return version >= 4 ? Buffer.concat([names, int8(0)]) : names;
}

export function readMetadata(reader: KafkaReader, version: number): TopicMetadata {
  if (version >= 3) reader.int32();
  const brokers = reader.array(() => {
    const id = reader.int32();
    const place = { host: reader.string(), port: reader.int32() };
    reader.string();
    return [id, place] as const;
  });
  if (version >= 2) reader.string();
  reader.int32();
  const [topic = { code: 3, partitions: [] }] = reader.array(() => {
    const code = reader.int16();
    reader.string();
    reader.int8();
    const partitions = reader.array(() => {
      reader.int16();
      const [index, leader] = [reader.int32(), reader.int32()];
      reader.array(reader.int32);
      reader.array(reader.int32);
      return { index, leader };
    });
    return { code, partitions };
  });
  const sorted = topic.partitions.toSorted((a, b) => a.index - b.index);
  return {
    code: topic.code,
    brokers: new Map(brokers),
    leaders: sorted.map(({ leader }) => leader),
  };
}

/** All replicas that are in sync have it. */
const acksOfAll = -1;

export function produceBody(
  { topic, partition }: { readonly topic: string; readonly partition: number },
  batch: Buffer,
  timeoutMs: number,
): Buffer {
  const one = Buffer.concat([int32(partition), bytes(batch)]);
  return Buffer.concat([
    ...[string(null), int16(acksOfAll), int32(timeoutMs)],
    array([Buffer.concat([string(topic), array([one])])]),
  ]);
}

/** What the broker says of the only partition. */
export function readProduced(reader: KafkaReader) {
  const [[produced] = []] = reader.array(() => {
    reader.string();
    return reader.array(() => {
      reader.int32();
      return { code: reader.int16(), offset: reader.int64() };
    });
  });
  if (produced === undefined) throw new RangeError("The response is about no partition.");
  return produced;
}
