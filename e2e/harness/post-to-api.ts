import { randomUUID } from "node:crypto";
import { fetchUntilAvailable } from "./fetch-until-available.ts";

export type ApiAccess = { readonly origin: string; readonly apiToken: string };

/** Posts to the API, and repeats a request that a busy server can't serve now. */
export async function postToApi(
  { origin, apiToken }: ApiAccess,
  path: string,
  body: unknown,
): Promise<Response> {
  const request = {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiToken}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify(body),
  };
  // The dashboard, which answers the API too, may have to wake up.
  return await fetchUntilAvailable(new URL(path, origin).href, request);
}

/** Creates something through the API. Throws if it isn't created. */
export async function createThroughApi(
  access: ApiAccess,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await postToApi(access, path, body);
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
