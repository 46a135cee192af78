import { createInterface } from "node:readline/promises";
import { toError } from "../../../clients/typescript/src/errors.ts";
import type { ConfigurationPlan } from "../../../clients/typescript/src/operations.ts";
import { type Connection, connect, connectAs } from "../account/connect.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { invocation } from "../frame/invocation.ts";
import { type ConfigFile, readConfigFiles } from "./read-files.ts";
import { showPlan } from "./show-plan.ts";

/** A plan of a large account takes longer than other calls. */
const patient = { timeoutMs: 600_000 };

export async function runExport(input: CommandInput): Promise<ExitCode> {
  const type = input.values.json === true ? "application/json" : "application/yaml";
  input.output.result((await readConfiguration(connect(input), type, input.signal)).trimEnd());
  return exitCodes.done;
}

/** As text, because JavaScript would change long numbers. */
async function readConfiguration(
  { url, token, fetch }: Connection,
  type: string,
  signal: AbortSignal,
): Promise<string> {
  const headers = { accept: type, authorization: `Bearer ${token}` };
  const request = new Request(`${url}/api/v1/configuration`, {
    headers,
    signal,
    redirect: "error",
  });
  const response = await fetch(request);
  if (response.ok) return await response.text();
  throw await toError(response);
}

/** Shows what files would change. Exits with 2 if anything would. */
export async function runPlan(input: CommandInput): Promise<ExitCode> {
  const files = readConfigFiles(input.operands, input.env);
  const plan = await connect(input, patient).client.planConfiguration(
    { files, ...readPrune(input) },
    { signal: input.signal },
  );
  showPlan(input, plan);
  return plan.items.length === 0 ? exitCodes.done : exitCodes.differences;
}

/** Shows a plan, asks, and applies it. With `--plan-id`, applies what was shown before. */
export async function runApply(input: CommandInput): Promise<ExitCode> {
  const files = readConfigFiles(input.operands, input.env);
  return await applyFiles(input, connect(input, patient), files);
}

/** Makes another account the same, with its own credentials of the same names. */
export async function runPromote(input: CommandInput): Promise<ExitCode> {
  const source = readProfileName(input, "from");
  const from = connectAs(input, source);
  const to = connectAs(input, readProfileName(input, "to"), patient);
  if (from.token === to.token) throw new Exit("usage", "--from and --to are the same account.");
  const exported = await readConfiguration(from, "application/yaml", input.signal);
  const text = prepare(exported, {
    withCustomers: input.values.customers === true,
    managedBy: textValue(input, "managed-by"),
  });
  return await applyFiles(input, to, [{ path: `${source}.yaml`, text }]);
}

function readProfileName(input: CommandInput, option: "from" | "to"): string {
  const name = textValue(input, option);
  if (name) return name;
  throw new Exit("usage", `Add --${option} with a profile. List them: ${invocation} profiles`);
}

type Promotion = { readonly withCustomers: boolean; readonly managedBy: string | undefined };

/** Leaves out customers, and adds the mark. An export has each list at the start of a line. */
function prepare(exported: string, { withCustomers, managedBy }: Promotion): string {
  const parts = exported.split(/^(?=[a-zA-Z]+:)/m);
  const kept = parts.filter(
    (part) => withCustomers || !/^(?:recipients|subscriptions):/.test(part),
  );
  return [
    ...kept,
    ...(managedBy === undefined ? [] : [`managedBy: ${JSON.stringify(managedBy)}\n`]),
  ].join("");
}

async function applyFiles(
  input: CommandInput,
  { client }: Connection,
  files: readonly ConfigFile[],
): Promise<ExitCode> {
  const { signal, output } = input;
  const asked = { files: [...files], ...readPrune(input) };
  const given = textValue(input, "plan-id");
  if (given !== undefined) {
    const applied = await client.applyConfiguration({ ...asked, planId: given }, { signal });
    showPlan(input, applied);
    output.note("Applied.");
    return exitCodes.done;
  }
  const plan = await client.planConfiguration(asked, { signal });
  showPlan(input, plan);
  if (plan.items.length === 0 && plan.adoptedCount === 0) {
    // What was changed elsewhere is in the files now.
    if (plan.changedOutside.length > 0)
      await client.applyConfiguration({ ...asked, planId: plan.planId }, { signal });
    output.note("Nothing to do.");
    return exitCodes.done;
  }
  await confirm(input, plan);
  await client.applyConfiguration({ ...asked, planId: plan.planId }, { signal });
  output.note("Applied.");
  return exitCodes.done;
}

async function confirm(
  input: CommandInput,
  { items, prunedCount }: ConfigurationPlan,
): Promise<void> {
  if (input.values.yes === true) return;
  if (!input.isInteractive || process.stdin.isTTY !== true)
    throw new Exit(
      "usage",
      "Nothing was applied: add --yes, or the --plan-id of a plan that you have seen.",
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const pruned = prunedCount > 0 ? `, and delete ${prunedCount} that aren't in the files` : "";
    const question = `Apply ${items.length === 1 ? "this change" : `these ${items.length} changes`}${pruned}? [y/N] `;
    const reply = await lines.question(question, { signal: input.signal });
    if (/^y(?:es)?$/i.test(reply.trim())) return;
  } finally {
    lines.close();
  }
  throw new Exit("fault", "Nothing was applied.");
}

function readPrune(input: CommandInput): { prune?: boolean; maxPrunePercent?: number } {
  const percent = textValue(input, "max-prune-percent");
  if (percent !== undefined && !/^(?:\d{1,2}|100)$/.test(percent))
    throw new Exit("usage", "--max-prune-percent is a whole number up to 100.");
  return {
    ...(input.values.prune === true ? { prune: true } : {}),
    ...(percent === undefined ? {} : { maxPrunePercent: Number(percent) }),
  };
}
