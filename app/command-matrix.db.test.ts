import { globSync, readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { exportFormat } from "#lib/schema/action/transfer.ts";
import { createPortalLink } from "#lib/services/recipients/portal-links.ts";
import { createSubscription } from "#lib/services/subscriptions/create-subscription.ts";
import { sendTestEvent } from "#lib/services/subscriptions/send-test-event.ts";
import { serviceContext } from "#lib/web/request/server-context.ts";
import { setBrowserToken } from "#lib/web/testing/next-headers.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/**
 * The test covers every command of the dashboard × the token of a portal link, as every cookie, as
 * the bearer, and wherever a command expects a token. A command that is added without a line here
 * fails the first test.
 */
const api = withApi();

/** The targets of an attacker. */
type Place = Readonly<
  Record<"hook" | "action" | "delivery" | "run" | "event" | "subscription" | "id" | "token", string>
>;

const action = JSON.stringify({ name: "n", request: { method: "POST", url: "https://a.example" } });
const step = JSON.stringify({
  filter: null,
  step: { key: "a", kind: "call", request: { method: "GET", url: "https://a.example" } },
  formerKey: null,
  itemIndex: 0,
  earlier: [],
});
const published = JSON.stringify({ type: "a.b", data: {} });
const since = "2026-01-01T00:00:00Z";
const secret = "whsec_0123456789";
const password = "a long enough phrase";
const limits = { ratePerMinute: "", stopAfterFailures: "", trial: true };
const replay = {
  ...{ which: "all", as: "now", from: "", to: "" },
  ...limits,
};
const target = ({ hook, action: actionId }: Place) => ({ hookId: hook, actionId });

/** Valid arguments: everything is right except the session. */
const lines: Readonly<Record<string, (at: Place) => readonly unknown[]>> = {
  acceptAsNewPersonCommand: ({ token }) => [token, { name: "n", password }],
  acceptCommand: ({ delivery }) => [delivery],
  acceptSelectedCommand: ({ delivery }) => [[delivery]],
  addSecretCommand: ({ hook }) => [hook, { secret }],
  applyFixCommand: ({ delivery }) => [delivery, "other_secret"],
  cancelBacktestCommand: ({ id }) => [id],
  cancelJobCommand: ({ id }) => [id],
  pauseJobCommand: ({ id }) => [id],
  resumeJobCommand: ({ id }) => [id],
  cancelRunCommand: ({ run }) => [run],
  cancelSelectedRunsCommand: ({ run }) => [[run]],
  changeRoleCommand: ({ id }) => [id, "owner"],
  changePasswordCommand: () => [{ currentPassword: "x", newPassword: password }],
  checkIdentityCommand: ({ hook }) => [hook, "dedupe", { from: "body", path: "id" }],
  claimSetupCommand: ({ token }) => [
    token,
    { name: "n", email: "a@b.example", password, account: "mine" },
  ],
  countAcceptCommand: () => [{ status: "rejected" }],
  countBulkCommand: () => [{ status: "failed" }],
  createAccountCommand: () => [{ name: "n", slug: "mine" }],
  leaveAccountCommand: () => [],
  switchAccountCommand: ({ id }) => [id],
  createCredentialCommand: () => [
    { name: "n", origin: "https://a.example", auth: { type: "bearer", token: "0123456789abcdef" } },
  ],
  createDestinationCommand: () => [{ name: "n", origin: "https://a.example" }],
  createHookCommand: () => [{ name: "n", provider: "generic" }],
  createPortalLinkCommand: () => ["cust_1", { expiresInSeconds: 60, capabilities: ["resend"] }],
  createPublishTokenCommand: () => [],
  createSubscriptionCommand: () => [JSON.stringify({ receiverUrl: "https://a.example" })],
  createTokenCommand: () => [{ name: "n", scopes: ["hooks:read"], expiresInDays: null }],
  deleteActionCommand: (at) => [at.action],
  deleteCredentialCommand: ({ id }) => [id],
  deleteDeliveryCommand: ({ delivery }) => [delivery],
  deleteDestinationCommand: ({ id }) => [id],
  deleteEventTypeCommand: () => ["a.b"],
  deleteHookCommand: ({ hook }) => [hook],
  deleteRecipientCommand: () => ["cust_1"],
  deleteSubscriptionCommand: ({ subscription }) => [subscription],
  deleteViewCommand: ({ id }) => [id],
  disableSubscriptionCommand: ({ subscription }) => [subscription],
  dismissNoticeCommand: ({ id }) => [id],
  duplicateActionCommand: (at) => [at.action, {}],
  enableSubscriptionCommand: ({ subscription }) => [subscription],
  endPreviousCatchUrlsCommand: ({ hook }) => [hook],
  endSessionCommand: ({ id }) => [id],
  expireSecretCommand: ({ hook, id }) => [hook, id],
  inviteCommand: () => [{ email: "a@b.example", role: "owner" }],
  joinCommand: ({ token }) => [token],
  removeMemberCommand: ({ id }) => [id],
  resendInvitationCommand: ({ id }) => [id],
  revokeInvitationCommand: ({ id }) => [id],
  importEventTypesCommand: () => ["openapi: 3.1.0"],
  importActionCommand: (at) => [
    at.hook,
    JSON.stringify({
      format: exportFormat,
      name: "n",
      request: { method: "POST", url: "https://a.example" },
    }),
  ],
  discardDraftCommand: (at) => [target(at)],
  listDeliveriesCommand: (at) => [target(at), undefined],
  listVersionsCommand: (at) => [at.action],
  muteFailuresCommand: (at) => [{ actionId: at.action, reason: "mapping_failed" }],
  unmuteFailuresCommand: (at) => [{ actionId: at.action, reason: "mapping_failed" }],
  orderActionsCommand: (at) => [at.hook, [at.action]],
  previewStepCommand: (at) => [target(at), at.delivery, step],
  proposeExampleCommand: (at) => [
    target(at),
    at.delivery,
    JSON.stringify({ url: null, query: [], body: { kind: "none" } }),
  ],
  readBacktestCommand: ({ id }) => [id, { show: "", cursor: undefined }],
  previewEventCommand: () => [published],
  publishEventCommand: () => [published],
  readArrivedEventCommand: ({ event }) => [event],
  readExampleCommand: () => ["a.b"],
  readHandshakeSecretCommand: ({ hook }) => [hook],
  readHookContentsCommand: ({ hook }) => [hook],
  readPayloadCommand: (at) => [target(at), at.delivery],
  readSentEventCommand: ({ event }) => [event],
  recoverCommand: ({ subscription }) => [subscription, since, limits],
  renameAccountCommand: ({ id }) => [id, "stolen"],
  renameHookCommand: ({ hook }) => [hook, "stolen"],
  renameViewCommand: ({ id }) => [id, "n"],
  replaceViewCommand: ({ id }) => ["deliveries", id, {}],
  replayCommand: (at) => [at.delivery, [at.action]],
  replayMissingCommand: ({ subscription }) => [subscription, since, limits],
  replaySelectedCommand: ({ delivery }) => [[delivery]],
  requestPasswordResetCommand: () => [{ email: "a@b.example" }],
  resetPasswordCommand: ({ token }) => [token, { password }],
  resendEventCommand: ({ event }) => [event, false],
  resendToCommand: ({ event, subscription }) => [event, subscription],
  resolveStepCommand: ({ run }) => [run, { step: "a", item: null, as: "repeat" }],
  retryFromCommand: ({ run }) => [run, "a"],
  closeBreakerCommand: ({ action }) => [action],
  restoreVersionCommand: (at) => [at.action, 1],
  retrySelectedCommand: ({ delivery }) => [[delivery]],
  retrySelectedRunsCommand: ({ run }) => [[run]],
  retryRunCommand: ({ run }) => [run],
  revokePortalLinkCommand: ({ id }) => ["cust_1", id],
  revokeTokenCommand: ({ id }) => [id],
  rotateCatchUrlCommand: ({ hook }) => [hook, { expirePreviousAfterSeconds: 0 }],
  rotateSecretCommand: ({ hook }) => [hook, { secret, expirePreviousAfterSeconds: 0 }],
  rotateSubscriptionSecretCommand: ({ subscription }) => [
    subscription,
    { expirePreviousAfterSeconds: 0 },
  ],
  runStepCommand: (at) => [target(at), at.delivery, step],
  saveViewCommand: () => ["deliveries", "n", {}],
  saveActionCommand: (at) => [target(at), {}, action],
  saveCredentialCommand: ({ id }) => [id, { name: "stolen" }],
  saveDestinationCommand: ({ id }) => [id, { name: "stolen" }],
  saveEventTypeCommand: () => [JSON.stringify({ name: "a.b" })],
  saveHookCommand: ({ hook }) => [hook, { name: "stolen" }],
  saveProfileCommand: () => [{ name: "n", email: "a@b.example" }],
  saveRecipientCommand: () => [{ id: "cust_1", name: "stolen", metadata: {} }],
  saveSendingCommand: () => [{ portalName: "stolen" }],
  saveSubscriptionCommand: ({ subscription }) => [subscription, '{"description":"stolen"}'],
  sendTestCommand: ({ hook }) => [hook],
  sendTestEventCommand: ({ subscription }) => [subscription, "a.b"],
  setActionEnabledCommand: (at) => [at.action, false],
  setHookStatusCommand: ({ hook }) => [hook, "disabled"],
  showChangesCommand: (at) => [target(at), 1],
  showTestCommandCommand: ({ hook }) => [hook],
  signOutEverywhereCommand: () => [],
  startAcceptCommand: () => [{ status: "rejected" }, limits],
  startBacktestCommand: (at) => [
    target(at),
    { last: 100, from: "", to: "", against: null },
    action,
    {},
  ],
  startVersionBacktestCommand: (at) => [
    { actionId: at.action, version: 1 },
    { last: 100, from: "", to: "", against: null },
  ],
  storeDraftCommand: (at) => [target(at), { version: 1, revision: null, content: "{}" }],
  startBulkCommand: () => [{ status: "failed" }, limits],
  startReplayCommand: (at) => [target(at), replay],
  tallyEventFilterCommand: () => ['{"filter":null,"eventTypes":["a.b"],"recipient":null}'],
  tryReplayCommand: (at) => [target(at), replay],
  tallyFilterCommand: (at) => [target(at), '{"filter":null}'],
  verifyPendingCommand: ({ hook }) => [hook],
};

/** Commands of the editor, which say that there is no session, because a redirect would lose text. */
const staysOnPage = new Set([
  "listDeliveriesCommand",
  "listVersionsCommand",
  "previewStepCommand",
  "proposeExampleCommand",
  "readBacktestCommand",
  "readPayloadCommand",
  "runStepCommand",
  "saveActionCommand",
  "showChangesCommand",
  "startBacktestCommand",
  "tallyFilterCommand",
]);

/** Commands without a session, which something else authorizes. */
const isPublic = new Set([
  "acceptAsNewPersonCommand",
  "claimSetupCommand",
  "joinCommand",
  "requestPasswordResetCommand",
  "resetPasswordCommand",
]);

type Command = (...args: readonly unknown[]) => Promise<unknown>;
const commands: (readonly [name: string, command: Command])[] = [];
let place: Place;

beforeAll(async () => {
  const files = globSync("app/**/*.ts")
    .filter((path) => !path.startsWith("app/portal/"))
    .filter((path) => /^\s*["']use server["']/m.test(readFileSync(path, "utf8")));
  for (const path of files)
    if (!path.includes(".test."))
      for (const [name, command] of Object.entries(await import(`${process.cwd()}/${path}`)))
        commands.push([name, command as Command]);
  place = await addPlace();
  setBrowserToken(place.token);
});

async function addPlace(): Promise<Place> {
  const { db } = api.context;
  const accountId = api.account.id;
  const context = serviceContext({ type: "system", accountId });
  const { id: hook } = await api.createHook();
  const receiver = { receiverUrl: "http://127.0.0.1:65000/in", recipient: "cust_1" };
  const { subscription } = await createSubscription(context, receiver);
  const id = subscription.id;
  const { eventId, runId } = await sendTestEvent(context, { id, eventType: "a.b" });
  const { url } = await createPortalLink(context, { id: "cust_1" });
  return {
    hook,
    action: await api.createAction(hook),
    delivery: await storeDelivery(db, accountId, hook),
    run: runId,
    event: eventId,
    subscription: subscription.id,
    id: newId(),
    token: url.slice(url.lastIndexOf("/") + 1),
  };
}

/** Every row of every table. */
async function snapshot(): Promise<string> {
  const tables = await api.db.$queryRaw<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      api.db.$queryRawUnsafe(
        `select md5(string_agg(t::text, ' ' order by t::text)) from ${name} t`,
      ),
    ),
  );
  return JSON.stringify(rows);
}

it("every command of the dashboard is in this matrix", () => {
  expect(commands.map(([name]) => name).toSorted()).toEqual(Object.keys(lines).toSorted());
});

it.each(Object.keys(lines))("%s does nothing for a portal token", async (name) => {
  const before = await snapshot();
  const called = new Map(commands).get(name)?.(...(lines[name]?.(place) ?? []));
  // Its arguments were right: those are checked before the session.
  if (isPublic.has(name)) await expect(called).resolves.toMatchObject({ ok: false });
  else if (/^(store|discard)DraftCommand$/.test(name))
    await expect(called).resolves.toEqual({ kind: "signed_out" });
  else if (staysOnPage.has(name))
    await expect(called).resolves.toMatchObject({
      ok: false,
      message: expect.stringContaining("Your session has ended."),
    });
  else
    await expect(called).rejects.toMatchObject({
      digest: expect.stringMatching(/^NEXT_REDIRECT;.*;\/sign-in;/),
    });
  expect(await snapshot()).toBe(before);
});
