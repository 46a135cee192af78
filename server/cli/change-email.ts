import { log } from "#lib/base/log.ts";
import { changeEmail } from "#lib/db/accounts/users.ts";
import { createDatabase, type Transaction } from "#lib/db/postgres/client.ts";
import { verifyEmail } from "#lib/db/sign-in/email-changes.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { commandActor, requireSealer } from "./frame/audit-command.ts";
import type { CommandInput, ExitCode } from "./frame/command.ts";
import { withDatabase } from "./frame/database-access.ts";

/**
 * Gives a user another email, which counts as theirs: anyone who runs this machine says so. Ends their sessions. For
 * servers that send no email, where no one can confirm one.
 */
export async function runChangeEmail(input: CommandInput): Promise<ExitCode> {
  const [before = "", after = ""] = input.operands.map(requireEmail);
  const context = { before, after, event: "user.email.changed" };
  await change(input, context, async (tx, userId) => {
    if (!(await changeEmail(tx, { userId, sessionId: null }, after)))
      throw new StartError(`Another user has the email ${after}.`);
  });
  input.output.note(`\n  ${before} signs in as ${after} from now on. All sessions have ended.\n`);
  return 0;
}

/** Records that the email of a user is theirs, so that single sign-on may link them by it. */
export async function runConfirmEmail(input: CommandInput): Promise<ExitCode> {
  const [email = ""] = input.operands.map(requireEmail);
  await change(input, { before: email, after: email, event: "user.email.confirmed" }, verifyEmail);
  input.output.note(`\n  ${email} is confirmed.\n`);
  return 0;
}

function requireEmail(given: string): string {
  const parsed = emailSchema.safeParse(given);
  if (!parsed.success) throw new StartError(`${given} is not an email address.`);
  return parsed.data;
}

type Change = { readonly before: string; readonly after: string; readonly event: string };

async function change(
  input: CommandInput,
  { before, after, event }: Change,
  work: (tx: Transaction, userId: string) => Promise<void>,
): Promise<void> {
  const env = input.readEnv();
  await withDatabase(env, async (access) => {
    // Reports in one sentence what is wrong with the database address.
    await withConnection(access.url, async () => undefined);
    const sealer = requireSealer(env, access);
    const db = createDatabase({ url: access.url, poolSize: 1, applicationName: "catchment email" });
    try {
      await db.$transaction(async (tx) => {
        const user = await tx.user.findUnique({ where: { email: before }, select: { id: true } });
        if (user === null)
          throw new StartError(`No user has the email ${before}: check its spelling.`);
        await work(tx, user.id);
        const targets = [{ type: "user", id: user.id, name: after }];
        const states =
          before === after ? {} : { before: { email: before }, after: { email: after } };
        for (const { accountId } of await listMemberships(tx, user.id)) {
          const context = { db, sealer, actor: commandActor(accountId), now: () => new Date() };
          await audit(context, { event, targets, ...states }, tx);
        }
      });
      log.info("email.confirmed", { by: "command line" });
    } finally {
      await db.$disconnect();
    }
  });
}
