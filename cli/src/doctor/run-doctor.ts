import {
  type Finding,
  failure,
  formatFindings,
  type Result,
} from "../../../lib/base/command-line/finding.ts";
import { type Connection, connect, readProfile } from "../account/connect.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";
import { plain, readOutput, writeRows } from "../frame/write.ts";
import { checkRights, checkToken } from "./check-rights.ts";
import { checkProxy, checkServer } from "./check-server.ts";
import { checkTarget } from "./check-target.ts";

/** Checks what stands between this machine and its account, and says what to change. */
export async function runDoctor(input: CommandInput): Promise<ExitCode> {
  const to = textValue(input, "to");
  const { url, findings } = await findAll(input);
  const all = to === undefined ? findings : [...findings, ...name("Target", await checkTarget(to))];
  if (readOutput(input) === "table") {
    const text = formatFindings(
      url === null ? "Your connection" : `Your connection to ${url}`,
      all,
    );
    for (const line of text.split("\n")) input.output.result(plain(line));
  } else writeRows(input, all, columns, "");
  return all.some(({ level }) => level === "error") ? exitCodes.fault : exitCodes.done;
}

const columns: Readonly<Record<string, (finding: Finding) => string>> = {
  level: ({ level }) => level,
  check: ({ check }) => check,
  message: ({ message }) => message,
  change: ({ change }) => change ?? "",
};

type Found = { readonly url: string | null; readonly findings: readonly Finding[] };

/** Each check stands on the ones before: after an error, the rest would only repeat it. */
async function findAll(input: CommandInput): Promise<Found> {
  const proxy = name("Proxy", checkProxy(input.env));
  const connection = tryConnect(input);
  if ("level" in connection)
    return { url: null, findings: [...proxy, ...name("Sign-in", [connection])] };
  const { url } = connection;
  if (hasError(proxy)) return { url, findings: proxy };
  const server = await checkServer(connection);
  if (hasError(server)) return { url, findings: [...proxy, ...server] };
  const token = await checkToken(connection, readProfile(input)?.expiresAt);
  const rights = hasError(token) ? [] : await checkRights(connection);
  const own = [...name("Token", token), ...name("Rights", rights)];
  return { url, findings: [...proxy, ...server, ...own] };
}

const hasError = (results: readonly Result[]) => results.some(({ level }) => level === "error");

function tryConnect(input: CommandInput): Connection | Result {
  try {
    return connect(input, { maxRetries: 0, timeoutMs: 10_000 });
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    // Its first sentence says what is wrong, and its second one what to do.
    const [what = "", change] = error.message.split(/(?<=\.) (.*)/s);
    return failure(what, change ?? `See: ${invocation} help login`);
  }
}

function name(check: string, results: readonly Result[]): Finding[] {
  return results.map((result) => ({ check, ...result }));
}
