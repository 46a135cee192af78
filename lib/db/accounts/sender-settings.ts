import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { type SenderSettings, senderSettingsSchema } from "#lib/schema/send/settings.ts";
import {
  defaultSignatureHeaders,
  type SignatureHeaders,
} from "#lib/schema/send/signature-headers.ts";

/** Columns of `settings`, joined with `left join`. Without a row, these are the defaults. */
export const senderSettingsColumns = Prisma.sql`
  settings.portal_name as "portalName", settings.portal_color as "portalColor",
  settings.portal_logo as "portalLogo", coalesce(settings.portal_origins, '{}') as "portalOrigins",
  coalesce(settings.challenge_new_urls, false) as "challengeNewUrls",
  coalesce(settings.is_catalog_public, false) as "isCatalogPublic",
  coalesce(settings.signature_header, ${defaultSignatureHeaders.signatureHeader}) as "signatureHeader",
  coalesce(settings.catchment_signature, true) as "catchmentSignature",
  coalesce(settings.standard_webhooks_headers, true) as "standardWebhooksHeaders"`;

/** An account's settings for sending events: the defaults until it has saved some. */
export async function readSenderSettings(
  db: Database | Transaction,
  accountId: string,
): Promise<SenderSettings> {
  const omit = { accountId: true, updatedAt: true } as const;
  const saved = await db.senderSettings.findUnique({ where: { accountId }, omit });
  return saved ?? senderSettingsSchema.parse({});
}

/** The headers that sign an account's events. */
export async function readSignatureHeaders(
  db: Database | Transaction,
  accountId: string,
): Promise<SignatureHeaders> {
  const saved = await db.senderSettings.findUnique({
    where: { accountId },
    select: { signatureHeader: true, catchmentSignature: true, standardWebhooksHeaders: true },
  });
  return saved ?? defaultSignatureHeaders;
}

/** The account with a public catalog under this slug. Null: there is none, or it isn't public. */
export async function findPublicCatalog(
  db: Database,
  slug: string,
): Promise<{ readonly accountId: string; readonly accountName: string } | null> {
  const account = await db.account.findFirst({
    where: { slug, senderSettings: { isCatalogPublic: true } },
    select: { id: true, name: true },
  });
  return account === null ? null : { accountId: account.id, accountName: account.name };
}

export async function saveSenderSettings(
  db: Database | Transaction,
  accountId: string,
  { portalOrigins, ...settings }: SenderSettings,
): Promise<void> {
  const data = { ...settings, portalOrigins: [...portalOrigins], updatedAt: new Date() };
  await db.senderSettings.upsert({
    where: { accountId },
    create: { accountId, ...data },
    update: data,
  });
}
