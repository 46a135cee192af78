import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { acrossAccounts } from "./across-accounts.ts";
import { bindsAccount, readOwned, tablesIn } from "./binds-account.ts";
import { type DescribedColumn, describeStatement } from "./describe-statement.ts";
import { type FoundStatement, findQueries } from "./find-statements.ts";
import { findReachedByPeople } from "./reached-by-people.ts";

/**
 * Statements that are put together at run time: of weeks, of tables, of an action's options. Their
 * own tests run them.
 */
const putTogetherAtRunTime = [
  "lib/db/accounts/purge-accounts.ts",
  "lib/db/actions/actions.ts",
  "lib/db/archive/archived-weeks.ts",
  "lib/db/archive/drop-weeks.ts",
  "lib/db/archive/keep-rows.ts",
  "lib/db/audit/list-entries.ts",
  "lib/db/deliveries/count-deliveries.ts",
  "lib/db/deliveries/delete-delivery.ts",
  "lib/db/deliveries/find-delivery-ids.ts",
  "lib/db/deliveries/new-deliveries.ts",
  "lib/db/deliveries/retention/rejected-retention.ts",
  "lib/db/deliveries/retention/retention.ts",
  "lib/db/deliveries/retention/strays.ts",
  "lib/db/deliveries/store-deliveries.ts",
  "lib/db/erasures/read-arrived.ts",
  "lib/db/erasures/scan-place.ts",
  "lib/db/events/new-events.ts",
  "lib/db/events/queue-sends.ts",
  "lib/db/events/store-events.ts",
  "lib/db/events/store-test-event.ts",
  "lib/db/hooks/hook-retention.ts",
  "lib/db/hooks/purge-hooks.ts",
  "lib/db/queue/claim/claim-runs.ts",
  "lib/db/queue/load-run-inputs.ts",
  "lib/db/replays/scan-replayed.ts",
  "lib/db/runs/bulk-jobs.ts",
  "lib/db/runs/count-by-reason.ts",
  "lib/db/seal/sealed-values.ts",
  "lib/db/usage/count-usage.ts",
  "lib/db/usage/list-usage.ts",
  "lib/db/usage/rename-usage.ts",
];

const { url } = withDatabase();
const { statements, modelCalls } = findQueries(process.cwd());
let client: Client;
beforeAll(async () => {
  client = new Client({ connectionString: url });
  await client.connect();
  // An installation that was upgraded from a table without partitions still has the old one.
  await client.query("create table runs_before (like runs)");
});
afterAll(() => client.end());

it("every statement but those of the list is read from the code", () => {
  const files = statements.flatMap(({ place, unreadable }) =>
    unreadable === undefined ? [] : place.replace(/:\d+$/, ""),
  );
  expect([...new Set(files)].toSorted()).toEqual(putTogetherAtRunTime);
  expect(statements.length - files.length).toBeGreaterThan(200);
});

it("PostgreSQL prepares every statement, and its columns have the types that the code gives them", async () => {
  const wrong: string[] = [];
  for (const { place, texts, columns } of statements) {
    for (const text of texts) {
      const found = await describeStatement(client, text).catch((error: Error) => error);
      if (found instanceof Error) wrong.push(`${place}: ${found.message}\n${text}`);
      else if (columns !== null) wrong.push(...compare(place, columns, found));
    }
  }
  expect(wrong.join("\n")).toBe("");
});

it("every query that a person can reach binds the account, or is listed with why it needn't", () => {
  const { tables, models } = readOwned(readFileSync("prisma/schema.prisma", "utf8"));
  const reached = findReachedByPeople();
  const textsOf = (found: FoundStatement) =>
    found.unreadable === undefined ? found.texts : [found.source];
  const unbound = [
    ...statements.filter((statement) =>
      textsOf(statement).some(
        (text) => tablesIn(text).some((name) => tables.has(name)) && !bindsAccount(text),
      ),
    ),
    ...modelCalls.filter(({ model, isBound }) => models.has(model) && !isBound),
  ];
  const owners = new Set(unbound.map(({ owner }) => owner).filter((name) => reached.has(name)));
  expect([...owners].toSorted()).toEqual(Object.values(acrossAccounts).flat().toSorted());
  // It finds what people reach, and doesn't take everything for unbound.
  expect(modelCalls.filter(({ isBound }) => isBound).length).toBeGreaterThan(80);
  expect(statements.filter(({ owner }) => reached.has(owner)).length).toBeGreaterThan(150);
});

function compare(
  place: string,
  columns: ReadonlyMap<string, string>,
  described: readonly DescribedColumn[],
): string[] {
  const types = new Map(described.map(({ name, dataTypeID }) => [name, kinds[dataTypeID]]));
  return [...columns].flatMap(([name, kind]) => {
    const type = types.get(name);
    if (!types.has(name)) return `${place}: there is no column ${name}`;
    const fits = kind === "any" || type === kind || (type === "json" && /^object/.test(kind));
    return fits ? [] : `${place}: ${name} is ${type}, not ${kind}`;
  });
}

/** The JavaScript types that `read-rows.ts` makes of PostgreSQL's, by their object ids. */
const kinds: Record<number, string> = {
  16: "boolean",
  17: "Uint8Array",
  19: "string",
  20: "bigint",
  21: "number",
  23: "number",
  25: "string",
  26: "number",
  28: "number",
  114: "json",
  3802: "json",
  701: "number",
  1043: "string",
  1184: "Date",
  2950: "string",
  1007: "number[]",
  1009: "string[]",
  1016: "bigint[]",
  1185: "Date[]",
  2951: "string[]",
  1001: "Uint8Array[]",
};
