import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Spawned, type SpawnOptions, start } from "../cluster/spawned.ts";
import type { RabbitPrograms } from "./rabbit-programs.ts";

export type RabbitNodeOptions = {
  /** `rabbit1@localhost` */
  readonly name: string;
  /** The names of all nodes of the cluster. */
  readonly all: readonly string[];
  readonly folder: string;
  readonly programs: RabbitPrograms;
  readonly user: SpawnOptions["user"];
  /** For clients, with TLS. */
  readonly port: number;
  /** For clients, without TLS. Omitted: there is none. */
  readonly plainPort?: number;
  /** For the other nodes. */
  readonly distributionPort: number;
  readonly epmdPort: number;
  readonly cookie: string;
  readonly login: { readonly user: string; readonly password: string };
  readonly certificate: { readonly cert: string; readonly key: string };
};

/** One node of a cluster. It listens on loopback only. */
export class RabbitNode {
  readonly port: number;
  readonly #options: RabbitNodeOptions;
  readonly #own: string;
  #running: Spawned | undefined;

  constructor(options: RabbitNodeOptions) {
    const { name, folder, port, user } = options;
    this.port = port;
    this.#options = options;
    this.#own = join(folder, name);
    mkdirSync(this.#own, { mode: 0o700 });
    const files = {
      "rabbitmq.conf": toConfiguration(options),
      enabled_plugins: "[].\n",
      // Without a file of its own it would read the system's.
      "env.conf": "",
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(this.#own, file), text);
    if (user !== undefined)
      for (const path of ["", ...Object.keys(files)])
        chownSync(join(this.#own, path), user.uid, user.gid);
  }

  start(): void {
    const { name, folder, programs, user, distributionPort, epmdPort, cookie } = this.#options;
    const own = (file: string) => join(this.#own, file);
    const erlang = ["-start_epmd false", `-setcookie ${cookie}`];
    const env = {
      ...programs.env,
      HOME: this.#own,
      ERL_EPMD_PORT: String(epmdPort),
      ERL_EPMD_ADDRESS: "127.0.0.1",
      RABBITMQ_NODENAME: name,
      RABBITMQ_CONF_ENV_FILE: own("env.conf"),
      RABBITMQ_CONFIG_FILE: own("rabbitmq.conf"),
      RABBITMQ_ENABLED_PLUGINS_FILE: own("enabled_plugins"),
      RABBITMQ_MNESIA_BASE: own("mnesia"),
      RABBITMQ_LOG_BASE: own("log"),
      RABBITMQ_PID_FILE: own("pid"),
      RABBITMQ_DIST_PORT: String(distributionPort),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: [
        ...erlang,
        "-kernel inet_dist_use_interface {127,0,0,1}",
      ].join(" "),
    };
    const logFile = join(folder, `${name}.log`);
    this.#running = start(programs.server, [], { env, logFile, user });
  }

  hasEnded(): boolean {
    return this.#running?.hasEnded() ?? true;
  }

  /** At once, as when its machine fails. */
  async kill(): Promise<void> {
    await this.#running?.kill();
  }
}

function toConfiguration({ all, port, plainPort, login, certificate }: RabbitNodeOptions): string {
  return [
    plainPort === undefined ? "listeners.tcp = none" : `listeners.tcp.1 = 127.0.0.1:${plainPort}`,
    `listeners.ssl.1 = 127.0.0.1:${port}`,
    `ssl_options.certfile = ${certificate.cert}`,
    `ssl_options.keyfile = ${certificate.key}`,
    "ssl_options.verify = verify_none",
    `default_user = ${login.user}`,
    `default_pass = ${login.password}`,
    "cluster_formation.peer_discovery_backend = classic_config",
    ...all.map((name, at) => `cluster_formation.classic_config.nodes.${at + 1} = ${name}`),
    "log.console = true",
    "log.file = false",
    "",
  ].join("\n");
}
