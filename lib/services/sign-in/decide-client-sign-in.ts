import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { listAccounts } from "#lib/db/accounts/accounts.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { insertAuthorizationCode } from "#lib/db/sign-in/authorization-codes.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { markClientUsed } from "#lib/db/sign-in/oauth-clients.ts";
import { apiScopeSchema } from "#lib/schema/account/api-token.ts";
import {
  askedAccessSchema,
  askedScopeSchema,
  askingClientSchema,
  clientTokenDays,
  isLoopbackUri,
  isOwnResource,
  matchesRedirectUri,
  mcpResource,
  redirectUriSchema,
} from "#lib/schema/account/client-sign-in.ts";
import { limitScopes } from "#lib/schema/account/permissions.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { auditPerson, requireUser } from "#lib/services/account/person.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { resolveClient } from "./find-client.ts";

/** The query of an authorization request, as it came. */
const askedQuery = z.record(z.string(), z.union([z.string(), z.array(z.string())]).readonly());

/**
 * The facts to see before deciding about the sign-in of a program. A request that can't be allowed says why; where the
 * program can learn that, it has the URL of it. Nothing is sent anywhere until the person clicks.
 */
export const readClientSignIn = service({
  permission: "profile:write",
  input: z.strictObject({ query: askedQuery }),
  run: async (context, { query }) => {
    const { db, actor, now } = context;
    const user = requireUser(actor);
    const read = await readAsked(context, query);
    if (!read.ok) return read;
    const { asked } = read;
    const [accounts, memberships] = await Promise.all([
      listAccounts(db, user.userId),
      listMemberships(db, user.userId),
    ]);
    const { clientName, documentHost, redirectUri, scopes } = asked;
    return {
      ok: true as const,
      ...{ clientName, documentHost },
      /** Where the access goes. Null: to a program on the person's own machine. */
      redirectHost: isLoopbackUri(redirectUri) ? null : new URL(redirectUri).host,
      tokenExpiresAt: new Date(now().getTime() + clientTokenDays * 86_400_000),
      accountId: user.accountId,
      accounts: accounts.flatMap(({ id, name }) => {
        const role = memberships.find(({ accountId }) => accountId === id)?.role;
        if (role === undefined) return [];
        const given = limitScopes(scopes, role);
        const missing = scopes.filter((scope) => !given.includes(scope));
        return [{ id, name, role, scopes: given, missing }];
      }),
    };
  },
});

/**
 * Lets the program have a token of the person, with the scopes that they chose of those that it asked for, as far as
 * their role allows. Returns the URL that brings the code to it.
 */
export const allowClientSignIn = service({
  permission: "profile:write",
  input: z.strictObject({
    query: askedQuery,
    accountId: z.uuid(),
    scopes: z.array(apiScopeSchema).max(100),
  }),
  run: async (context, { query, accountId, scopes: chosen }): Promise<string> => {
    const user = requireUser(context.actor);
    const asked = await requireAsked(context, query);
    return await context.db.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const memberships = await listMemberships(tx, user.userId);
      const role = memberships.find((each) => each.accountId === accountId)?.role;
      if (role === undefined)
        throw new AppError("not_found", "You don't belong to this account any more.");
      const scopes = limitScopes(asked.scopes, role).filter((scope) => chosen.includes(scope));
      if (scopes.length === 0)
        throw new AppError(
          "forbidden",
          "Choose what it may do: your role allows none of the rest.",
        );
      const allowed = { ...asked, userId: user.userId, scopes };
      const code = await insertAuthorizationCode(tx, accountId, allowed);
      await markClientUsed(tx, asked.clientId);
      const actor = { ...user, accountId, role };
      const after = { ...describeAsked(asked), scopes };
      const entry = { event: "client_sign_in.allowed", targets: [toTarget(asked)] };
      await audit({ ...context, actor }, { ...entry, before: {}, after }, tx);
      return respondTo(context, asked, { code });
    });
  },
});

/** Gives the program nothing, and returns the URL that tells it so. The log of each of the person's accounts has it. */
export const denyClientSignIn = service({
  permission: "profile:write",
  input: z.strictObject({ query: askedQuery }),
  run: async (context, { query }): Promise<string> => {
    const user = requireUser(context.actor);
    const asked = await requireAsked(context, query);
    await context.db.$transaction(async (tx) => {
      const entry = { event: "client_sign_in.denied", targets: [toTarget(asked)] };
      const after = { ...describeAsked(asked), scopes: asked.scopes };
      await auditPerson(context, user, { ...entry, before: {}, after }, tx);
    });
    return respondTo(context, asked, { error: "access_denied" });
  },
});

/** An authorization request that a person can decide about. */
type Asked = {
  readonly clientId: string;
  readonly clientName: string;
  /** The host of the client's own document, which proves the host. Null: it registered, and nothing is proven. */
  readonly documentHost: string | null;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
  /** What the token is for (RFC 8707). */
  readonly resource: string;
  readonly scopes: readonly ApiScope[];
};

type ReadAsked =
  | { readonly ok: true; readonly asked: Asked }
  | {
      readonly ok: false;
      readonly message: string;
      /** Tells the program, and where that is. Null: no one knows where to. */
      readonly back: { readonly url: string; readonly host: string } | null;
    };

type Query = z.output<typeof askedQuery>;

async function readAsked(context: ServiceContext, query: Query): Promise<ReadAsked> {
  const { publicUrl } = context.env;
  const asking = askingClientSchema.safeParse(query);
  if (!asking.success)
    return {
      ok: false,
      message: "The program's link is incomplete. Start again there.",
      back: null,
    };
  const { client_id: clientId, redirect_uri: redirectUri, state } = asking.data;
  const found = await resolveClient(context, clientId);
  if (!found.ok) return { ok: false, message: found.message, back: null };
  const { client } = found;
  const isKnown = client.redirectUris.some((uri) => matchesRedirectUri(uri, redirectUri));
  if (!isKnown || !redirectUriSchema(publicUrl).safeParse(redirectUri).success)
    return {
      ok: false,
      message: "The link would bring your access to an address that the program didn't register.",
      back: null,
    };
  const documentHost = clientId.startsWith("https:") ? new URL(clientId).host : null;
  const { host } = new URL(redirectUri);
  const named = { clientId, documentHost, clientName: client.name ?? documentHost ?? host };
  const access = readAccess(query, publicUrl);
  if (access.ok) return { ok: true, asked: { ...named, redirectUri, state, ...access } };
  const { error, message } = access.fault;
  const url = respondTo(context, { redirectUri, state }, { error });
  return { ok: false, message, back: { url, host } };
}

/** An error for the program (RFC 6749 §4.1.2.1), and the same for the person. */
type Fault = { readonly error: string; readonly message: string };

type ReadAccess =
  | ({ readonly ok: true } & Pick<Asked, "codeChallenge" | "resource" | "scopes">)
  | { readonly ok: false; readonly fault: Fault };

function readAccess(query: Query, publicUrl: string): ReadAccess {
  const reject = (error: string, message: string): ReadAccess => ({
    ...{ ok: false, fault: { error, message } },
  });
  const access = askedAccessSchema.safeParse(query);
  if (!access.success) return { ok: false, fault: explainAccess(query) };
  const { code_challenge: codeChallenge, resource = mcpResource(publicUrl) } = access.data;
  if (!isOwnResource(resource, publicUrl))
    return reject("invalid_target", "The program asks for access to another server.");
  const scopes = askedScopeSchema.safeParse(query.scope);
  if (!scopes.success)
    return reject("invalid_scope", "The program asks for permissions that don't exist here.");
  return { ok: true, codeChallenge, resource: mcpResource(publicUrl), scopes: scopes.data };
}

function explainAccess({ response_type: type }: Query): Fault {
  if (type !== undefined && type !== "code")
    return {
      error: "unsupported_response_type",
      message: "The program wants its access in a way that this server doesn't offer.",
    };
  return {
    error: "invalid_request",
    message:
      "The program doesn't protect its sign-in with PKCE (S256), which this server requires.",
  };
}

async function requireAsked(context: ServiceContext, query: Query): Promise<Asked> {
  const read = await readAsked(context, query);
  if (read.ok) return read.asked;
  throw new AppError("invalid_request", read.message);
}

/** The program's URL with a response (RFC 6749 §4.1.2), which says whose it is (RFC 9207). */
function respondTo(
  { env }: ServiceContext,
  { redirectUri, state }: Pick<Asked, "redirectUri" | "state">,
  fields: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    ...fields,
    ...(state !== undefined && { state }),
    iss: env.publicUrl,
  });
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}

function describeAsked({ clientId, redirectUri }: Asked) {
  return { clientId, redirectUri };
}

function toTarget({ clientId, clientName }: Asked) {
  return { type: "oauth_client", id: clientId, name: clientName };
}
