import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** A client certificate that ends soon, or has expired. */
type EndingCertificate = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly name: string;
  readonly origin: string;
  readonly expiresAt: string;
  readonly hasExpired: boolean;
};

/** Client certificates that calls use and that end within 30 days. */
export async function findEndingCertificates(
  db: SqlStatements,
): Promise<readonly EndingCertificate[]> {
  return await db.$queryRaw<EndingCertificate[]>`
    select c.account_id as "accountId", c.id as "credentialId", c.name, c.origin, c.settings->>'expiresAt' as "expiresAt",
      (c.settings->>'expiresAt')::timestamptz <= now() as "hasExpired"
    from credentials c join accounts a on a.id = c.account_id and a.deleted_at is null
    where c.kind = 'certificate' and (c.settings->>'expiresAt')::timestamptz < now() + interval '30 days'
      and (
        exists (select from subscriptions s where s.credential_id = c.id)
        or exists (
          select from actions n join hooks h on h.id = n.hook_id
          where n.account_id = c.account_id and n.deleted_at is null and h.deleted_at is null and (
            n.credential_ids @> array[c.id]
            or n.destination_ids && array(select d.id from destinations d where d.account_id = c.account_id and d.credential_id = c.id)
          )
        )
      )
    order by c.account_id, c.id`;
}

type CertificateProblem = {
  readonly accountId: string;
  readonly key: string;
  readonly expiresAt: string;
  readonly hasExpired: boolean;
};

/** The problems of certificates that aren't over. */
export async function listCertificateProblems(
  db: SqlStatements,
): Promise<readonly CertificateProblem[]> {
  return await db.$queryRaw<CertificateProblem[]>`
    select account_id as "accountId", key, details->>'expiresAt' as "expiresAt",
      (details->>'hasExpired')::boolean as "hasExpired"
    from problems where kind = 'certificate' and state <> 'resolved'`;
}
