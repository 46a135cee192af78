import type { RequestAuth } from "#lib/schema/action.ts";

/** Every spelling in which an action's credentials go out: what must not be in anything that is stored or shown. */
export function listAuthSecrets(auth: RequestAuth | null): string[] {
  if (auth === null) return [];
  switch (auth.type) {
    case "bearer":
      return [auth.token];
    case "header":
      // `Token abc…`: a receiver that repeats it leaves the first word out.
      return [...new Set([auth.value, auth.value.split(" ").at(-1) ?? ""])].filter((value) => value !== "");
    case "basic": {
      const encoded = Buffer.from(`${auth.username}:${auth.password}`).toString("base64");
      // Many services take a key as the user name alone.
      return [auth.password === "" ? auth.username : auth.password, encoded].filter((value) => value !== "");
    }
    default:
      return auth satisfies never;
  }
}
