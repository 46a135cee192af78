/** A release and its names. */
export type Named = {
  readonly checkout: string;
  readonly out: string;
  readonly registry: string;
  readonly version: string;
};

/** A registry for tests has no certificate. */
export function isOnThisMachine(registry: string): boolean {
  return /^(?:localhost|127\.0\.0\.1):\d+/.test(registry);
}
