/**
 * The part of a request that Next reads, which a test doesn't have. It replaces `next/headers` in
 * the database tests: see `vitest.config.ts`.
 */
const browser = { token: "" };

/** Sets the token that is every cookie and the bearer of the next requests. */
export function setBrowserToken(token: string): void {
  browser.token = token;
}

export async function headers(): Promise<Headers> {
  return new Headers({
    origin: "https://hooks.example.test",
    host: "hooks.example.test",
    authorization: `Bearer ${browser.token}`,
  });
}

export async function cookies(): Promise<{
  get(name: string): { name: string; value: string };
  set(name: string, value: string): void;
}> {
  // Nothing that is set changes what the next request sends.
  return { get: (name) => ({ name, value: browser.token }), set: () => {} };
}
