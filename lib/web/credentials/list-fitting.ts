import type { listCredentials } from "#lib/services/credentials.ts";

type Saved = Awaited<ReturnType<typeof listCredentials>>["items"][number];

/** A provider's API, as far as credentials go. */
type Api = {
  /** Where it is, unless an organization runs its own. */
  readonly origin: string;
  readonly isOrigin: (origin: string) => boolean;
};

/**
 * The credentials for a provider's API, those for its own origin first. Others say where they are
 * sent. Those without TLS are for tests and proxies: they are listed if none other fits, or if one
 * was used last.
 */
export function listFitting(
  credentials: readonly Pick<Saved, "id" | "name" | "origin">[],
  { origin: own, isOrigin }: Api,
  lastId: string | null,
): readonly { readonly id: string; readonly name: string }[] {
  const fitting = credentials.filter(({ origin }) => isOrigin(origin));
  const shown = credentials.filter(
    ({ id, origin }) =>
      isOrigin(origin) || (origin.startsWith("http:") && (fitting.length === 0 || id === lastId)),
  );
  return shown
    .toSorted((one, other) => Number(other.origin === own) - Number(one.origin === own))
    .map(({ id, name, origin }) => ({
      id,
      name: origin === own ? name : `${name} (${new URL(origin).host})`,
    }));
}
