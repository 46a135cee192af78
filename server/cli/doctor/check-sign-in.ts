import type { Client } from "pg";
import { type Finding, failure, ok, type Result, warning } from "#lib/base/command-line/finding.ts";
import type { OidcEnv } from "#lib/core/env/oidc-settings.ts";
import { checkIssuer, type IssuerCheck } from "#lib/net/sign-in/check-issuer.ts";

/** Asks the identity provider, and says which emails it vouches for. Nothing without one. */
export async function checkSignIn(oidc: OidcEnv | undefined, client: Client): Promise<Finding[]> {
  if (oidc === undefined) return [];
  const results = [
    evaluateIssuer(await checkIssuer(oidc)),
    evaluateEmails(oidc),
    ...(oidc.linksByEmail ? [evaluateUnconfirmed(await countUnconfirmed(client))] : []),
  ];
  return results.map((result) => ({ check: "Single sign-on", ...result }));
}

/** The second sentence says what to change. */
export function evaluateIssuer({ ok: isOk, message }: IssuerCheck): Result {
  if (isOk) return ok(message);
  const [what = "", change = ""] = message.split(/(?<=\.) (?=[^.]*\.$)/);
  return failure(what, change);
}

/** People who have no identity yet, and whom no sign-in can be linked with. */
async function countUnconfirmed(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from users u where email_verified_at is null
      and not exists (select 1 from identities i where i.user_id = u.id)`,
  );
  return rows[0]?.count ?? 0;
}

export function evaluateUnconfirmed(count: number): Result {
  if (count === 0) return ok("Everyone's email is confirmed, or known to the provider.");
  return warning(
    `${count} ${count === 1 ? "person has" : "people have"} an email that no one has confirmed, so ` +
      "CATCHMENT_OIDC_LINK_BY_EMAIL doesn't link them.",
    "Let them confirm it in their profile, or run npm run server -- confirm-email EMAIL.",
  );
}

export function evaluateEmails({
  issuer,
  allowedDomains,
  linksByEmail,
  trustsEmail,
}: Pick<OidcEnv, "issuer" | "allowedDomains" | "linksByEmail" | "trustsEmail">): Result {
  const needsVerified = allowedDomains.length > 0 || linksByEmail;
  if (trustsEmail)
    return ok(`Emails of ${issuer} count as verified, unless it says that they aren't.`);
  if (needsVerified && isEntraId(issuer))
    return warning(
      "Entra ID says nothing about an email, so CATCHMENT_OIDC_ALLOWED_DOMAINS lets no one in, and " +
        "CATCHMENT_OIDC_LINK_BY_EMAIL links no one.",
      "Add the optional claim xms_edov there, or set CATCHMENT_OIDC_TRUST_EMAIL=true if only your " +
        "administrators set emails.",
    );
  return ok(`Emails of ${issuer} count as verified if it says so.`);
}

function isEntraId(issuer: string): boolean {
  const host = URL.parse(issuer)?.hostname ?? "";
  return /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)$/.test(
    host,
  );
}
