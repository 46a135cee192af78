import { addMember } from "#lib/db/testing/test-member.ts";
import { deviceCodeGrant } from "#lib/schema/account/device-sign-in.ts";
import type { Role } from "#lib/schema/account/role.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  allowDeviceSignIn,
  readDeviceSignIn,
} from "#lib/services/sign-in/decide-device-sign-in.ts";
import {
  serveDeviceAuthorization,
  serveRevocation,
  serveToken,
} from "#lib/web/oauth/serve-oauth.ts";
import type { withApi } from "./with-api.ts";

type Fields = Readonly<Record<string, string>>;

/** The address of a tool, and of the person's browser. */
export const machine = "203.0.113.7";

/** The form of the client. */
export function oauthForm(fields: Fields = {}): string {
  return new URLSearchParams({ client_id: "catchment-cli", ...fields }).toString();
}

/** Sends a form to an endpoint, as a tool does. */
export async function sendForm(
  serve: (request: Request) => Promise<Response>,
  body: string,
  headers: Fields = {},
) {
  const request = new Request("https://hooks.example.test/oauth/x", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": machine,
      "user-agent": "catchment/1.0",
      ...headers,
    },
    body,
  });
  const response = await serve(request);
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: responses are compared with expectations
  const json: any = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: json };
}

export const ask = (fields: Fields = {}, address = machine) =>
  sendForm(serveDeviceAuthorization, oauthForm({ host_name: "ada-mbp.local", ...fields }), {
    "x-forwarded-for": address,
  });
export const poll = (code: string) =>
  sendForm(serveToken, oauthForm({ grant_type: deviceCodeGrant, device_code: code }));
export const revoke = (token: string) => sendForm(serveRevocation, oauthForm({ token }));

type Api = ReturnType<typeof withApi>;

/** A person with a browser, signed in. */
export async function addPerson(
  api: Api,
  role: Role,
  at: { accountId?: string; ip?: string } = {},
) {
  const { accountId = api.account.id, ip = machine } = at;
  const userId = await addMember(api.db, accountId, role);
  const email = `${userId}@example.com`;
  const user = { accountId, userId, email, role, sessionId: "", maskedFields: [] };
  const request = { ip, userAgent: "Firefox", requestId: null };
  return { userId, context: serviceContext({ type: "user", ...user }, request) };
}

/** Allows what the page shows. */
export async function allow(context: ServiceContext, code: string, accountId?: string) {
  const shown = await readDeviceSignIn(context, { code });
  const id = accountId ?? shown.accountId;
  const scopes = shown.accounts.find((account) => account.id === id)?.scopes ?? [];
  await allowDeviceSignIn(context, { code, accountId: id, scopes: [...scopes] });
}
