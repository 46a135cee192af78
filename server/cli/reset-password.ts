import { randomInt } from "node:crypto";
import { log } from "#lib/base/log.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { listMemberships } from "#lib/db/sign-in/memberships.ts";
import { resetPassword } from "#lib/db/sign-in/password-resets.ts";
import { emailSchema } from "#lib/schema/account/sign-in.ts";
import { hashPassword } from "#lib/services/account/passwords.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { commandActor, requireSealer } from "./frame/audit-command.ts";
import type { CommandInput, ExitCode } from "./frame/command.ts";
import { withDatabase } from "./frame/database-access.ts";

/**
 * Resets a user's password and prints it. Anyone who can run programs on this machine can read its
 * database, so nothing else is required. Works whether or not Catchment is running.
 */
export async function runResetPassword(input: CommandInput): Promise<ExitCode> {
  const [givenEmail = ""] = input.operands;
  const email = emailSchema.safeParse(givenEmail);
  if (!email.success) throw new StartError(`${givenEmail} is not an email address.`);
  const env = input.readEnv();
  const password = await withDatabase(env, (access) =>
    reset(access.url, email.data, requireSealer(env, access)),
  );
  input.output.note(
    `\n  The new password of ${email.data} is\n\n    ${password}\n\n  All sessions of this ` +
      "user have ended. Sign in, then change the password under Account.\n",
  );
  return 0;
}

async function reset(url: string, email: string, sealer: Sealer): Promise<string> {
  // Reports in one sentence what is wrong with the database address.
  await withConnection(url, async () => undefined);
  const db = createDatabase({ url, poolSize: 1, applicationName: "catchment reset-password" });
  try {
    const password = makePassword();
    const passwordHash = await hashPassword(password);
    const userId = await db.$transaction(async (tx) => {
      const id = await resetPassword(tx, email, passwordHash);
      const targets = [{ type: "user", id: id ?? "", name: email }];
      for (const { accountId } of id === null ? [] : await listMemberships(tx, id)) {
        const context = { db, sealer, actor: commandActor(accountId), now: () => new Date() };
        await audit(context, { event: "user.password.reset", targets }, tx);
      }
      return id;
    });
    if (userId === null)
      throw new StartError(`No user has the email ${email}: check its spelling.`);
    log.info("password.reset", { userId, by: "command line" });
    return password;
  } finally {
    await db.$disconnect();
  }
}

// Excludes letters and digits that look alike. Four groups of five characters out of 32 are 100
// bits.
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

function makePassword(): string {
  const word = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return Array.from({ length: 4 }, word).join("-");
}
