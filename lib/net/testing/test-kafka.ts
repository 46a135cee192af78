import type { Socket, Server as TcpServer } from "node:net";
import { crc32c } from "#lib/core/sending/kafka/crc32c.ts";
import {
  array,
  bytes,
  int8,
  int16,
  int32,
  int64,
  KafkaReader,
  string,
} from "#lib/core/sending/kafka/wire.ts";
import { createScramServer } from "./scram-server.ts";

/** A message, as it arrived. */
type ProducedMessage = {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** An error code of Kafka, or what else the broker does. */
type Reply = number | "nothing" | "drop";

type Login = {
  readonly username: string;
  readonly password: string;
  readonly mechanisms: readonly string[];
  readonly lastsMs?: number;
};

export type TestKafka = {
  readonly messages: ProducedMessage[];
  /** Connections that were opened so far. */
  readonly connections: () => number;
  readonly asked: string[];
  /** The replies to the next messages. Then every one is taken. */
  readonly replies: Reply[];
  /** The reply to all messages for a topic. */
  readonly always: Map<string, Reply>;
  /** The brokers that the cluster names. */
  places: readonly { readonly host: string; readonly port: number }[];
  /** The place of the broker that leads each partition. -1: none does. */
  leaders: readonly number[];
  /** The reply to questions about topics. */
  topicCode: number;
  /** Null: everyone may write. */
  login: Login | null;
};

const apiNames: Readonly<Record<number, string>> = {
  0: "produce",
  3: "metadata",
  17: "handshake",
  18: "versions",
  36: "authenticate",
};
const versions = [
  [0, 3, 8],
  [3, 0, 9],
  [17, 0, 1],
  [18, 0, 3],
  [36, 0, 2],
] as const;

/** A broker's side of Kafka's protocol, as far as a producer needs it. Handles each connection of `server`. */
export function serveKafka(server: TcpServer, event = "connection"): TestKafka {
  let opened = 0;
  const kafka: TestKafka = {
    ...{ messages: [], asked: [], replies: [], always: new Map(), places: [], leaders: [0] },
    ...{ connections: () => opened, topicCode: 0, login: null },
  };
  server.on(event, (socket: Socket) => {
    opened += 1;
    new Session(socket, kafka);
  });
  return kafka;
}

class Session {
  readonly #socket: Socket;
  readonly #kafka: TestKafka;
  #rest: Buffer = Buffer.alloc(0);
  #isMuted = false;
  #isLoggedIn = false;
  #say: ((text: string) => string | null) | null = null;

  constructor(socket: Socket, kafka: TestKafka) {
    this.#socket = socket;
    this.#kafka = kafka;
    socket.on("error", () => {});
    socket.on("data", (chunk) => this.#read(chunk));
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    // As in Kafka, one request at a time.
    while (!this.#isMuted && this.#rest.length >= 4) {
      const end = 4 + this.#rest.readInt32BE(0);
      if (this.#rest.length < end) return;
      const reader = new KafkaReader(this.#rest.subarray(4, end));
      this.#rest = this.#rest.subarray(end);
      const [key, version, id] = [reader.int16(), reader.int16(), reader.int32()];
      reader.string();
      const name = apiNames[key] ?? String(key);
      this.#kafka.asked.push(name);
      const body = this.#respond(name, version, reader);
      if (body === null) this.#isMuted = true;
      else if (body === "drop") this.#socket.destroy();
      else this.#socket.write(bytes(Buffer.concat([int32(id), body])));
    }
  }

  #respond(name: string, version: number, reader: KafkaReader): Buffer | "drop" | null {
    const { login } = this.#kafka;
    if (name === "versions")
      return Buffer.concat([
        int16(0),
        array(versions.map((known) => Buffer.concat(known.map((each) => int16(each))))),
      ]);
    if (name === "handshake") return this.#respondToHandshake(reader.string());
    if (name === "authenticate") return this.#authenticate(reader.bytes().toString(), version);
    if (login !== null && !this.#isLoggedIn) return "drop";
    if (name === "metadata") return this.#describe(reader.array(reader.string)[0] ?? "", version);
    return name === "produce" ? this.#take(reader) : "drop";
  }

  #respondToHandshake(mechanism: string): Buffer {
    const { login } = this.#kafka;
    const enabled = login?.mechanisms ?? [];
    const isKnown = login !== null && enabled.includes(mechanism);
    if (isKnown && mechanism === "PLAIN")
      this.#say = (text) => (text === `\0${login.username}\0${login.password}` ? "" : null);
    if (isKnown && mechanism !== "PLAIN") this.#say = createScramServer(mechanism, login);
    return Buffer.concat([int16(isKnown ? 0 : 33), array(enabled.map(string))]);
  }

  #authenticate(text: string, version: number): Buffer {
    const said = this.#say?.(text) ?? null;
    if (said === null)
      return Buffer.concat([
        int16(58),
        string("Authentication failed"),
        bytes(Buffer.alloc(0)),
        int64(0),
      ]);
    this.#isLoggedIn ||= said === "" || said.startsWith("v=");
    const lasting = version >= 1 ? int64(this.#kafka.login?.lastsMs ?? 0) : Buffer.alloc(0);
    return Buffer.concat([int16(0), string(null), bytes(Buffer.from(said)), lasting]);
  }

  #describe(topic: string, version: number): Buffer {
    const { places, leaders, topicCode } = this.#kafka;
    const brokers = places.map(({ host, port }, id) =>
      Buffer.concat([int32(id), string(host), int32(port), string(null)]),
    );
    const partitions = leaders.map((leader, index) =>
      Buffer.concat([int16(leader < 0 ? 5 : 0), int32(index), int32(leader), array([]), array([])]),
    );
    return Buffer.concat([
      ...(version >= 3 ? [int32(0)] : []),
      array(brokers),
      ...(version >= 2 ? [string("cluster")] : []),
      int32(0),
      array([
        Buffer.concat([
          ...[int16(topicCode), string(topic), int8(0)],
          array(topicCode === 0 ? partitions : []),
        ]),
      ]),
    ]);
  }

  #take(reader: KafkaReader): Buffer | "drop" | null {
    reader.string();
    reader.int16();
    reader.int32();
    reader.int32();
    const topic = reader.string();
    reader.int32();
    const partition = reader.int32();
    const { messages, replies, always } = this.#kafka;
    messages.push({ topic, partition, ...readRecord(reader.bytes()) });
    const reply = always.get(topic) ?? replies.shift() ?? 0;
    if (reply === "nothing") return null;
    if (reply === "drop") return "drop";
    const result = [int32(partition), int16(reply), int64(messages.length), int64(-1), int64(0)];
    const results = array([Buffer.concat(result)]);
    return Buffer.concat([array([Buffer.concat([string(topic), results])]), int32(0)]);
  }
}

/** The only record of a batch, whose checksum is compared. */
function readRecord(batch: Buffer) {
  const checked = batch.subarray(21);
  if (batch[16] !== 2 || batch.readUInt32BE(17) !== crc32c(checked)) throw new Error("bad batch");
  let at = 61;
  const number = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = batch[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return (value >>> 1) ^ -(value & 1);
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return batch.subarray(at - length, at).toString();
  };
  if (number() !== batch.length - at) throw new Error("bad record");
  at += 1;
  number();
  number();
  const [key, value] = [text(), text()];
  const headers = Array.from({ length: number() }, () => [text(), text()] as const);
  return { key, value, headers: Object.fromEntries(headers) };
}
