export type ApiAccess = { readonly origin: string; readonly apiToken: string };

export function postToApi(
  { origin, apiToken }: ApiAccess,
  path: string,
  body: unknown,
): Promise<Response> {
  return fetch(new URL(path, origin), {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    // The dashboard, which answers the API too, may have to wake up.
    signal: AbortSignal.timeout(60_000),
  });
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
