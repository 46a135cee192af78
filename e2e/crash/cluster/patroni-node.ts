import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { killAtOnce, listTree } from "#e2e/harness/process-tree.ts";
import type { SystemUser } from "#server/system/service-user.ts";
import type { Programs } from "./programs.ts";
import { killAtExit, type Spawned, start } from "./spawned.ts";

export type NodeOptions = {
  readonly name: string;
  readonly folder: string;
  readonly programs: Programs;
  readonly user: SystemUser | undefined;
  /** The port of PostgreSQL. */
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
  readonly password: string;
};

/** PostgreSQL and the Patroni that watches it: a machine of the cluster. */
export class PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #options: NodeOptions;
  readonly #data: string;
  #patroni: Spawned | undefined;

  constructor(options: NodeOptions) {
    const { name, folder, port, restPort, user } = options;
    this.name = name;
    this.port = port;
    this.restPort = restPort;
    this.#options = options;
    const own = join(folder, name);
    this.#data = join(own, "data");
    mkdirSync(own, { mode: 0o700 });
    writeFileSync(join(own, "patroni.json"), JSON.stringify(toConfiguration(options, own)));
    if (user !== undefined) chownSync(own, user.uid, user.gid);
    killAtExit(() => this.#readPostmaster());
  }

  start(): void {
    const { programs, folder, name, user } = this.#options;
    const file = join(folder, name, "patroni.json");
    this.#patroni = start("/usr/bin/python3", [programs.patroni, file], {
      env: programs.env,
      logFile: join(folder, `${name}.log`),
      user,
    });
  }

  hasEnded(): boolean {
    return this.#patroni?.hasEnded() ?? true;
  }

  /**
   * Ends Patroni and PostgreSQL at once, as if the machine failed. The postmaster isn't a child of
   * Patroni. It is stopped first, so that it starts nothing in the meantime.
   */
  async kill(): Promise<void> {
    const postmaster = this.#readPostmaster();
    if (postmaster !== undefined) process.kill(postmaster, "SIGSTOP");
    await this.#patroni?.kill();
    if (postmaster !== undefined) killAtOnce(await listTree(postmaster));
  }

  async stop(): Promise<void> {
    await this.#patroni?.stop();
    const postmaster = this.#readPostmaster();
    if (postmaster !== undefined) killAtOnce(await listTree(postmaster));
  }

  #readPostmaster(): number | undefined {
    try {
      const pid = Number(readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n")[0]);
      process.kill(pid, 0);
      // After a crash the file may name another program's process.
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(this.#data) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Patroni reads YAML, and JSON is YAML too. */
function toConfiguration(options: NodeOptions, folder: string): object {
  const { name, programs, port, restPort, etcdPort, password } = options;
  return {
    scope: "catchment",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      // A leader that doesn't renew its lease is replaced after `ttl`, which is 30 by default.
      dcs: {
        ttl: 10,
        loop_wait: 2,
        retry_timeout: 4,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            fsync: "on",
            synchronous_commit: "on",
            full_page_writes: "on",
            wal_log_hints: "on",
            wal_compression: "off",
            max_connections: 100,
            shared_buffers: "128MB",
            jit: "off",
          },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      pg_hba: [
        "host all all 127.0.0.1/32 scram-sha-256",
        "host replication all 127.0.0.1/32 scram-sha-256",
        "local all all scram-sha-256",
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      bin_dir: programs.postgres,
      data_dir: join(folder, "data"),
      pgpass: join(folder, "pgpass"),
      parameters: { unix_socket_directories: folder },
      authentication: {
        superuser: { username: "postgres", password },
        replication: { username: "replicator", password },
      },
    },
  };
}
