import { createHash, randomBytes } from "node:crypto";
import { connectTo } from "#e2e/harness/connect-to.ts";

type TestAccount = {
  readonly slug: string;
  readonly email: string;
  readonly apiToken: string;
};

/** An account with its own owner and token, so that tests on a shared server share nothing else. */
export async function makeAccount(
  databaseUrl: string,
  slug: string,
  name: string,
): Promise<TestAccount> {
  const email = `owner@${slug}.example.com`;
  const apiToken = `test_${randomBytes(24).toString("hex")}`;
  await using client = await connectTo(databaseUrl);
  // Uses the password of the server's first owner: hashing another one would only take time.
  await client.query(
    `with account as (
      insert into accounts (id, slug, name) values (gen_random_uuid(), $1, $6) returning id
    ), owner as (
      insert into users (id, email, name, password_hash)
      select gen_random_uuid(), $2, 'Ada Lovelace', password_hash from users order by created_at limit 1 returning id
    ), membership as (
      insert into memberships (account_id, user_id, role) select account.id, owner.id, 'owner' from account, owner
    )
    insert into api_tokens (id, account_id, name, token_hash, hint, scopes)
    select gen_random_uuid(), account.id, 'of the test', $3, right($4, 4), $5::text[] from account`,
    [slug, email, createHash("sha256").update(apiToken).digest(), apiToken, scopes, name],
  );
  return { slug, email, apiToken };
}

const things = ["hooks", "deliveries", "events", "subscriptions", "account", "configuration"];
const scopes = things.flatMap((thing) => [`${thing}:read`, `${thing}:write`]);
