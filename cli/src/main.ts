import { CatchmentError } from "../../clients/typescript/src/errors.ts";
import { formatHelp, formatUsage } from "../../lib/base/command-line/help.ts";
import { parseCommand } from "../../lib/base/command-line/parse-command.ts";
import { printLine } from "../../lib/base/command-line/print-line.ts";
import { explainConnection } from "./account/explain-connection.ts";
import { commands } from "./commands.ts";
import { Exit, type ExitCode, exitCodes } from "./frame/exit.ts";
import { invocation } from "./frame/invocation.ts";
import { plain } from "./frame/write.ts";
import { program, version } from "./program.ts";

const output = {
  result: (text: string) => print(1, text),
  note: (text: string) => print(2, text),
};

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    // A second Ctrl+C doesn't wait.
    if (stop.signal.aborted) process.exit(exitCodes.fault);
    stop.abort();
  });

process.exit(await run(process.argv.slice(2)));

async function run(args: readonly string[]): Promise<ExitCode> {
  if (args[0] === "--version") {
    output.result(version);
    return exitCodes.done;
  }
  if (args.length === 0) {
    output.note(formatHelp(program, commands, null));
    return exitCodes.usage;
  }
  const parsed = parseCommand(commands, args);
  if (parsed.kind === "help") {
    output.result(formatHelp(program, commands, parsed.command));
    return exitCodes.done;
  }
  if (parsed.kind === "wrong") {
    output.note(`${parsed.message}\n${formatUsage(program, parsed.command)}`);
    return wrongCall(args);
  }
  const { command, operands, values } = parsed;
  const isInteractive = process.stdout.isTTY === true;
  const terminal = { env: process.env, output, isInteractive, signal: stop.signal, commands };
  try {
    const runCommand = await command.load();
    return await runCommand({ operands, values, ...terminal });
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.done;
    const code = explain(error);
    return code === exitCodes.usage ? wrongCall(args) : code;
  }
}

/** A pipeline that takes 2 for a plan with changes must not take a wrong call for one. */
function wrongCall([first]: readonly string[]): ExitCode {
  return first === "config" ? exitCodes.fault : exitCodes.usage;
}

function explain(error: unknown): ExitCode {
  if (error instanceof Exit) {
    output.note(plain(error.message));
    return error.code;
  }
  if (!(error instanceof CatchmentError)) throw error;
  const isLost = error.code === "connection_failed" && error.cause !== undefined;
  output.note(plain(isLost ? `${error.message}: ${explainConnection(error)}` : error.message));
  for (const { path, message } of error.errors) output.note(plain(`${path}: ${message}`));
  if (error.errors.some(({ code }) => code === "not_found")) return exitCodes.notFound;
  if (error.status === 401) output.note(`Run: ${invocation} login`);
  if (error.status === 401 || error.status === 403) return exitCodes.notAllowed;
  return error.status === 404 ? exitCodes.notFound : exitCodes.fault;
}

function print(descriptor: 1 | 2, text: string): void {
  if (!printLine(descriptor, text)) process.exit(exitCodes.done);
}
