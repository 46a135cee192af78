import { expect, it } from "vitest";
import { addAccount } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { readCatalogType, readPublicCatalog } from "./event-types.ts";

const { db } = withDatabase();

it("the public catalog shows as many event types as an account may have", async () => {
  const accountId = await addAccount(db);
  const names = Array.from({ length: 2_000 }, (_, at) => `order.n${String(at).padStart(4, "0")}`);
  await db.eventType.createMany({
    data: names.map((name) => ({ accountId, name, schema: { title: name } })),
  });
  await db.senderSettings.create({ data: { accountId, isCatalogPublic: true } });
  const { slug } = await db.account.findUniqueOrThrow({ where: { id: accountId } });
  const context = testContext(db, accountId);
  const catalog = await readPublicCatalog(context, slug);
  expect(catalog?.entries.map(({ name }) => name)).toEqual(names);
  expect(await readCatalogType(context, accountId, "order.n1999")).toMatchObject({
    schema: '{"title":"order.n1999"}',
    example: null,
  });
});
