import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { SenderSettings } from "#lib/schema/sender/settings.ts";

/** Of `settings`, joined with `left join`. Without a row, these are the defaults. */
export const senderSettingsColumns = Prisma.sql`
  settings.portal_name as "portalName", settings.portal_color as "portalColor",
  settings.portal_logo as "portalLogo", coalesce(settings.portal_origins, '{}') as "portalOrigins",
  coalesce(settings.challenge_new_urls, false) as "challengeNewUrls",
  coalesce(settings.is_catalog_public, false) as "isCatalogPublic"`;

/** How an account sends. Defaults until it has saved something. */
export async function readSenderSettings(
  db: SqlStatements,
  accountId: string,
): Promise<SenderSettings> {
  const [row] = await db.$queryRaw<SenderSettings[]>`
    select ${senderSettingsColumns} from (values (${accountId}::uuid)) as account(id)
    left join sender_settings settings on settings.account_id = account.id`;
  if (row === undefined) throw new Error("PostgreSQL returned no settings");
  return row;
}

/** The account with a public catalog under this slug. Null: there is none, or it isn't public. */
export async function findPublicCatalog(
  db: SqlStatements,
  slug: string,
): Promise<{ readonly accountId: string; readonly accountName: string } | null> {
  const [row] = await db.$queryRaw<{ accountId: string; accountName: string }[]>`
    select a.id as "accountId", a.name as "accountName"
    from accounts a join sender_settings s on s.account_id = a.id
    where a.slug = ${slug} and s.is_catalog_public`;
  return row ?? null;
}

export async function saveSenderSettings(
  db: SqlStatements,
  accountId: string,
  settings: SenderSettings,
): Promise<void> {
  const { portalName, portalColor, portalLogo, portalOrigins } = settings;
  await db.$executeRaw`
    insert into sender_settings (
      account_id, portal_name, portal_color, portal_logo, portal_origins, challenge_new_urls, is_catalog_public, updated_at
    ) values (
      ${accountId}::uuid, ${portalName}, ${portalColor}, ${portalLogo}, ${[...portalOrigins]}::text[],
      ${settings.challengeNewUrls}, ${settings.isCatalogPublic}, now()
    )
    on conflict (account_id) do update set
      portal_name = excluded.portal_name, portal_color = excluded.portal_color, portal_logo = excluded.portal_logo,
      portal_origins = excluded.portal_origins, challenge_new_urls = excluded.challenge_new_urls,
      is_catalog_public = excluded.is_catalog_public, updated_at = excluded.updated_at`;
}
