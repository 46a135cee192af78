import type { RequestAuth } from "#lib/schema/act/request-auth.ts";

/** An action's credentials in every form that is sent. They must never be stored or shown. */
export function listAuthSecrets(auth: RequestAuth | null): string[] {
  if (auth === null) return [];
  switch (auth.type) {
    case "bearer":
      return [auth.token];
    case "header":
      // `Token abc…`: receivers may echo it without the first word.
      return [...new Set([auth.value, auth.value.split(" ").at(-1) ?? ""])].filter(
        (value) => value !== "",
      );
    case "query":
    case "body":
      return [auth.value];
    case "basic": {
      const encoded = Buffer.from(`${auth.username}:${auth.password}`).toString("base64");
      // Many services use an API key as the username.
      return [auth.password === "" ? auth.username : auth.password, encoded].filter(
        (value) => value !== "",
      );
    }
    default:
      return auth satisfies never;
  }
}
