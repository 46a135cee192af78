import { cookies } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { classifyOidcError } from "#lib/core/people/sign-in/classify-oidc-error.ts";
import { sessionCookie } from "#lib/core/people/sign-in/session-cookie.ts";
import type { RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";
import { type ServerContext, serverContext } from "#lib/services/frame/server-context.ts";
import { recordSignIn, recordWrongPassword } from "#lib/services/sign-in/record-sign-in.ts";
import { endSession, type PasswordParts } from "#lib/services/sign-in/sessions.ts";
import { signInWithPassword } from "#lib/services/sign-in/sign-in-with-password.ts";
import { toOwnPath } from "#lib/web/request/own-path.ts";
import { readClientKey, readRequestOrigin } from "#lib/web/request/request-origin.ts";
import {
  deviceCookie,
  deviceMaxAgeSeconds,
  readDeviceToken,
  writeDeviceToken,
} from "./device-token.ts";
import { acceptOidcSignIn, oidcProvider, oidcProviderId } from "./oidc.ts";
import { startPendingSignIn } from "./pending-sign-in.ts";
import { isSessionToken, readSessionKeyOf, sessionMaxAgeSeconds } from "./session-token.ts";

declare module "next-auth" {
  interface User {
    sessionId: string;
  }
}

/**
 * The ways to sign in. The session is the same for all.
 *
 * @param onReason gets why the identity provider signed no one in, which next-auth only logs
 */
export function authOptions(onReason: (reason: RejectionReason) => void): NextAuthOptions {
  const context = serverContext();
  trustOnlyPublicUrl(context);
  const { env, isHttps, sessionSecret } = context;
  return {
    secret: sessionSecret,
    session: { strategy: "jwt", maxAge: sessionMaxAgeSeconds },
    useSecureCookies: isHttps,
    cookies: {
      sessionToken: sessionCookie(isHttps),
      csrfToken: { name: cookieName(isHttps, "csrf"), options: cookieOptions(isHttps) },
      callbackUrl: { name: cookieName(isHttps, "callback-url"), options: cookieOptions(isHttps) },
      // They last as long as the person may take at the identity provider.
      state: shortCookie(isHttps, "state"),
      nonce: shortCookie(isHttps, "nonce"),
      pkceCodeVerifier: shortCookie(isHttps, "pkce"),
    },
    pages: { signIn: "/sign-in", signOut: "/", error: "/sign-in" },
    providers: [passwordProvider(), ...(env.oidc === undefined ? [] : [oidcProvider(env.oidc)])],
    callbacks: {
      signIn: async ({ user, account, profile }) =>
        account?.provider !== oidcProviderId || (await acceptOidcSignIn(user, { ...profile })),
      redirect: ({ url, baseUrl }) =>
        `${baseUrl}${toOwnPath(url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url)}`,
      // The token has only what identifies the user. The rest is read from the database every time.
      jwt: ({ token, user }) =>
        user === undefined ? token : { use: "session", sub: user.id, sid: user.sessionId },
    },
    events: {
      // Ends this session in the database, so copies of the cookie die with it. Other browsers stay
      // signed in.
      async signOut({ token }) {
        if (!isSessionToken(token)) return;
        await endSession(context.db, token.sub, token.sid);
      },
    },
    logger: {
      error: (code, metadata) => {
        const error = toError(metadata);
        const text = error instanceof Error ? (error.stack ?? error.message) : error;
        logCounted("error", "auth.failed", { code }, { example: { error: text } });
        if (code.startsWith("OAUTH_CALLBACK")) onReason(classifyOidcError(messageOf(error)));
      },
      warn: (code) => logCounted("warn", "auth.warned", { code }),
      debug: () => {},
    },
  };
}

function passwordProvider() {
  return CredentialsProvider({
    id: "credentials",
    name: "Password",
    credentials: { email: {}, password: {} },
    async authorize(credentials, request) {
      const given = { email: credentials?.email, password: credentials?.password };
      // next-auth sends the message of this error to the browser, so it is a code, never one of our
      // errors.
      const result = await signInHere(given, new Headers(request.headers)).catch((error) => {
        log.error("sign_in.failed", { error: toError(error) });
        throw new Error("unavailable");
      });
      if (result.ok) return result.session;
      if (result.code === "second_factor") throw new Error("second_factor");
      if (result.code === "throttled") throw new Error(`throttled:${result.retryAfterSeconds}`);
      return null;
    },
  });
}

type Given = Readonly<Record<"email" | "password", unknown>>;

async function signInHere(given: Given, headers: Headers) {
  const context = serverContext();
  const { isHttps } = context;
  const jar = await cookies();
  const device = deviceCookie(isHttps);
  const signedIn = await signIn(context, given, {
    userAgent: headers.get("user-agent") ?? "",
    address: readClientKey(headers),
    sessionCookie: jar.get(sessionCookie(isHttps).name)?.value,
    deviceCookie: jar.get(device.name)?.value,
  });
  const audited = { ...context, request: readRequestOrigin(headers) };
  if (!signedIn.ok && signedIn.code === "second_factor") {
    await startPendingSignIn(signedIn.user);
    return signedIn;
  }
  if (!signedIn.ok) {
    // Not awaited: the time of the response must not tell whether someone has the email.
    void recordWrongPassword(audited, given).catch((error) => {
      log.error("sign_in.not_recorded", { error: toError(error) });
    });
    return signedIn;
  }
  await recordSignIn(audited, signedIn, "password");
  jar.set(device.name, signedIn.deviceToken, { ...device.options, maxAge: deviceMaxAgeSeconds });
  return { ok: true, session: { id: signedIn.userId, sessionId: signedIn.sessionId } } as const;
}

/**
 * next-auth reads its origin from the environment. A host name from a request must never become it.
 */
function trustOnlyPublicUrl({ env }: ServerContext): void {
  process.env.NEXTAUTH_URL = env.publicUrl;
  delete process.env.AUTH_TRUST_HOST;
  delete process.env.VERCEL;
}

function cookieName(isHttps: boolean, name: string): string {
  return `${isHttps ? "__Host-" : ""}catchment.${name}`;
}

function shortCookie(isHttps: boolean, name: string) {
  return {
    name: cookieName(isHttps, name),
    options: { ...cookieOptions(isHttps), maxAge: 15 * 60 },
  };
}

function cookieOptions(isHttps: boolean) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps } as const;
}

function messageOf(error: Error | string): string {
  return error instanceof Error ? error.message : error;
}

function toError(metadata: unknown): Error | string {
  if (metadata instanceof Error) return metadata;
  if (typeof metadata === "object" && metadata !== null && "error" in metadata)
    return toError(metadata.error);
  return "unknown";
}

/** The parts of a sign-in request besides email and password. */
type SignInBrowser = {
  readonly userAgent: string;
  readonly address: string | null;
  readonly sessionCookie: string | undefined;
  readonly deviceCookie: string | undefined;
};

/**
 * Signs in with an email and password and replaces this browser's session. `deviceToken` is for the
 * browser to store.
 */
export async function signIn(
  { sessionSecret, ...parts }: PasswordParts & Pick<ServerContext, "sessionSecret">,
  given: unknown,
  { userAgent, address, sessionCookie, deviceCookie }: SignInBrowser,
) {
  const signedIn = await signInWithPassword(parts, given, {
    userAgent,
    address,
    findDevice: (email) => readDeviceToken(deviceCookie, email, sessionSecret),
    findReplaced: () => readSessionKeyOf(sessionCookie, sessionSecret),
  });
  if (!signedIn.ok) return signedIn;
  return { ...signedIn, deviceToken: await writeDeviceToken(signedIn.email, sessionSecret) };
}
