import { readFileSync } from "node:fs";
import { connect } from "../account/connect.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { plain, writeFields } from "../frame/write.ts";

/** Publishes an event, with its data from an option, a file, or a pipe. */
export async function runPublish(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const [type = ""] = input.operands;
  const text = textValue(input, "data") ?? readData(textValue(input, "file"));
  const id = textValue(input, "id");
  const recipient = textValue(input, "recipient");
  const event = await client.publishEvent({
    ...{ type, data: readJson(text) },
    ...(id === undefined ? {} : { id }),
    ...(recipient === undefined ? {} : { recipient }),
  });
  writeFields(input, event, [
    ["Event", event.id],
    ["Type", event.type],
    ["Sends", event.duplicate ? "none: it was published before" : String(event.runs ?? 0)],
  ]);
  if (event.warning !== undefined) input.output.note(plain(event.warning));
  return exitCodes.done;
}

/** From a file or a pipe. A terminal would wait for what no one types. */
function readData(file: string | undefined): string {
  if (file === undefined && process.stdin.isTTY)
    throw new Exit("usage", `Add the data, such as --data '{"id":"in_1001"}', or --file PATH.`);
  try {
    return readFileSync(file ?? 0, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Exit("usage", `${file ?? "Standard input"} can't be read: ${why}.`);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Exit("usage", `The data isn't JSON: ${why}`);
  }
}
