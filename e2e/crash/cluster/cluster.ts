import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import { PatroniNode } from "./patroni-node.ts";
import { findPrograms, type Programs } from "./programs.ts";
import { type Spawned, start } from "./spawned.ts";

export type Cluster = {
  readonly programs: Programs;
  /** All nodes in one URL. */
  readonly url: string;
  /** The URL of HAProxy, which connects to the leader. */
  readonly proxyUrl: string;
  leader(): Promise<PatroniNode>;
  /** The URL of the leader alone. */
  leaderUrl(): Promise<string>;
  /** The leader hands over to the synchronous standby. Resolves once it is the leader. */
  switchOver(): Promise<void>;
  /** Kills the leader's machine. Resolves once there is another. @returns what starts it again */
  killLeader(): Promise<() => void>;
  /** Resolves once there is a leader, and a synchronous and another standby stream. */
  waitUntilWhole(): Promise<void>;
  stop(): Promise<void>;
};

const nodeCount = 3;
const password = "catchment";

/**
 * Starts three nodes with `synchronous_mode_strict`: a commit waits until two of them have it, and is
 * acknowledged then.
 */
export async function startCluster(folder: string): Promise<Cluster> {
  const programs = findPrograms();
  const user = findServiceUser();
  const own = join(folder, "cluster");
  mkdirSync(own);
  const logs = { env: programs.env, user };
  const log = (name: string) => ({ ...logs, logFile: join(own, `${name}.log`) });
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const each of started.splice(0).toReversed()) await each.stop();
  };
  try {
    const etcdPort = await findFreePort();
    const etcd = await startEtcd(programs, own, { port: etcdPort, log: log("etcd") });
    started.push(etcd);
    const nodes: PatroniNode[] = [];
    for (let number = 1; number <= nodeCount; number += 1) {
      const ports = { port: await findFreePort(), restPort: await findFreePort() };
      const name = `node${number}`;
      const node = new PatroniNode({
        name,
        folder: own,
        programs,
        user,
        etcdPort,
        password,
        ...ports,
      });
      nodes.push(node);
      started.push(node);
    }
    // The first one to come makes the database, the others copy it.
    for (const node of nodes) node.start();
    await waitUntilWhole(nodes);
    const proxyPort = await findFreePort();
    started.push(startProxy(programs, own, { nodes, port: proxyPort, log: log("haproxy") }));
    const leader = () => findLeader(nodes);
    await createDatabase((await leader()).port);
    const places = nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const toUrl = (place: string) => `postgresql://catchment:${password}@${place}/catchment`;
    return {
      programs,
      url: `${toUrl(places)}?target_session_attrs=read-write`,
      proxyUrl: toUrl(`127.0.0.1:${proxyPort}`),
      leader,
      leaderUrl: async () => toUrl(`127.0.0.1:${(await leader()).port}`),
      switchOver: async () => switchOver(await leader()),
      async killLeader() {
        const node = await leader();
        await node.kill();
        const others = nodes.filter((each) => each !== node);
        await waitUntil("another leader", 120_000, async () => {
          const name = (await readMembers(others)).find(({ role }) => role === "leader")?.name;
          return others.some((each) => each.name === name) ? true : undefined;
        });
        return () => node.start();
      },
      waitUntilWhole: () => waitUntilWhole(nodes),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Log = Parameters<typeof start>[2];

async function startEtcd(
  programs: Programs,
  folder: string,
  { port, log }: { readonly port: number; readonly log: Log },
): Promise<Spawned> {
  const data = join(folder, "etcd");
  mkdirSync(data, { mode: 0o700 });
  if (log.user !== undefined) chownSync(data, log.user.uid, log.user.gid);
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${await findFreePort()}`;
  const etcd = start(
    programs.etcd,
    [
      ...["--name=etcd", `--data-dir=${data}`, `--initial-cluster=etcd=${peer}`],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`],
      ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
    ],
    log,
  );
  await waitUntil("etcd", 60_000, async () => {
    if (etcd.hasEnded()) throw new Error(`etcd ended: see ${log.logFile}`);
    return await isOk(`${client}/health`);
  });
  return etcd;
}

/** Starts HAProxy. Like in Patroni's documentation, it closes connections to a former leader. */
function startProxy(
  programs: Programs,
  folder: string,
  options: { readonly nodes: readonly PatroniNode[]; readonly port: number; readonly log: Log },
): Spawned {
  const file = join(folder, "haproxy.cfg");
  const servers = options.nodes.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
  );
  writeFileSync(
    file,
    [
      "defaults",
      "  mode tcp",
      "  timeout connect 2s",
      "  timeout check 2s",
      "  timeout client 30m",
      "  timeout server 30m",
      "listen leader",
      `  bind 127.0.0.1:${options.port}`,
      "  option httpchk OPTIONS /primary",
      "  http-check expect status 200",
      "  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions",
      ...servers,
      "",
    ].join("\n"),
  );
  return start(programs.haproxy, ["-db", "-f", file], options.log);
}

async function createDatabase(port: number): Promise<void> {
  const client = new Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    password,
    database: "postgres",
  });
  await client.connect();
  try {
    await client.query(`create role catchment login password '${password}'`);
    await client.query("create database catchment owner catchment");
  } finally {
    await client.end();
  }
}

type Member = { readonly name: string; readonly role: string; readonly state: string };

async function readMembers(nodes: readonly PatroniNode[]): Promise<readonly Member[]> {
  for (const { restPort } of nodes) {
    const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
  }
  return [];
}

async function waitUntilWhole(nodes: readonly PatroniNode[]): Promise<void> {
  await waitUntil("the cluster to be whole", 180_000, async () => {
    const ended = nodes.find((node) => node.hasEnded());
    if (ended !== undefined) throw new Error(`Patroni ended at ${ended.name}: see its log`);
    const members = await readMembers(nodes);
    const running = members.filter(({ state }) => state === "running" || state === "streaming");
    const has = (role: string) => running.some((member) => member.role === role);
    return running.length === nodeCount && has("leader") && has("sync_standby") ? true : undefined;
  });
}

async function findLeader(nodes: readonly PatroniNode[]): Promise<PatroniNode> {
  return await waitUntil("a leader", 60_000, async () => {
    const members = await readMembers(nodes);
    const name = members.find(({ role }) => role === "leader")?.name;
    return nodes.find((node) => node.name === name);
  });
}

async function switchOver({ name, restPort }: PatroniNode): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ leader: name }),
  });
  if (!response.ok) throw new Error(`Switchover: ${response.status} ${await response.text()}`);
}

async function isOk(url: string): Promise<true | undefined> {
  return await fetch(url).then(
    ({ ok }) => (ok ? true : undefined),
    () => undefined,
  );
}
