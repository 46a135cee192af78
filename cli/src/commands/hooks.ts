import { connect } from "../account/connect.ts";
import { findHooks, listHooks } from "../account/find-hooks.ts";
import type { CommandInput } from "../frame/command.ts";
import { type ExitCode, exitCodes } from "../frame/exit.ts";
import { plain, writeFields, writeRows } from "../frame/write.ts";

export async function runHooks(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const all = await listHooks(client);
  const hooks = all.map(({ id, name, status, provider, catchUrl }) => {
    return { id, name, status, provider, catchUrl };
  });
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
  const result = { deliveryId, status: deliveryStatus, eventType: sent.eventType };
  writeFields(input, result, [
    ["Delivery", deliveryId ?? "none"],
    ["Status", deliveryStatus ?? "none"],
    ["Type", sent.eventType ?? "none"],
  ]);
  if (note !== null) input.output.note(plain(note));
  if (response.status < 300) return exitCodes.done;
  input.output.note(`HTTP ${response.status}: ${plain(response.body)}`);
  return exitCodes.fault;
}
