import { connectTo } from "#e2e/harness/connect-to.ts";
import { startMailServer } from "#lib/net/testing/mail-server.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { makeScratchFolder } from "../harness/scratch-folder.ts";
import { makeAccess, startServer } from "../harness/server-under-test.ts";
import { startIdentityProvider } from "./identity-provider.ts";

export type SignInServer = Awaited<ReturnType<typeof startSignInServer>>;

/** Catchment with every way to sign in: a real identity provider and a real mail server beside it. */
export async function startSignInServer() {
  const mailServer = await startMailServer();
  const port = await findFreePort();
  // Passkeys belong to a host name: browsers make none for an address.
  const origin = `http://localhost:${port}`;
  const identityProvider = await startIdentityProvider(`${origin}/api/auth/callback/oidc`);
  const env = {
    CATCHMENT_OIDC_ISSUER: identityProvider.issuer,
    CATCHMENT_OIDC_CLIENT_ID: identityProvider.clientId,
    CATCHMENT_OIDC_CLIENT_SECRET: identityProvider.clientSecret,
    CATCHMENT_OIDC_NAME: "Acme ID",
    CATCHMENT_OIDC_ROLE_CLAIM: "groups",
    CATCHMENT_OIDC_ROLES: "hook-admins=admin, staff=member",
    CATCHMENT_OIDC_SIGN_UP: "true",
    CATCHMENT_PUBLIC_URL: origin,
    SMTP_URL: mailServer.url,
    CATCHMENT_MAIL_FROM: "Catchment <catchment@example.com>",
  };
  const folder = makeScratchFolder("sign-in-methods");
  const server = await startServer({ folder, port, env }, makeAccess());

  const query = async (sql: string, values: readonly unknown[] = []) => {
    await using client = await connectTo(server.databaseUrl());
    return (await client.query(sql, [...values])).rows;
  };
  return {
    ...{ origin, identityProvider, mailServer, query },
    async readRole(email: string): Promise<unknown> {
      const sql = "select role from memberships join users on users.id = user_id where email = $1";
      return (await query(sql, [email]))[0]?.role;
    },
    /** The audit log's entries about signing in, oldest first, with the way or the reason. */
    async readSignIns(): Promise<readonly string[]> {
      const rows = await query(
        `select event, changes->0->>'after' as way from audit_entries where event like 'user.%' order by seq`,
      );
      return rows.map(({ event, way }) => (way === null ? event : `${event} by ${way}`));
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await mailServer[Symbol.asyncDispose]();
      await identityProvider[Symbol.asyncDispose]();
    },
  };
}
