import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import {
  type DatabaseHost,
  type DatabaseUrl,
  requireDatabaseUrl,
} from "#lib/core/env/database-url.ts";
import { askHost } from "./ask-host.ts";
import { hostChosen } from "./host-signal.ts";
import { NoWritableHostError } from "./no-writable-host-error.ts";

/** How long a host may be silent before the next one is asked too. */
const patienceMs = 200;
/** How long it holds that no host is writable: everything that wants to connect then doesn't ask again. */
const restMs = 100;

type Connection = { abandon(): void };

/** The hosts of one database, as all connections of this process know them. */
export class DatabaseHosts {
  readonly #url: DatabaseUrl;
  readonly #connections = new Map<DatabaseHost, Set<Connection>>();
  #writable: DatabaseHost | undefined;
  #finding: Promise<DatabaseHost> | undefined;

  constructor(url: DatabaseUrl) {
    this.#url = url;
    if (!url.isChecked) this.#writable = url.hosts[0];
  }

  get isChecked(): boolean {
    return this.#url.isChecked;
  }

  get hasSeveral(): boolean {
    return this.#url.hosts.length > 1;
  }

  /**
   * The writable host. It is known until a connection doubts it, and asked for once, however many want to
   * connect.
   */
  async choose(): Promise<DatabaseHost> {
    if (this.#writable !== undefined) return this.#writable;
    this.#finding ??= this.#find();
    return await this.#finding;
  }

  /** A connection to the host failed: the next one asks again. */
  doubt(host: DatabaseHost): void {
    if (this.#url.isChecked && this.#writable === host) this.#writable = undefined;
  }

  /** The host takes no writes any more, as `connection` learned, so none of the others is of use. */
  leave(host: DatabaseHost, connection: Connection): void {
    this.doubt(host);
    this.remove(host, connection);
    for (const other of this.#connections.get(host) ?? []) other.abandon();
  }

  add(host: DatabaseHost, connection: Connection): void {
    const known = this.#connections.get(host) ?? new Set();
    this.#connections.set(host, known.add(connection));
  }

  remove(host: DatabaseHost, connection: Connection): void {
    this.#connections.get(host)?.delete(connection);
  }

  async #find(): Promise<DatabaseHost> {
    const { hosts } = this.#url;
    try {
      const found = await firstWritable(hosts, askHost, () =>
        delay(patienceMs, undefined, { ref: false }),
      );
      this.#writable = found;
      this.#finding = undefined;
      hostChosen.send({ name: found.name });
      return found;
    } catch (error) {
      setTimeout(() => {
        this.#finding = undefined;
      }, restMs).unref();
      throw toNoWritableHost(hosts, error);
    }
  }
}

function toNoWritableHost(hosts: readonly DatabaseHost[], error: unknown): Error {
  if (!(error instanceof AggregateError)) return toError(error);
  return new NoWritableHostError(
    hosts.map(({ name }, at) => ({ name, error: toError(error.errors[at]) })),
  );
}

const known = new Map<string, DatabaseHosts>();

/** Pools of one process share what they know, also if the rest of their URLs differs. */
export function hostsOf(connectionString: string): { hosts: DatabaseHosts; url: DatabaseUrl } {
  const url = requireDatabaseUrl(connectionString);
  const key = JSON.stringify([url.hosts.map(({ name }) => name), url.database, url.isChecked]);
  const hosts = known.get(key) ?? new DatabaseHosts(url);
  known.set(key, hosts);
  return { hosts, url };
}

/**
 * Asks hosts in their order, each once those before it have refused, or after a pause, so that one
 * that is silent holds no one up (as in RFC 8305).
 *
 * @param ask rejects if the host isn't writable
 * @returns the first that is. Rejects with an `AggregateError` of all refusals, in the order of hosts
 */
export async function firstWritable<Host>(
  hosts: readonly Host[],
  ask: (host: Host) => Promise<unknown>,
  pause: () => Promise<void>,
): Promise<Host> {
  const asked: Promise<Host>[] = [];
  for (const host of hosts) {
    asked.push(ask(host).then(() => host));
    const found = Promise.any(asked).then(
      () => true,
      () => false,
    );
    if (await Promise.race([found, pause().then(() => false)])) break;
  }
  return await Promise.any(asked);
}
