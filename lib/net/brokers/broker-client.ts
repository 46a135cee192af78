import { checkReceiverUrl, readBrokerReceiver } from "#lib/core/sending/address/broker-receiver.ts";
import { createSystemResolver } from "../addresses/resolve.ts";
import { CallFailure } from "../call-failure.ts";
import type { CallResult } from "../call-result.ts";
import type { HttpClientOptions } from "../http-client.ts";
import { callBroker, type PublishOptions, toResponse } from "./broker-call.ts";
import type { BrokerMessage } from "./broker-channel.ts";
import { BrokerConnection } from "./broker-connection.ts";
import { type BrokerLogin, openBroker } from "./open-broker.ts";
import type { SocketOptions } from "./open-socket.ts";

export type BrokerClientOptions = Pick<
  HttpClientOptions,
  "allow" | "ownPorts" | "own" | "resolve" | "extraCa" | "proxy"
> & {
  /** The maximum number of brokers that are connected at a time. */
  readonly maxConnections?: number;
  readonly connectMs?: number;
  readonly idleMs?: number;
  /** The maximum number of messages to one broker at a time. Further ones wait. */
  readonly maxChannels?: number;
};

type BrokerTarget = {
  /** `amqps://broker.example.com/vhost`. */
  readonly url: string;
  readonly login: BrokerLogin;
  /** The id and version of the credential. Others have connections of their own. */
  readonly loginKey: string;
};

export type BrokerClient = {
  /**
   * Publishes one message. Never rejects. A reply of the broker is the response: its code is the status and its text is
   * the body.
   */
  publish(
    message: BrokerMessage,
    target: BrokerTarget,
    options: PublishOptions,
  ): Promise<CallResult>;
  /** The number of connections, including idle ones. */
  openConnections(): number;
  close(): Promise<void>;
};

/** Publishes to brokers of users. Connections are kept for a while and shared. */
export function createBrokerClient(options: BrokerClientOptions): BrokerClient {
  const { maxConnections = 200, connectMs = 10_000, idleMs = 60_000, maxChannels = 64 } = options;
  const { allow } = options;
  const addresses = toSocketOptions(options);
  /** Those that take messages. */
  const known = new Map<string, BrokerConnection>();
  const all = new Set<BrokerConnection>();

  function connect({ url, login, loginKey }: BrokerTarget): BrokerConnection {
    const checked = checkReceiverUrl(url, allow);
    if (!checked.ok && checked.code === "blocked") throw new CallFailure("blocked");
    const broker = readBrokerReceiver(url);
    if (!broker.ok) throw new CallFailure("invalid_request", broker.message);
    const key = JSON.stringify([loginKey, broker.origin, broker.vhost]);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= maxConnections) makeRoom();
    const made: BrokerConnection = new BrokerConnection({
      ...{ connectMs, idleMs, maxChannels },
      open: (signal) => openBroker({ broker, login, options: addresses, signal }),
      onRetired: () => {
        if (known.get(key) === made) known.delete(key);
      },
      onClosed: () => all.delete(made),
    });
    known.set(key, made);
    all.add(made);
    return made;
  }

  function makeRoom(): void {
    const idle = known.values().find(({ isIdle }) => isIdle);
    if (idle === undefined)
      throw new CallFailure(
        "connect",
        `This server is connected to ${maxConnections} brokers, which is the limit.`,
      );
    idle.retire();
  }

  return {
    publish: (message, target, given) =>
      callBroker(given, async (passed) => {
        await send(connect(target), message, passed);
        return confirmed;
      }),
    openConnections: () => all.size,
    async close() {
      await Promise.all([...all].map((connection) => connection.close()));
    },
  };
}

/** Which addresses may be connected to, and how. */
export function toSocketOptions(options: BrokerClientOptions): SocketOptions {
  const { allow, ownPorts = [], own, extraCa, proxy } = options;
  return {
    ...{ allow, ownPorts, resolve: options.resolve ?? createSystemResolver() },
    ...(own !== undefined && { own }),
    ...(extraCa !== undefined && { extraCa }),
    ...(proxy !== undefined && { proxy }),
  };
}

async function send(
  connection: BrokerConnection,
  message: BrokerMessage,
  passed: Promise<never>,
): Promise<void> {
  const taking = connection.take();
  const channel = await Promise.race([taking, passed]).catch((error: unknown) => {
    taking.then((late) => connection.giveBack(late)).catch(() => {});
    throw error;
  });
  const publishing = channel.publish(message, connection.whyEnded);
  try {
    await Promise.race([publishing, passed]);
  } catch (error) {
    publishing.catch(() => {});
    const isLate = error instanceof CallFailure && error.code === "timeout";
    // Otherwise unsent messages would pile up on the connection.
    if (isLate) connection.retire();
    const { blocked } = connection;
    if (isLate && blocked !== null)
      throw new CallFailure("timeout", `The broker takes no messages now: ${blocked}.`);
    throw error;
  } finally {
    connection.giveBack(channel);
  }
}

/** AMQP confirms without a reply code. 200 is its code for success. */
const confirmed = toResponse(200, "The broker confirmed the message (basic.ack).");
