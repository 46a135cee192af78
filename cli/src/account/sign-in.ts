import { hostname } from "node:os";
import { Exit } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";
import { wait } from "../frame/wait.ts";
import { explainConnection } from "./explain-connection.ts";
import type { Profile } from "./profiles.ts";
import type { Fetch } from "./proxy-fetch.ts";

/** The server's device flow (RFC 8628), for one sign-in. */
type SignIn = {
  readonly url: string;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** Scopes with spaces in between. Undefined: everything that only reads. */
  readonly scope: string | undefined;
  /** Shows the person where to go and the code to compare. */
  readonly onCode: (page: string, code: string) => void;
};

type Endpoints = { readonly device: string; readonly token: string };
type Received = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

const clientId = "catchment-cli";
const grantType = "urn:ietf:params:oauth:grant-type:device_code";

/** Signs in. Throws an `Exit` if the person denies it, or doesn't decide in time. */
export async function signIn(options: SignIn): Promise<NewProfile> {
  const { url, scope, onCode, signal } = options;
  const endpoints = await findEndpoints(options);
  const asked = await post(options, endpoints.device, {
    client_id: clientId,
    host_name: nameHost(),
    ...(scope === undefined ? {} : { scope }),
  });
  const code = String(asked.body.device_code ?? "");
  if (asked.status !== 200 || code === "") throw new Exit("fault", describe(asked));
  const page = String(asked.body.verification_uri_complete);
  if (new URL(page).origin !== url)
    throw new Exit("fault", `The server sent a sign-in page of another origin: ${page}`);
  onCode(page, String(asked.body.user_code));
  for (let seconds = Number(asked.body.interval ?? 5); ; ) {
    await wait(seconds * 1_000, signal);
    if (signal.aborted) throw new Exit("fault", "Canceled.");
    const response = await post(options, endpoints.token, {
      ...{ client_id: clientId, device_code: code, grant_type: grantType },
    });
    if (response.status === 200) return toProfile(url, response);
    const { error, interval } = response.body;
    if (error === "slow_down") seconds = Number(interval ?? seconds + 5);
    else if (error === "access_denied") throw new Exit("notAllowed", "The sign-in was denied.");
    else if (error === "expired_token")
      throw new Exit("fault", "No one allowed it in time. Try again.");
    else if (error !== "authorization_pending" && response.status !== 503)
      throw new Exit("fault", describe(response));
  }
}

async function findEndpoints({ url, fetch, signal }: SignIn): Promise<Endpoints> {
  const path = "/.well-known/oauth-authorization-server";
  const metadata = await read(
    fetch(new Request(`${url}${path}`, { redirect: "error", signal })),
    url,
  );
  const device = String(metadata.body.device_authorization_endpoint);
  const token = String(metadata.body.token_endpoint);
  if (metadata.status !== 200 || !URL.canParse(device) || !URL.canParse(token))
    throw new Exit("fault", `${url} isn't a Catchment server: it has no ${path}.`);
  const other = [device, token].find((endpoint) => new URL(endpoint).origin !== url);
  if (other === undefined) return { device, token };
  const known = new URL(other).origin;
  throw new Exit("fault", `This server calls itself ${known}. Run: ${invocation} login ${known}`);
}

/** Forgets a token on the server (RFC 7009). */
export async function revoke(profile: Profile, fetch: Fetch, signal: AbortSignal): Promise<void> {
  const { url, token } = profile;
  await post({ url, fetch, signal }, `${url}/oauth/revoke`, { client_id: clientId, token });
}

async function post(
  { url, fetch, signal }: Pick<SignIn, "url" | "fetch" | "signal">,
  endpoint: string,
  form: Readonly<Record<string, string>>,
): Promise<Received> {
  const request = new Request(endpoint, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams(form).toString(),
    redirect: "error",
    signal,
  });
  return await read(fetch(request), url);
}

async function read(pending: Promise<Response>, url: string): Promise<Received> {
  const response = await pending.catch((error: unknown) => {
    throw new Exit("fault", `No connection to ${url}: ${explainConnection(error)}`);
  });
  const text = await response.text();
  try {
    return { status: response.status, body: Object(JSON.parse(text)) };
  } catch {
    return { status: response.status, body: {} };
  }
}

function describe({ status, body }: Received): string {
  return String(body.error_description ?? body.error ?? `The server responded ${status}.`);
}

/** The server takes letters, digits, dots, hyphens, and underscores. */
function nameHost(): string {
  return (
    hostname()
      .replace(/[^\w.-]/g, "-")
      .slice(0, 64) || "unknown"
  );
}

type NewProfile = Profile & { readonly expiresAt: string };

function toProfile(url: string, { body }: Received): NewProfile {
  const account = body.account as Profile["account"];
  const expiresAt = new Date(Date.now() + Number(body.expires_in) * 1_000).toISOString();
  return { url, token: String(body.access_token), account, expiresAt };
}
