import type { Client, Delivery } from "../../../clients/typescript/src/index.ts";
import { connect } from "../account/connect.ts";
import { findHooks } from "../account/find-hooks.ts";
import { type CommandInput, textValue } from "../frame/command.ts";
import { Exit, type ExitCode, exitCodes } from "../frame/exit.ts";
import { wait } from "../frame/wait.ts";
import { paint, plain, readOutput, wantsJson, writeRows } from "../frame/write.ts";

const columns: Readonly<Record<string, (row: Delivery) => string>> = {
  received: ({ receivedAt }) => receivedAt.slice(0, 19).replace("T", " "),
  status: ({ status }) => status,
  type: ({ eventType }) => eventType ?? "",
  event: ({ eventId }) => eventId ?? "",
  id: ({ id }) => id,
};

/** The newest deliveries, of one hook or of all. */
export async function runDeliveries(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const limit = Number(textValue(input, "limit") ?? 20);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100))
    throw new Exit("usage", "--limit needs a whole number from 1 to 100.");
  const { data } = await client.listDeliveries({ limit, ...(await readFilter(client, input)) });
  writeRows(input, data, columns, "No deliveries yet.");
  return exitCodes.done;
}

async function readFilter(client: Client, input: CommandInput) {
  const [hook] = await findHooks(client, input.operands);
  const status = textValue(input, "status") as Delivery["status"] | undefined;
  const q = textValue(input, "search");
  return {
    ...(hook === undefined ? {} : { hookId: hook.id }),
    ...(status === undefined ? {} : { status }),
    ...(q === undefined ? {} : { q }),
  };
}

const pauseMs = 1_000;

/** Shows deliveries as they arrive, also rejected ones, until Ctrl+C. Takes none from a listener. */
export async function runTail(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const filter = await readFilter(client, input);
  const [newest] = (await client.listDeliveries({ limit: 1, ...filter })).data;
  let seen = newest?.id ?? "";
  while (!input.signal.aborted) {
    const arrived: Delivery[] = [];
    for await (const delivery of client.listDeliveries({ limit: 100, ...filter })) {
      // Ids grow with time.
      if (delivery.id <= seen) break;
      arrived.push(delivery);
    }
    for (const delivery of arrived.toReversed()) writeDelivery(input, delivery);
    seen = arrived[0]?.id ?? seen;
    await wait(pauseMs, input.signal);
  }
  return exitCodes.done;
}

function writeDelivery(input: CommandInput, delivery: Delivery): void {
  if (readOutput(input) !== "table") {
    writeRows(input, [delivery], columns, "");
    return;
  }
  const { receivedAt, status, eventType, eventId, detail, id } = delivery;
  const color = status === "accepted" ? "green" : status === "rejected" ? "red" : "yellow";
  const parts = [receivedAt.slice(11, 19), eventType ?? "", eventId ?? id, detail ?? ""].map(plain);
  const [time = "", ...others] = parts;
  input.output.result([time, paint(input, color, status), ...others].join("  ").trimEnd());
}

/** Says why each action of a delivery's hook did or didn't run. */
export async function runWhy(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const [id = ""] = input.operands;
  const delivery = await client.getDelivery({ id });
  const why = await client.explainDelivery({ id });
  const reasons = "data" in why ? why.data : [why];
  if (wantsJson(input)) {
    const { status, reason, detail } = delivery;
    input.output.result(JSON.stringify({ id, status, reason, detail, actions: reasons }));
    return exitCodes.done;
  }
  if (readOutput(input) === "compact") {
    writeRows(
      input,
      reasons,
      { code: ({ code }) => code, sentence: ({ sentence }) => sentence },
      "",
    );
    return exitCodes.done;
  }
  const { status, detail } = delivery;
  input.output.result(plain(`${status}${detail === null ? "" : `: ${detail}`}`));
  for (const { sentence } of reasons) input.output.result(plain(sentence));
  if (reasons.length === 0) input.output.result("Its hook has no actions.");
  return exitCodes.done;
}

/** Runs a delivery's actions again. */
export async function runReplay(input: CommandInput): Promise<ExitCode> {
  const { client } = connect(input);
  const [id = ""] = input.operands;
  const queued = await client.replayDelivery({ id });
  if (wantsJson(input)) input.output.result(JSON.stringify(queued));
  else
    writeRows(
      input,
      queued.runs,
      { run: ({ id }) => id, state: ({ status }) => status },
      "Its hook has no enabled actions, so nothing runs.",
    );
  return exitCodes.done;
}
