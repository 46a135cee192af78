import { cookies, headers } from "next/headers";
import type { Browser } from "#lib/services/account/passwords.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { readClientKey } from "#lib/web/request/request-origin.ts";
import { deviceCookie, readDeviceToken } from "./device-token.ts";

/** The browser that sent the request, for the rate limit of passwords and the list of sessions. */
export async function readBrowser(): Promise<Browser> {
  const { isHttps, sessionSecret } = serverContext();
  const sent = await headers();
  const cookie = (await cookies()).get(deviceCookie(isHttps).name)?.value;
  return {
    userAgent: sent.get("user-agent") ?? "",
    address: readClientKey(sent),
    findDevice: (email) => readDeviceToken(cookie, email, sessionSecret),
  };
}
