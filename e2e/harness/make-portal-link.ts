import { createHash, randomBytes } from "node:crypto";
import { connectTo } from "#e2e/harness/connect-to.ts";

type PortalLinkOptions = {
  readonly databaseUrl: string;
  /** The account's slug. */
  readonly slug: string;
  readonly recipient: string;
  /** Origins that may show the portal in a frame. */
  readonly origins: readonly string[];
};

/** Opens the portal to a recipient of an account. Returns the path of the link. */
export async function makePortalLink(options: PortalLinkOptions): Promise<string> {
  const { databaseUrl, slug, recipient, origins } = options;
  const token = `cpl_${randomBytes(18).toString("hex")}`;
  await using client = await connectTo(databaseUrl);
  await client.query(
    `with account as (
      select id from accounts where slug = $1
    ), known as (
      insert into recipients (account_id, id) select id, $2 from account on conflict do nothing
    ), settings as (
      insert into sender_settings (account_id, portal_name, portal_color, portal_origins)
      select id, 'Acme Billing', '#7c3aed', $3::text[] from account
      on conflict (account_id) do update set portal_origins = excluded.portal_origins
    ), described as (
      insert into event_types (account_id, name, description, example)
      select id, 'invoice.paid', 'A customer has paid an invoice.', '{"id":"in_42","amount":4200}' from account
      on conflict do nothing
    )
    select 1`,
    [slug, recipient, origins],
  );
  await client.query(
    `insert into portal_links (id, account_id, recipient, token_hash, capabilities, expires_at)
    select gen_random_uuid(), id, $2, $3,
      '{subscriptions:read,subscriptions:write,events:read,resend}', now() + interval '1 hour'
    from accounts where slug = $1`,
    [slug, recipient, createHash("sha256").update(token).digest()],
  );
  return `/portal/${token}`;
}
