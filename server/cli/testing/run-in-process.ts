import { commands } from "../commands.ts";
import type { ExitCode } from "../frame/command.ts";
import { runCommand } from "../frame/run-command.ts";

type Result = { readonly status: ExitCode; readonly stdout: string; readonly stderr: string };

/**
 * Runs a command of `npm run server` with these variables, one at a time. In this process: one of
 * its own would take half a second of processor time to start.
 */
export async function runInProcess(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Result> {
  const before = { ...process.env };
  const printed = { stdout: "", stderr: "" };
  const print = (stream: keyof typeof printed) => (text: string) => {
    printed[stream] += `${text}\n`;
  };
  Object.assign(process.env, env);
  try {
    const output = { result: print("stdout"), note: print("stderr") };
    return { status: await runCommand(commands, args, output), ...printed };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
