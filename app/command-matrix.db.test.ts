import { beforeAll, expect, it } from "vitest";
import { commandLines as lines, type Place } from "#lib/web/testing/command-lines.ts";
import { addPlace, type Command, loadCommands, snapshot } from "#lib/web/testing/command-place.ts";
import { setBrowserToken } from "#lib/web/testing/next-headers.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/**
 * The test covers every command of the dashboard × the token of a portal link, as every cookie, as
 * the bearer, and wherever a command expects a token. A command that is added without a line in
 * `command-lines.ts` fails the first test.
 */
const api = withApi();

/** Commands of the editor, which say that there is no session, because a redirect would lose text. */
const staysOnPage = new Set([
  "listDeliveriesCommand",
  "listGroupResultsCommand",
  "listVersionsCommand",
  "previewStepCommand",
  "proposeExampleCommand",
  "readBacktestCommand",
  "readPayloadCommand",
  "readTrierCommand",
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
  "confirmRecipientEmailCommand",
  "endRecipientEmailCommand",
  "joinCommand",
  "requestPasswordResetCommand",
  "resetPasswordCommand",
  "finishSignInCommand",
  "finishPasskeySignInCommand",
  // It says nothing about anyone.
  "startPasskeySignInCommand",
]);

let commands: ReadonlyMap<string, Command>;
let place: Place;
let before: Awaited<ReturnType<typeof snapshot>>;

beforeAll(async () => {
  commands = await loadCommands();
  place = await addPlace(api);
  setBrowserToken(place.token);
  before = await snapshot(api);
});

it("every command of the dashboard is in this matrix", () => {
  expect([...commands.keys()].toSorted()).toEqual(Object.keys(lines).toSorted());
});

it.each(Object.keys(lines))("%s refuses a portal token", async (name) => {
  const called = commands.get(name)?.(...(lines[name]?.(place) ?? []));
  // Its arguments were right: those are checked before the session.
  if (isPublic.has(name))
    await expect(called).resolves.toMatchObject({ ok: name === "startPasskeySignInCommand" });
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
});

it("none of them changed anything", async () => expect(await snapshot(api)).toEqual(before));
