import type { SavedCredential } from "#lib/core/sending/credential/saved-credential.ts";
import type { Connections } from "./connections.ts";

/** The certificate and key with which a client proves its identity in the TLS handshake. */
export type ClientIdentity = {
  /** The credential's id and version. */
  readonly key: string;
  /** The certificate as PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  /** Certificate authorities that are trusted in addition to the usual ones. */
  readonly ca: string | null;
};

/** Null: the credential is no client certificate. */
export function toIdentity({ id, version, auth }: SavedCredential): ClientIdentity | null {
  if (auth.type !== "certificate") return null;
  const { certificate, privateKey, ca } = auth;
  return { key: `${id}.${version}`, certificate, privateKey, ca };
}

/**
 * Connections with client certificates. A connection of one identity never carries a call with
 * another identity or without one.
 */
export class IdentityConnections {
  readonly #open: (identity: ClientIdentity) => Connections;
  readonly #known = new Map<string, Connections>();

  constructor(open: (identity: ClientIdentity) => Connections) {
    this.#open = open;
  }

  of(identity: ClientIdentity): Connections {
    const known = this.#known.get(identity.key);
    if (known !== undefined) return known;
    for (const [key, connections] of this.#known) if (connections.isUnused) this.#known.delete(key);
    const opened = this.#open(identity);
    this.#known.set(identity.key, opened);
    return opened;
  }

  async close(reason: Parameters<Connections["close"]>[0]): Promise<void> {
    await Promise.all(this.#known.values().map((connections) => connections.close(reason)));
  }
}
