/**
 * `${env:NAME}` in the files of a configuration. Only secrets can be taken from the environment: no plan and no
 * export shows them. The command line replaces them before it sends a file, and the server knows none.
 */

/** A reference anywhere in a text. */
export const envReference = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Fields of credentials that are secret. */
const secretFields = "token|username|password|value|clientSecret|secret|privateKey|certificate|ca";

/** Paths such as `hooks.0.signingSecret`. */
const secretPlaces = [
  new RegExp(`^credentials\\.\\d+\\.auth\\.(?:${secretFields})$`),
  new RegExp(`^hooks\\.\\d+\\.actions\\.\\d+\\.(?:.+\\.)?auth\\.(?:${secretFields})$`),
  /^hooks\.\d+\.signingSecret$/,
  /^subscriptions\.\d+\.(?:secret$|headers\..)/,
  /^alertChannels\.\d+\.(?:url|routingKey)$/,
];

/** True if the field is a secret, which may be taken from the environment. */
export function isSecretPlace(path: string): boolean {
  return secretPlaces.some((place) => place.test(path));
}

/** The path of the first reference in the place of a secret, or null. */
export function findReference(value: unknown, path = ""): string | null {
  if (typeof value === "string")
    return isSecretPlace(path) && new RegExp(envReference).test(value) ? path : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, child] of Object.entries(value)) {
    const found = findReference(child, path === "" ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}
