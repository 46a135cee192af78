import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { endAllSessions, findSessionUser, type SessionUser } from "#lib/db/accounts/sessions.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { deleteMember, setMemberRole } from "#lib/db/members/members.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { serveDownload } from "./serve-download.ts";

const api = withApi();
/** Three pages. */
const count = 500;

beforeAll(async () => {
  const { id: hookId } = await api.createHook();
  const hook = { id: hookId, accountId: api.account.id };
  await storeDeliveries(
    api.db,
    Array.from({ length: count }, () => newDelivery(hook)),
  );
});

async function addSession(): Promise<SessionUser> {
  const accountId = api.account.id;
  const userId = await addMember(api.db, accountId, "member");
  const sessionId = newId();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = { id: sessionId, userId, accountId, expiresAt, userAgent: "" };
  await api.db.session.create({ data: session });
  const user = await findSessionUser(api.db, { userId, sessionId });
  if (user === null) throw new Error("The session isn't there");
  return user;
}

/** The lines of a download whose first page was read before `change`. */
async function download(session: SessionUser, change: () => Promise<unknown>) {
  const url = "http://localhost/api/download?list=deliveries&format=ndjson";
  const reader = (await serveDownload(new Request(url), session)).body?.getReader();
  let text = "";
  for (let page = 0; ; page += 1) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += Buffer.from(value ?? []).toString();
    if (page === 0) await change();
  }
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it.each<[string, string, (session: SessionUser) => Promise<unknown>]>([
  ["signs out", "unauthenticated", ({ userId }) => endAllSessions(api.db, userId)],
  [
    "is removed",
    "unauthenticated",
    ({ accountId, userId }) => api.db.$transaction((tx) => deleteMember(tx, accountId, userId)),
  ],
  [
    "sees fields masked from now on",
    "forbidden",
    async ({ accountId, userId }) => {
      await api.db.account.update({ where: { id: accountId }, data: { maskedFields: ["email"] } });
      await api.db.$transaction((tx) => setMemberRole(tx, accountId, userId, "viewer"));
    },
  ],
])("a download ends once its person %s", async (_what, code, change) => {
  const session = await addSession();
  const rows = await download(session, () => change(session));
  expect([rows.length, rows.at(-1)]).toMatchObject([201, { error: { code } }]);
});

it("a download goes on when its person opens another account, or may do more", async () => {
  const session = await addSession();
  const { accountId, userId, sessionId } = session;
  const other = await api.createAccount("other");
  await api.db.membership.create({ data: { accountId: other.id, userId, role: "owner" } });
  const rows = await download(session, async () => {
    await api.db.session.update({ where: { id: sessionId }, data: { accountId: other.id } });
    await api.db.$transaction((tx) => setMemberRole(tx, accountId, userId, "admin"));
  });
  expect(rows).toHaveLength(count);
});
