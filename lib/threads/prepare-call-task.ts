import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import {
  type Prepared,
  type PrepareInput,
  prepareCall,
} from "#lib/core/mapping/build-request/prepare-call.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";

/**
 * Input for a thread. The action is JSON text, because copying would lose the digits of exact
 * numbers.
 */
type SentPrepareInput = Omit<PrepareInput, "filter" | "need" | "names"> & {
  readonly filterJson: string;
  readonly needJson: string;
  readonly namesJson?: string;
};

export type PrepareTasks = { readonly prepareCall: typeof prepareCallTask };

/** Runs in a thread: the phase `run` reads the body, `map` runs filter and templates. */
export async function prepareCallTask(
  { filterJson, needJson, namesJson, ...input }: SentPrepareInput,
  enter: (phase: string) => void,
): Promise<Prepared | null> {
  const action = {
    filter: read(filterJson) as PrepareInput["filter"],
    need: read(needJson) as PrepareInput["need"],
    ...(namesJson !== undefined && { names: read(namesJson) as StepNames }),
  };
  return prepareCall({ ...input, ...action }, { onRead: () => enter("map") });
}

export function toSent({ filter, need, names, ...input }: PrepareInput): SentPrepareInput {
  const delivery = toOwnBytes(input.delivery);
  const namesJson = names === undefined ? {} : { namesJson: write(names) };
  return { ...input, ...namesJson, delivery, filterJson: write(filter), needJson: write(need) };
}

/** Copying a view to a thread copies its whole buffer. */
export function toOwnBytes(delivery: DeliveryView): DeliveryView {
  const { body } = delivery;
  const isWhole = body.byteLength === body.buffer.byteLength;
  return isWhole ? delivery : { ...delivery, body: new Uint8Array(body) };
}

/** An action may nest as deep as a body that is made of it. */
const maxDepth = 256;

function read(json: string): unknown {
  const parsed = parseExactJson(json, maxDepth);
  if (!parsed.ok) throw new Error(`An action can't be read in a thread: ${parsed.message}`);
  return parsed.value;
}

function write(value: unknown): string {
  const written = stringifyExactJson(value);
  if (!written.ok) throw new Error(`An action can't be sent to a thread: ${written.message}`);
  return written.text;
}
