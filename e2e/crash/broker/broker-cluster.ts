import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChannelModel, connect } from "amqplib";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import { start } from "../cluster/spawned.ts";
import { RabbitNode } from "./rabbit-node.ts";
import { findRabbitPrograms } from "./rabbit-programs.ts";

export type BrokerCluster = {
  /** For CATCHMENT_SPOOL_URL, with all nodes. */
  readonly url: string;
  /**
   * True if RabbitMQ knows of no message that waits. It says so too of a queue that has no leader, is
   * recovering, or doesn't respond within 250 ms (`rabbit_quorum_queue:stat`), and counts none that
   * a process is storing.
   */
  seemsEmpty(): Promise<boolean>;
  /** Kills the first node, which the server is connected to, or all. @returns what starts them again */
  kill(isWhole: boolean): Promise<() => void>;
  stop(): Promise<void>;
};

const nodeCount = 3;
const queue = "catchment.spool";
const login = { user: "catchment", password: "catchment" };

/** Three nodes of RabbitMQ with TLS, on loopback ports of their own. */
export async function startBrokers(folder: string): Promise<BrokerCluster> {
  const own = join(folder, "broker");
  mkdirSync(own, { mode: 0o755 });
  const programs = findRabbitPrograms(own);
  const user = findServiceUser();
  const certificate = makeCertificate(own, user);
  const started: { kill(): Promise<void> }[] = [];
  const stop = async () => {
    for (const each of started.splice(0).toReversed()) await each.kill();
  };
  try {
    const epmdPort = await findFreePort();
    const epmd = ["-address", "127.0.0.1", "-port", String(epmdPort)];
    const log = { env: programs.env, logFile: join(own, "epmd.log"), user };
    started.push(start(programs.epmd, epmd, log));
    const all = Array.from({ length: nodeCount }, (_, at) => `rabbit${at + 1}@localhost`);
    const cookie = randomBytes(12).toString("hex");
    const nodes: RabbitNode[] = [];
    for (const name of all) {
      const ports = {
        port: await findFreePort(),
        distributionPort: await findFreePort(),
        epmdPort,
      };
      const node = new RabbitNode({
        ...{ name, all, folder: own, programs, user, cookie, login, certificate },
        ...ports,
      });
      nodes.push(node);
      started.push(node);
    }
    for (const node of nodes) node.start();
    const ask = (node: RabbitNode) => openConnection(node, certificate.cert);
    for (const node of nodes)
      await waitUntil("RabbitMQ", 180_000, async () => {
        if (node.hasEnded()) throw new Error(`RabbitMQ ended: see the logs in ${own}`);
        const connection = await ask(node);
        await connection?.close();
        return connection === undefined ? undefined : true;
      });
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
    return {
      url: `amqps://${login.user}:${login.password}@${hosts}/?queue=${queue}&cacertfile=${certificate.cert}`,
      seemsEmpty: async () => (await countOnAny(nodes.map((node) => () => ask(node)))) === 0,
      async kill(isWhole) {
        const killed = isWhole ? nodes : nodes.slice(0, 1);
        await Promise.all(killed.map((node) => node.kill()));
        return () => killed.forEach((node) => void node.start());
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @returns undefined if no node responds */
async function countOnAny(
  ask: readonly (() => Promise<ChannelModel | undefined>)[],
): Promise<number | undefined> {
  for (const open of ask) {
    const connection = await open();
    if (connection === undefined) continue;
    try {
      const channel = await connection.createChannel();
      channel.on("error", () => {});
      return (await channel.checkQueue(queue)).messageCount;
    } catch {
    } finally {
      await connection.close().catch(() => {});
    }
  }
  return undefined;
}

async function openConnection(
  { port }: RabbitNode,
  cert: string,
): Promise<ChannelModel | undefined> {
  const place = { protocol: "amqps", hostname: "127.0.0.1", port, vhost: "/" };
  const credentials = { username: login.user, password: login.password };
  const socket = { ca: readFileSync(cert), timeout: 5_000 };
  try {
    const connection = await connect({ ...place, ...credentials }, socket);
    connection.on("error", () => {});
    return connection;
  } catch {
    return undefined;
  }
}

export function makeCertificate(folder: string, user: ReturnType<typeof findServiceUser>) {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
      ...["-keyout", key, "-out", cert],
    ],
    { stdio: "ignore" },
  );
  if (user !== undefined) for (const file of [cert, key]) chownSync(file, user.uid, user.gid);
  return { cert, key };
}
