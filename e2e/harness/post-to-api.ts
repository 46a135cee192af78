import { randomUUID } from "node:crypto";
import { waitUntil } from "./wait-until.ts";

export type ApiAccess = { readonly origin: string; readonly apiToken: string };

/** Repeats what a busy server can't do now. */
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
  const send = async () => {
    // The dashboard, which answers the API too, may have to wake up.
    const signal = AbortSignal.timeout(120_000);
    const response = await fetch(new URL(path, origin), { ...request, signal });
    return response.status === 503 ? undefined : response;
  };
  return waitUntil(`POST ${path}`, 300_000, send, 500);
}

/** Throws unless it is created. */
export async function createThroughApi(
  access: ApiAccess,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await postToApi(access, path, body);
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
