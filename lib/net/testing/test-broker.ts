import type { Socket, Server as TcpServer } from "node:net";

/** A message, as it arrived. */
type PublishedMessage = {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: string;
};

type Reply =
  | "ack"
  | "nack"
  | "nothing"
  | "drop"
  | { readonly blocked: string }
  | { readonly returned: readonly [code: number, text: string] }
  | { readonly closeChannel: readonly [code: number, text: string] }
  | { readonly closeConnection: readonly [code: number, text: string] };

export type TestBroker = {
  readonly messages: PublishedMessage[];
  /** Connections that were opened so far. */
  readonly connections: () => number;
  /** The reply to messages from now on. */
  reply: Reply;
  /** Null: every login is accepted. */
  refusal: readonly [code: number, text: string] | null;
};

const frameEnd = 0xce;
const openedChannel = [20, 11] as const;

/**
 * The server's side of AMQP 0-9-1, as far as a publisher needs it: handshake, channels, and confirmations. Handles each
 * connection of `server`.
 */
export function serveBroker(server: TcpServer, event = "connection"): TestBroker {
  let opened = 0;
  const broker: TestBroker = {
    messages: [],
    connections: () => opened,
    reply: "ack",
    refusal: null,
  };
  server.on(event, (socket: Socket) => {
    opened += 1;
    new Session(socket, broker);
  });
  return broker;
}

type Publishing = { exchange: string; routingKey: string; size: number; body: Buffer[] };

class Session {
  readonly #socket: Socket;
  readonly #broker: TestBroker;
  readonly #publishing = new Map<number, Publishing>();
  readonly #tags = new Map<number, number>();
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;

  constructor(socket: Socket, broker: TestBroker) {
    this.#socket = socket;
    this.#broker = broker;
    socket.on("error", () => {});
    socket.on("data", (chunk) => this.#read(chunk));
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    if (!this.#isStarted) {
      if (this.#rest.length < 8) return;
      this.#rest = this.#rest.subarray(8);
      this.#isStarted = true;
      this.#send(0, [10, 10], u8(0), u8(9), u32(0), longText("PLAIN"), longText("en_US"));
    }
    while (this.#rest.length >= 8) {
      const end = 7 + this.#rest.readUInt32BE(3) + 1;
      if (this.#rest.length < end) return;
      const [type = 0, channel] = [this.#rest[0], this.#rest.readUInt16BE(1)];
      const payload = this.#rest.subarray(7, end - 1);
      this.#rest = this.#rest.subarray(end);
      if (type === 1) this.#onMethod(channel, payload);
      if (type === 2) this.#onHeader(channel, payload);
      if (type === 3) this.#onBody(channel, payload);
    }
  }

  #onMethod(channel: number, payload: Buffer): void {
    const name = `${payload.readUInt16BE(0)}.${payload.readUInt16BE(2)}`;
    const { refusal } = this.#broker;
    if (name === "10.11" && refusal !== null) this.#close([10, 50], 0, refusal);
    else if (name === "10.11") this.#send(0, [10, 30], u16(64), u32(131_072), u16(0));
    else if (name === "10.40") this.#send(0, [10, 41], text(""));
    else if (name === "10.50") this.#send(0, [10, 51]);
    else if (name === "20.10") {
      this.#tags.set(channel, 0);
      this.#send(channel, openedChannel, longText(""));
    } else if (name === "20.40") this.#send(channel, [20, 41]);
    else if (name === "85.10") this.#send(channel, [85, 11]);
    else if (name === "60.40") {
      const exchange = readText(payload, 6);
      const routingKey = readText(payload, 7 + Buffer.byteLength(exchange));
      this.#publishing.set(channel, { exchange, routingKey, size: 0, body: [] });
    }
  }

  #onHeader(channel: number, payload: Buffer): void {
    const publishing = this.#publishing.get(channel);
    if (publishing !== undefined) publishing.size = Number(payload.readBigUInt64BE(4));
  }

  #onBody(channel: number, payload: Buffer): void {
    const publishing = this.#publishing.get(channel);
    if (publishing === undefined) return;
    publishing.body.push(Buffer.from(payload));
    const body = Buffer.concat(publishing.body);
    if (body.length < publishing.size) return;
    const { exchange, routingKey } = publishing;
    this.#broker.messages.push({ exchange, routingKey, body: body.toString() });
    const tag = (this.#tags.get(channel) ?? 0) + 1;
    this.#tags.set(channel, tag);
    this.#reply(channel, tag, { exchange, routingKey });
  }

  #reply(channel: number, tag: number, to: { exchange: string; routingKey: string }): void {
    const { reply } = this.#broker;
    const ack = () => this.#send(channel, [60, 80], u64(tag), u8(0));
    if (reply === "nothing") return;
    if (reply === "drop") this.#socket.destroy();
    else if (reply === "ack") ack();
    else if (reply === "nack") this.#send(channel, [60, 120], u64(tag), u8(0));
    else if ("blocked" in reply) this.#send(0, [10, 60], text(reply.blocked));
    else if ("closeChannel" in reply) this.#close([20, 40], channel, reply.closeChannel);
    else if ("closeConnection" in reply) this.#close([10, 50], 0, reply.closeConnection);
    else {
      const [code, why] = reply.returned;
      this.#send(channel, [60, 50], u16(code), text(why), text(to.exchange), text(to.routingKey));
      // A content header without properties, and an empty body.
      this.#frame(2, channel, Buffer.concat([u16(60), u16(0), u64(0), u16(0)]));
      ack();
    }
  }

  #close(method: Method, channel: number, [code, why]: readonly [number, string]): void {
    this.#send(channel, method, u16(code), text(why), u16(0), u16(0));
  }

  #send(channel: number, [classId, methodId]: Method, ...fields: Buffer[]): void {
    this.#frame(1, channel, Buffer.concat([u16(classId), u16(methodId), ...fields]));
  }

  #frame(type: number, channel: number, payload: Buffer): void {
    const frame = [u8(type), u16(channel), u32(payload.length), payload, u8(frameEnd)];
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat(frame));
  }
}

type Method = readonly [classId: number, methodId: number];

const u8 = (value: number) => Buffer.from([value]);

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

const text = (value: string) => Buffer.concat([u8(Buffer.byteLength(value)), Buffer.from(value)]);

const longText = (value: string) =>
  Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)]);

const readText = (bytes: Buffer, at: number) =>
  bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)).toString();
