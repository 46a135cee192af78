/**
 * What is shown of a secret for good: its last 4 characters, so that people can tell two apart. Of a short one that
 * would be too much to give away.
 */
export function secretHint(secret: string): string {
  return secret.length >= shortestHinted ? secret.slice(-4) : "••••";
}

const shortestHinted = 12;
