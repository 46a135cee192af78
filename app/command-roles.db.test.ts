import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { isAtLeast, type Role, roles } from "#lib/schema/account/role.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { removeMember } from "#lib/services/members.ts";
import { writeSessionToken } from "#lib/web/auth/session-token.ts";
import { commandLines, type Place } from "#lib/web/testing/command-lines.ts";
import { addPlace, type Command, loadCommands, snapshot } from "#lib/web/testing/command-place.ts";
import { setBrowserToken } from "#lib/web/testing/next-headers.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/** Every command of the dashboard × every role, and everyone whose session counts no more. */
const api = withApi();

/** The commands that viewers run: reading, and what is their own. */
const viewers = new Set([
  "seeProblemsCommand",
  "allowClientSignInCommand",
  "denyClientSignInCommand",
  "allowDeviceSignInCommand",
  "denyDeviceSignInCommand",
  "readDeviceSignInCommand",
  "revokeOwnTokenCommand",
  "addPasskeyCommand",
  "cancelEmailChangeCommand",
  "changePasswordCommand",
  "checkIdentityCommand",
  "checkTransformCommand",
  "checkVersionCommand",
  "confirmEmailCommand",
  "confirmTwoFactorCommand",
  "countAcceptCommand",
  "countBulkCommand",
  "endSessionCommand",
  "leaveAccountCommand",
  "listDeliveriesCommand",
  "listGroupResultsCommand",
  "listVersionsCommand",
  "previewStepCommand",
  "previewTransformCommand",
  "proposeExampleCommand",
  "readActionPlotsCommand",
  "readArrivedEventCommand",
  "readBacktestCommand",
  "readExampleCommand",
  "readHookContentsCommand",
  "readHookPlotsCommand",
  "readPayloadCommand",
  "readSendPlotsCommand",
  "readSentEventCommand",
  "readTrierCommand",
  "removePasskeyCommand",
  "renamePasskeyCommand",
  "renewRecoveryCodesCommand",
  "saveProfileCommand",
  "sendEmailLinkCommand",
  "showChangesCommand",
  "signOutEverywhereCommand",
  "startPasskeyCommand",
  "startTwoFactorCommand",
  "switchAccountCommand",
  "tallyEventFilterCommand",
  "tallyFilterCommand",
  "turnOffTwoFactorCommand",
]);

const admins = new Set([
  "readConfigurationFileCommand",
  "releaseManagedCommand",
  "deleteAuditReceiverCommand",
  "rotateAuditSecretCommand",
  "saveAuditReceiverCommand",
  "changeRoleCommand",
  "createChannelCommand",
  "createCredentialCommand",
  "createPublishTokenCommand",
  "createRuleCommand",
  "createTokenCommand",
  "deleteChannelCommand",
  "deleteCredentialCommand",
  "deleteRuleCommand",
  "inviteCommand",
  "removeMemberCommand",
  "renameAccountCommand",
  "resendInvitationCommand",
  "revokeInvitationCommand",
  "revokeTokenCommand",
  "saveCredentialCommand",
  "saveChannelCommand",
  "saveRuleCommand",
  "previewMaskedFieldsCommand",
  "saveMaskedFieldsCommand",
  "cancelErasureCommand",
  "removeErasureRuleCommand",
  "startErasureCommand",
  "saveSendingCommand",
  "setDefaultViewCommand",
  "testChannelCommand",
  "testSingleSignOnCommand",
]);

const owners = new Set(["createAccountCommand", "deleteAccountCommand", "transferAccountCommand"]);

/** The link authorizes them: see command-matrix. */
const isPublic = new RegExp(
  `^(${[
    ...["acceptAsNewPerson", "claimSetup", "confirmRecipientEmail", "endRecipientEmail"],
    ...["finishPasskeySignIn", "finishSignIn", "join", "requestPasswordReset", "resetPassword"],
    "startPasskeySignIn",
  ].join("|")})Command$`,
);

function leastRole(name: string): Role {
  if (owners.has(name)) return "owner";
  if (admins.has(name)) return "admin";
  return viewers.has(name) ? "viewer" : "member";
}

let commands: ReadonlyMap<string, Command>;
let place: Place;
/** Their commands change nothing, which is tested, so they serve all tests. */
let sessionless: readonly string[];
let idle: ReadonlyMap<Role, string>;
let cells = 0;
/** The same arguments, with ids of nothing: what a role may do then changes nothing. */
const nowhere = (): Place => {
  const ids = Object.keys(place).map((key) => [key, newId()]);
  return Object.fromEntries(ids) as Place;
};

beforeAll(async () => {
  commands = await loadCommands();
  place = await addPlace(api);
  // The account keeps an owner when others are removed.
  await addMember(api.db, api.account.id, "owner");
  const gone = await signIn("owner");
  const system = serviceContext({ type: "system", accountId: api.account.id });
  await removeMember(system, { id: gone.userId });
  const ended = await signIn("owner");
  await api.db.session.delete({ where: { id: ended.sessionId } });
  const expired = await signIn("owner", api.account.id, -1);
  sessionless = ["", gone.cookie, ended.cookie, expired.cookie, api.account.token];
  const people = roles.map(async (role) => [role, (await signIn(role)).cookie] as const);
  idle = new Map(await Promise.all(people));
});
afterAll(() => {
  process.stdout.write(`commands × identities: ${cells} cells\n`);
});

/** The cookie of a new person who has this role. */
async function signIn(role: Role, accountId = api.account.id, expiresInMs = 3_600_000) {
  const userId = await addMember(api.db, accountId, role);
  const sessionId = newId();
  const expiresAt = new Date(Date.now() + expiresInMs);
  await api.db.session.create({
    data: { id: sessionId, userId, accountId, expiresAt, userAgent: "" },
  });
  const { sessionSecret } = api.context;
  const cookie = await writeSessionToken({ sub: userId, sid: sessionId }, sessionSecret);
  return { userId, sessionId, cookie };
}

/** The value that a command returned, or its error, as text. */
async function run(name: string, cookie: string, at: Place): Promise<string> {
  setBrowserToken(cookie);
  cells += 1;
  try {
    return JSON.stringify(await commands.get(name)?.(...(commandLines[name]?.(at) ?? []))) ?? "";
  } catch (error) {
    const { digest, message } = error as { digest?: string; message: string };
    return digest ?? message;
  }
}

const names = Object.keys(commandLines).filter((name) => !isPublic.test(name));
const signedOut = /;\/sign-in;|;\/no-account;|Your session has ended|signed_out/;
const lacksRole = /Your role is \w+\./;

// A comparison of all rows takes longer than a command, so it is made once for all that are refused.
let before: Awaited<ReturnType<typeof snapshot>>;
describe("a command is refused", () => {
  beforeAll(async () => {
    before = await snapshot(api);
  });

  it.each(names)("%s to those whose role lacks its permission", async (name) => {
    for (const cookie of sessionless) expect(await run(name, cookie, place)).toMatch(signedOut);
    for (const role of roles.filter((one) => !isAtLeast(one, leastRole(name))))
      expect(await run(name, idle.get(role) ?? "", place)).toMatch(lacksRole);
  });

  it("and changes nothing", async () => expect(await snapshot(api)).toEqual(before));
});

it.each(names)(
  "%s answers those whose role has its permission",
  { tags: "variant" },
  async (name) => {
    for (const role of roles.filter((one) => isAtLeast(one, leastRole(name)))) {
      const { cookie } = await signIn(role);
      const result = await run(name, cookie, nowhere());
      expect(result).not.toMatch(lacksRole);
      if (!/(changePassword|endSession|leaveAccount|signOutEverywhere)Command/.test(name))
        expect(result).not.toMatch(signedOut);
    }
  },
);

it("commands of another account's owner change nothing here", { tags: "variant" }, async () => {
  const here = await snapshot(api, api.account.id);
  for (const name of names) {
    const other = await api.createAccount(`other-${newId()}`);
    const { cookie } = await signIn("owner", other.id);
    await run(name, cookie, place);
  }
  expect(await snapshot(api, api.account.id)).toEqual(here);
});
