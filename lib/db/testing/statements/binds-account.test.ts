import { expect, it } from "vitest";
import { bindsAccount, readOwned, tablesIn } from "./binds-account.ts";

it.each([
  "select from hooks where account_id = $1::uuid",
  "select from hooks h where h.id = $1 and h.account_id = any ($2::uuid[])",
  "select from deliveries where (account_id, id) < ($1::uuid, $2::uuid)",
  "insert into hooks (id, account_id) values ($1, $2)",
  "insert into hooks (id, account_id) values ($1, $2) on conflict (account_id, id) do update set name = $3",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template as it is in the code.
  "`update hooks set name = 'x' where account_id = ${accountId}::uuid`",
])("binds the account: %s", (sql) => {
  expect(bindsAccount(sql)).toBe(true);
});

it.each([
  "select from hooks where id = $1::uuid",
  "select account_id from hooks where id = $1",
  "select from hooks h join accounts a on a.id = h.account_id where h.id = $1",
  "select from hooks h join actions a on a.account_id = h.account_id where h.id = $1",
  "select from hooks where id = $1 -- and account_id = $2",
  "select from hooks where account_id <> $1",
  "select from hooks where account_id is not null and id = $1",
  "insert into hooks (id, account_id) select $1, account_id from hooks where id = $2",
  "with gone as (delete from hooks where id = $1) insert into hooks (id, account_id) values ($2, $3)",
])("doesn't bind the account: %s", (sql) => {
  expect(bindsAccount(sql)).toBe(false);
});

it("knows the tables of a statement", () => {
  const sql = `with gone as (delete from "hooks" where id = $1) update only actions set hook_id = null
    from gone join runs r on true`;
  expect(tablesIn(sql)).toEqual(["hooks", "actions", "gone", "runs"]);
});

it("knows what belongs to an account by its column, which is never null", () => {
  const schema = `model HookSecret {
  accountId  String    @map("account_id") @db.Uuid
  @@map("hook_secrets")
}

model Session {
  accountId String? @map("account_id")
  @@map("sessions")
}
`;
  const owned = readOwned(schema);
  expect([...owned.tables]).toEqual(["hook_secrets"]);
  expect([...owned.models]).toEqual(["hookSecret"]);
});
