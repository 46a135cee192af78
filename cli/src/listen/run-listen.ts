import { hostname } from "node:os";
import type { Hook } from "../../../clients/typescript/src/index.ts";
import { type Connection, connect } from "../account/connect.ts";
import { findHooks } from "../account/find-hooks.ts";
import { openBrowser } from "../account/open-browser.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { FormerSessions } from "./former-session.ts";
import { type Keys, watchKeys } from "./keys.ts";
import { Listening } from "./listening.ts";
import { Reporter } from "./reporter.ts";
import { readTarget } from "./target.ts";

/** Hands what hooks accept to a program on this machine, until Ctrl+C. */
export async function runListen(input: CommandInput): Promise<ExitCode> {
  const to = textValue(input, "to");
  if (to === undefined)
    throw new Exit("usage", "listen needs --to, such as --to http://localhost:3000/webhooks");
  const target = readTarget(to, input.values["any-target"] === true);
  const reply = input.values.answer === true;
  const share = input.values.share === true;
  if (reply && input.operands.length === 0)
    throw new Exit(
      "usage",
      "--answer needs the hooks to answer for, such as: listen Slack --answer",
    );
  if (reply && share)
    throw new Exit("usage", "--answer and --share don't go together: one program answers.");
  const parallel = readNumber(input, "parallel");
  const maxBacklog = readNumber(input, "max-backlog");
  const connection = connect(input, { maxRetries: 0 });
  const hooks = await findHooks(connection.client, input.operands);
  const host = hostname().slice(0, 253) || "unknown";
  const name = textValue(input, "name") ?? nameListener(host, hooks);
  const reporter = new Reporter(input, { target, name, hooks, replies: reply });
  const listening = new Listening({
    connection,
    target,
    reporter,
    former: new FormerSessions(input.env, connection.url),
    parallel,
    maxBacklog,
    open: {
      name,
      host,
      hookIds: hooks.map(({ id }) => id),
      from: textValue(input, "from") ?? "last",
      share,
      reply,
    },
  });
  const stopKeys = watchKeys(input, keysOf(connection, listening, reporter));
  try {
    await listening.run(input.signal);
    return exitCodes.done;
  } finally {
    stopKeys();
  }
}

/** One name for each set of hooks, so that two terminals with different hooks don't meet. */
function nameListener(host: string, hooks: readonly Hook[]): string {
  const of = hooks.length === 0 ? "" : ` ${hooks.map((hook) => hook.name).join(", ")}`;
  return `${host}${of}`.slice(0, 200).trim();
}

function readNumber(input: CommandInput, name: string): number | null {
  const text = textValue(input, name);
  if (text === undefined) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text);
  throw new Exit("usage", `--${name} needs a whole number from 1 to 99999, not ${text}.`);
}

function keysOf({ url, client }: Connection, listening: Listening, reporter: Reporter): Keys {
  const again = async (deliveryId: string) => {
    const id = listening.listenerId;
    if (id === null) throw new Error("There is no connection right now.");
    await client.handOverDeliveries({ id, deliveryIds: [deliveryId] });
  };
  return (key) => {
    const { last } = reporter;
    if (last === null) reporter.note("Nothing has arrived yet.");
    else if (key === "d") reporter.showDetails(last);
    else if (key === "o") openBrowser(`${url}/deliveries/${last.frame.deliveryId}`);
    else void again(last.frame.deliveryId).catch((error: unknown) => reporter.note(String(error)));
  };
}
