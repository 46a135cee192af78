import type { Usage } from "../../../clients/typescript/src/index.ts";
import { connect } from "../account/connect.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { type ExitCode, exitCodes } from "../frame/exit.ts";
import { writeRows } from "../frame/write.ts";

const groups = ["day", "hook", "recipient"] as const;

const counts: Readonly<Record<string, (row: Usage) => string>> = {
  deliveries: ({ deliveries }) => String(deliveries),
  bytes: ({ bytes }) => String(bytes),
  events: ({ events }) => String(events),
  sends: ({ sends }) => String(sends),
  calls: ({ calls }) => String(calls),
};

/** What the account has used, all rows. */
export async function runUsage(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const by = groups.find((each) => each === textValue(input, "by")) ?? "day";
  const [from, to] = [textValue(input, "from"), textValue(input, "to")];
  const recipient = textValue(input, "recipient");
  const rows: Usage[] = [];
  const query = {
    ...{ by, limit: 100 },
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(recipient === undefined ? {} : { recipient }),
  };
  for await (const row of client.listUsage(query)) rows.push(row);
  writeRows(input, rows, { [by]: nameRow, ...counts }, "Nothing was used in this time.");
  return exitCodes.done;
}

function nameRow({ day, hookId, recipient, name }: Usage): string {
  return day ?? name ?? hookId ?? recipient ?? "no recipient";
}
