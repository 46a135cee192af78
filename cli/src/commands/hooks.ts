import { connect } from "../account/connect.ts";
import { findHooks } from "../account/find-hooks.ts";
import type { CommandInput } from "../frame/command.ts";
import { type ExitCode, exitCodes } from "../frame/exit.ts";
import { plain, writeRows } from "../frame/write.ts";

export async function runHooks(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const hooks = [];
  for await (const { id, name, status, provider, catchUrl } of client.listHooks({ limit: 100 }))
    hooks.push({ id, name, status, provider, catchUrl });
  writeRows(
    input,
    hooks,
    {
      name: ({ name }) => name,
      status: ({ status }) => status,
      provider: ({ provider }) => provider,
      "catch URL": ({ catchUrl }) => catchUrl,
    },
    "No hooks yet. Create one in the dashboard.",
  );
  return exitCodes.done;
}

/** Sends a delivery to a hook, signed as its provider does. */
export async function runTrigger(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const [hook] = await findHooks(client, input.operands.slice(0, 1));
  const [, eventType] = input.operands;
  const id = hook?.id ?? "";
  const sent = await client.testHook({ id, ...(eventType === undefined ? {} : { eventType }) });
  const { response, deliveryId, deliveryStatus, note } = sent;
  input.output.result(
    JSON.stringify({ deliveryId, status: deliveryStatus, eventType: sent.eventType }),
  );
  if (note !== null) input.output.note(plain(note));
  if (response.status < 300) return exitCodes.done;
  input.output.note(`HTTP ${response.status}: ${plain(response.body)}`);
  return exitCodes.fault;
}
