import { readFileSync } from "node:fs";
import { connect } from "../account/connect.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";

/** Publishes an event, with its data from an option, a file, or a pipe. */
export async function runPublish(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const [type = ""] = input.operands;
  const text = textValue(input, "data") ?? readFileSync(textValue(input, "file") ?? 0, "utf8");
  const id = textValue(input, "id");
  const recipient = textValue(input, "recipient");
  const event = await client.publishEvent({
    ...{ type, data: readJson(text) },
    ...(id === undefined ? {} : { id }),
    ...(recipient === undefined ? {} : { recipient }),
  });
  input.output.result(JSON.stringify(event));
  return exitCodes.done;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Exit(
      "usage",
      `The data isn't JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}
