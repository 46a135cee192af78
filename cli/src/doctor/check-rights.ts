import { CatchmentError } from "../../../clients/typescript/src/errors.ts";
import type { Client } from "../../../clients/typescript/src/index.ts";
import { failure, ok, type Result, warning } from "../../../lib/base/command-line/finding.ts";
import type { Connection } from "../account/connect.ts";
import { invocation } from "../frame/invocation.ts";

const soonMs = 7 * 86_400_000;

/** Whether the server knows the token, and until when. */
export async function checkToken(
  { url, client }: Connection,
  expiresAt: string | undefined,
): Promise<Result[]> {
  const again = `Run: ${invocation} login ${url}`;
  const error = await callForError(() => client.listAccounts());
  if (error?.status === 401) return [failure("The token was revoked or has expired.", again)];
  if (error !== null && error.status !== 403) return [failure(error.message, "Try again.")];
  if (expiresAt === undefined) return [ok("The server knows the token.")];
  const until = `The token works until ${expiresAt.slice(0, 10)}`;
  const isSoon = Date.parse(expiresAt) - Date.now() < soonMs;
  return [isSoon ? warning(`${until}.`, again) : ok(`${until}.`)];
}

/** No account has it, so that a call that would change something says 404. */
const unknownId = "00000000-0000-7000-8000-000000000000";

/** Commands, and a call that shows whether they are allowed. None changes anything. */
const probes: readonly (readonly [commands: string, (client: Client) => Promise<unknown>])[] = [
  ["hooks, actions", (client) => client.listHooks({ limit: 1 })],
  ["deliveries, tail, why, listen", (client) => client.listDeliveries({ limit: 1 })],
  ["replay", (client) => client.replayDelivery({ id: unknownId })],
  ["trigger, actions enable", (client) => client.updateAction({ id: unknownId, enabled: true })],
  ["events publish", (client) => client.publishEvent({ type: "", data: null })],
];

/** What the token may do now: its scopes, within the role of its person. */
export async function checkRights({ url, client }: Connection): Promise<Result[]> {
  const results = await Promise.all(
    probes.map(async ([commands, call]) => {
      const error = await callForError(() => call(client));
      return error?.status === 403 ? `${commands}: ${error.message}` : null;
    }),
  );
  const missing = results.filter((text) => text !== null);
  if (missing.length === 0) return [ok("Every command is allowed.")];
  const change = `To get it, run: ${invocation} login ${url}`;
  return missing.map((text) => warning(text, change));
}

/** Null: it succeeded. */
async function callForError(call: () => Promise<unknown>): Promise<CatchmentError | null> {
  try {
    await call();
    return null;
  } catch (error) {
    if (error instanceof CatchmentError) return error;
    throw error;
  }
}
