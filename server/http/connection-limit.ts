import type { Socket } from "node:net";
import { KeyCounts } from "#lib/base/key-counts.ts";
import { isLoopback, toClientNetwork } from "#lib/core/sending/address/client-network.ts";

/**
 * Limits the number of open connections. Beyond it, new ones are closed at once, before descriptors
 * run out: the database, the log, and the dashboard need theirs. One address (for IPv6: one /64)
 * may have half, so that it can't shut out the others. Trusted proxies and this machine represent
 * many clients and are exempt from that share.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #isTrustedPeer: (address: string) => boolean;
  readonly #byClient = new KeyCounts();
  #open = 0;

  constructor(max: number, isTrustedPeer: (address: string) => boolean = () => false) {
    this.#max = max;
    this.#isTrustedPeer = isTrustedPeer;
  }

  /** Counts the socket or destroys it. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "";
    const client = toClientNetwork(address);
    const isExempt = isLoopback(address) || this.#isTrustedPeer(address);
    const maxOfClient = isExempt ? this.#max : this.#max / 2;
    if (this.#open >= this.#max || !this.#byClient.add(client, maxOfClient)) {
      socket.destroy();
      return false;
    }
    this.#open += 1;
    socket.once("close", () => this.#release(client));
    return true;
  }

  #release(client: string): void {
    this.#open -= 1;
    this.#byClient.remove(client);
  }
}

/**
 * Three quarters of the descriptors that this process may open (node itself raises the soft limit
 * to the hard one).
 */
export function readMaxConnections(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(report.userLimits?.open_files?.soft);
  return Number.isInteger(soft) ? Math.min(10_000, Math.max(16, Math.floor(soft * 0.75))) : 10_000;
}
