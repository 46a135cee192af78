import { flushLog } from "#lib/log.ts";
import { readStartEnv } from "#server/start/read-start-env.ts";
import { StartError } from "#server/system/start-error.ts";
import { resetPasswordCommand } from "./reset-password.ts";

/** `npm run catchment -- <command>`: commands for the operator of the machine. */
const usage = `Usage: npm run catchment -- reset-password EMAIL

  reset-password EMAIL   gives this user a new password, prints it, and signs them out everywhere
`;

const [command, ...args] = process.argv.slice(2);
const [email] = args;
if (command !== "reset-password" || email === undefined || args.length !== 1) {
  process.stderr.write(usage);
  process.exit(2);
}
try {
  const password = await resetPasswordCommand(readStartEnv(), email);
  flushLog();
  process.stderr.write(
    `\n  The new password of ${email} is\n\n    ${password}\n\n  All sessions of this ` +
      "user have ended. Sign in, then change the password under Account.\n\n",
  );
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
