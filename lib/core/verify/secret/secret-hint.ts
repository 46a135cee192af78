/**
 * The permanent hint of a secret: its last 4 characters, so that people can tell two apart. Empty
 * for a short secret, since it would reveal too much.
 */
export function secretHint(secret: string): string {
  return secret.length >= minHintedLength ? secret.slice(-4) : "••••";
}

const minHintedLength = 12;
