import type { Action, Client, Hook } from "../../../clients/typescript/src/index.ts";
import { connect } from "../account/connect.ts";
import { findByName, findHooks, listHooks } from "../account/find-hooks.ts";
import type { CommandInput } from "../frame/command.ts";
import { type ExitCode, exitCodes } from "../frame/exit.ts";
import { writeFields, writeRows } from "../frame/write.ts";

type ActionOfHook = Action & { readonly hook: string };

/** The actions of one hook, or of all. */
export async function runActions(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const named = await findHooks(client, input.operands);
  const actions = await listActions(client, named.length > 0 ? named : await listHooks(client));
  writeRows(
    input,
    actions,
    {
      hook: ({ hook }) => hook,
      action: ({ name }) => name,
      state: showState,
      does: describeEffect,
      id: ({ id }) => id,
    },
    "No actions yet. Create one in the dashboard.",
  );
  return exitCodes.done;
}

async function listActions(client: Client, hooks: readonly Hook[]): Promise<ActionOfHook[]> {
  const actions: ActionOfHook[] = [];
  for (const { id, name: hook } of hooks)
    for await (const action of client.listActions({ id, limit: 100 }))
      actions.push({ ...action, hook });
  return actions;
}

const showState = ({ enabled }: Action) => (enabled ? "enabled" : "disabled");

function describeEffect({ request, steps }: Action): string {
  if (request !== null) return `${request.method} ${request.url}`;
  return `steps: ${(steps ?? []).map(({ key }) => key).join(", ")}`;
}

/** One action with everything that it does. */
export async function runGetAction(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const { id, hookId } = await findAction(client, input.operands[0] ?? "");
  const [action, hook] = await Promise.all([
    client.getAction({ id }),
    client.getHook({ id: hookId }),
  ]);
  writeFields(input, action, [
    ["Action", action.name],
    ["Hook", hook.name],
    ["State", showState(action)],
    ["Does", describeEffect(action)],
    ["Filter", action.filter === null ? "every accepted delivery" : JSON.stringify(action.filter)],
    ["Receiver", describeReceiver(action.breakerState)],
    ["Version", String(action.version)],
    ["Changed", action.updatedAt],
    ["Id", id],
  ]);
  return exitCodes.done;
}

type WholeAction = Awaited<ReturnType<Client["getAction"]>>;

function describeReceiver(state: WholeAction["breakerState"]): string {
  switch (state?.state) {
    case undefined:
    case "closed":
      return "up";
    case "held":
      return `held since ${state.heldSince}: ${state.reason}`;
    case "open":
    case "probing":
      return `down since ${state.downSince}, tried again at ${state.nextTryAt}`;
    case "recovering":
      return `recovering, down since ${state.downSince}`;
    default:
      return state satisfies never;
  }
}

export const runEnableAction = (input: CommandInput) => switchAction(input, true);
export const runDisableAction = (input: CommandInput) => switchAction(input, false);

async function switchAction(input: CommandInput, enabled: boolean): Promise<ExitCode> {
  const { client } = connect(input);
  const { id } = await findAction(client, input.operands[0] ?? "");
  const action = await client.updateAction({ id, enabled });
  writeFields(input, action, [
    ["Action", action.name],
    ["State", showState(action)],
  ]);
  return exitCodes.done;
}

const idPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** By its id or its name. */
async function findAction(client: Client, text: string): Promise<Pick<Action, "id" | "hookId">> {
  if (idPattern.test(text)) return await client.getAction({ id: text });
  return findByName("action", await listActions(client, await listHooks(client)), text);
}
