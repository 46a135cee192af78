import { listProviders } from "#lib/core/verify/providers.ts";

/** What a form offers: senders by name, with what to tell about each. */
export function listProviderChoices() {
  return listProviders()
    .map(({ id, name, secretHelp }) => ({ id, name, secretHelp }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}
