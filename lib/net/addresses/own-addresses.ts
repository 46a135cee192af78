import { networkInterfaces } from "node:os";
import { classifyAddress, parseAddress } from "#lib/core/sending/address/classify-address.ts";

type ReadInterfaces = () => Readonly<
  Record<string, readonly { readonly address: string }[] | undefined>
>;

const freshMs = 5_000;

/**
 * Knows whether an address belongs to this machine: a server that listens on all interfaces is
 * reachable at each of them, including public ones. Interfaces change, so they are read again after
 * five seconds. Reading them is the slowest part of checking a call.
 */
export class OwnAddresses {
  readonly #read: ReadInterfaces;
  readonly #now: () => number;
  #addresses: ReadonlySet<string> = new Set();
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    read: ReadInterfaces = networkInterfaces,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#now = now;
  }

  /** @param address canonical text */
  has(address: string): boolean {
    const addressClass = classifyAddress(address);
    if (addressClass.kind === "special" && ["loopback", "unspecified"].includes(addressClass.name))
      return true;
    if (this.#now() - this.#readAtMs > freshMs) this.#refresh();
    return this.#addresses.has(parseAddress(address)?.toString() ?? "");
  }

  #refresh(): void {
    const entries = Object.values(this.#read()).flatMap((list) => list ?? []);
    const texts = entries.map(
      ({ address }) => parseAddress(address.replace(/%.*/, ""))?.toString() ?? "",
    );
    this.#addresses = new Set(texts.filter((text) => text !== ""));
    this.#readAtMs = this.#now();
  }
}
