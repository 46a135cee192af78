import type { Client, Hook, WholeGap } from "../../../clients/typescript/src/index.ts";
import { connect } from "../account/connect.ts";
import { findHooks } from "../account/find-hooks.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { wait } from "../frame/wait.ts";
import { writeFields, writeRows } from "../frame/write.ts";

/** The searches of a hook, newest first, or one with what is missing by event type. */
export async function runGaps(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const hook = await findHook(client, input);
  const [, gapId] = input.operands;
  if (gapId !== undefined) {
    showGap(input, await client.getGap({ id: hook.id, gapId }));
    return exitCodes.done;
  }
  const { data } = await client.listGaps({ id: hook.id, limit: 20 });
  writeRows(
    input,
    data,
    {
      searched: ({ createdAt }) => createdAt.slice(0, 16).replace("T", " "),
      status: ({ status }) => status,
      events: ({ eventCount }) => String(eventCount),
      missing: ({ missingCount }) => String(missingCount),
      taken: ({ takenCount }) => String(takenCount),
      id: ({ id }) => id,
    },
    "No searches yet. Begin with: gaps search HOOK",
  );
  return exitCodes.done;
}

const pauseMs = 1_000;

/** Asks the provider which events happened, and waits for what never arrived. */
export async function runSearchGap(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const hook = await findHook(client, input);
  const to = textValue(input, "to");
  const webhook = textValue(input, "webhook");
  const credential = textValue(input, "credential");
  let gap = await client.findGap({
    id: hook.id,
    from: readTime("from", textValue(input, "from") ?? "24h"),
    ...(to === undefined ? {} : { to: readTime("to", to) }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(credential === undefined ? {} : { credentialId: await findCredential(client, credential) }),
  });
  while (gap.status === "asking" && !input.signal.aborted) {
    await wait(pauseMs, input.signal);
    gap = await client.getGap({ id: hook.id, gapId: gap.id });
  }
  showGap(input, gap);
  return gap.status === "failed" ? exitCodes.fault : exitCodes.done;
}

/** Takes in what a search found, or asks the provider to send it again. */
export async function runTakeInGap(input: CommandInput): Promise<ExitCode> {
  const { run = false, store = false } = input.values;
  if ((run === true) === (store === true))
    throw new Exit(
      "usage",
      "Add --run, so that the hook's actions run, or --store, so that none does.",
    );
  const { client } = connect(input);
  const hook = await findHook(client, input);
  const [, gapId = ""] = input.operands;
  const types = textValue(input, "types");
  const rate = textValue(input, "rate");
  if (rate !== undefined && !/^[1-9]\d{0,5}$/.test(rate))
    throw new Exit("usage", "--rate needs a whole number.");
  const job = await client.takeInGap({
    ...{ id: hook.id, gapId, run: run === true },
    ...(types === undefined ? {} : { eventTypes: types.split(",").map((type) => type.trim()) }),
    ...(rate === undefined ? {} : { ratePerMinute: Number(rate) }),
  });
  writeFields(input, job, [
    ["Job", job.id],
    ["Events", String(job.total ?? "")],
    ["Status", job.status],
  ]);
  return exitCodes.done;
}

async function findHook(client: Client, { operands }: CommandInput): Promise<Hook> {
  const [hook] = await findHooks(client, operands.slice(0, 1));
  if (hook === undefined) throw new Exit("usage", "Name the hook.");
  return hook;
}

async function findCredential(client: Client, wanted: string): Promise<string> {
  const asked = wanted.toLowerCase();
  for await (const { id, name } of client.listCredentials({ limit: 100 }))
    if (id === asked || name.toLowerCase() === asked) return id;
  throw new Exit("notFound", `There is no credential ${wanted}.`);
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `24h` and `7d` are before now. */
function readTime(option: string, text: string): string {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const span = unit === "m" || unit === "h" || unit === "d" ? Number(count) * units[unit] : null;
  const ms = span === null ? Date.parse(text) : Date.now() - span;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw new Exit(
    "usage",
    `--${option} is a time such as 2026-11-29T18:00:00Z, or 24h or 7d before now.`,
  );
}

function showGap(input: CommandInput, gap: WholeGap): void {
  const missing = gap.types.filter(({ missingCount }) => missingCount > 0);
  writeFields(input, gap, [
    ["Search", gap.id],
    ["Status", gap.status],
    ["Found", gap.summary],
    ...(gap.reason === null ? [] : [["Reason", gap.reason] as const]),
    ...missing.map(
      ({ eventType, eventCount, missingCount }) =>
        ["Missing", `${missingCount} of ${eventCount} ${eventType ?? "without a type"}`] as const,
    ),
  ]);
}
