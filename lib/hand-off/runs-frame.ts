import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import type { LeasedRun } from "#lib/db/queue/lease-runs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import { runsKind, toFrame } from "./frames.ts";

/** An action of the runs in a frame. */
type Target = {
  readonly id: string;
  readonly version: string;
  readonly hookId: string;
  readonly accountId: string;
};

type Head = { readonly leaseId: string; readonly targets: readonly Target[] };

/** The sizes of the head, the numbers, and the texts, before them. */
const sizesBytes = 12;
const numberBytes = 4;
/** The size of a text that is null. */
const none = -1;

/**
 * Runs as one frame: the actions as JSON, then numbers, then all texts in one, then the bodies. One
 * text for all is encoded and decoded at once, and cut without copying. Runs of one delivery follow
 * each other and share it.
 */
export function toRunsFrame(leaseId: string, runs: readonly LeasedRun<NewDelivery>[]): Buffer {
  const targets = new Map<string, { readonly target: Target; readonly at: number }>();
  const numbers: number[] = [];
  const bodies: Uint8Array[] = [];
  let text = "";
  let last: NewDelivery | undefined;
  const add = (value: string | null) => {
    numbers.push(value?.length ?? none);
    if (value !== null) text += value;
  };
  for (const { id, delivery, targetId, targetVersion: version } of runs) {
    const known = targets.get(targetId);
    const at = known?.at ?? targets.size;
    const { hookId, accountId } = delivery;
    if (known === undefined)
      targets.set(targetId, { target: { id: targetId, version, hookId, accountId }, at });
    numbers.push(at, delivery === last ? 1 : 0);
    add(id);
    if (delivery === last) continue;
    last = delivery;
    numbers.push(delivery.receivedAtMs % halfTime, Math.floor(delivery.receivedAtMs / halfTime));
    numbers.push(delivery.isSample ? 1 : 0, delivery.body.byteLength);
    add(delivery.id);
    add(delivery.method);
    add(delivery.path);
    add(delivery.query);
    add(delivery.headersJson);
    add(delivery.contentType);
    add(delivery.eventId);
    add(delivery.eventType);
    bodies.push(delivery.body);
  }
  const listed = Array.from(targets.values(), ({ target }) => target);
  const head = Buffer.from(JSON.stringify({ leaseId, targets: listed } satisfies Head));
  const texts = Buffer.from(text);
  const sizes = Int32Array.of(head.byteLength, numbers.length, texts.byteLength);
  return toFrame(runsKind, [
    bytesOf(sizes),
    head,
    bytesOf(Int32Array.from(numbers)),
    texts,
    ...bodies,
  ]);
}

/** A time has more than 32 bits. */
const halfTime = 2 ** 30;

function bytesOf(numbers: Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** The runs of a frame, as a claim would have returned them. */
export function readRunsFrame(bytes: Buffer): readonly ClaimedActionRun[] {
  const headEnd = sizesBytes + bytes.readInt32LE(0);
  const count = bytes.readInt32LE(4);
  const textStart = headEnd + count * numberBytes;
  const textEnd = textStart + bytes.readInt32LE(8);
  const { leaseId, targets }: Head = JSON.parse(bytes.toString("utf8", sizesBytes, headEnd));
  const text = bytes.toString("utf8", textStart, textEnd);
  let numberAt = headEnd;
  let textAt = 0;
  let bodyAt = textEnd;
  const number = () => {
    const value = bytes.readInt32LE(numberAt);
    numberAt += numberBytes;
    return value;
  };
  const take = (): string | null => {
    const size = number();
    if (size === none) return null;
    textAt += size;
    return text.slice(textAt - size, textAt);
  };
  const runs: ClaimedActionRun[] = [];
  let delivery: RunDelivery | undefined;
  while (numberAt < textStart) {
    const target = targets[number()];
    const isSame = number() === 1;
    const id = take() ?? "";
    if (!isSame || delivery === undefined) {
      const receivedAtMs = number() + number() * halfTime;
      const isSample = number() === 1;
      const bodySize = number();
      // A body must not keep the whole frame in memory.
      const body = Buffer.from(bytes.subarray(bodyAt, bodyAt + bodySize));
      bodyAt += bodySize;
      delivery = {
        receivedAtMs,
        isSample,
        body,
        id: take() ?? "",
        method: take() ?? "",
        path: take() ?? "",
        query: take() ?? "",
        headersJson: take() ?? "",
        contentType: take(),
        eventId: take(),
        eventType: take(),
      };
    }
    if (target === undefined) throw new Error("A run of no action");
    runs.push(toRun({ id, leaseId, target, delivery }));
  }
  return runs;
}

type Parts = {
  readonly id: string;
  readonly leaseId: string;
  readonly target: Target;
  readonly delivery: RunDelivery;
};

/** A run that was never claimed before, of an action without limits. */
function toRun({ id, leaseId, target, delivery }: Parts): ClaimedActionRun {
  return {
    kind: "action",
    id,
    leaseId,
    accountId: target.accountId,
    targetId: target.id,
    targetVersion: target.version,
    attemptNumber: 1,
    attemptsBefore: 0,
    retriedAtMs: null,
    bodySize: delivery.body.byteLength,
    breakers: [],
    hasOwnId: false,
    isCrashCandidate: false,
    hookId: target.hookId,
    deliveryId: delivery.id,
    delivery,
    isUnkeyed: false,
    isHandedOver: true,
  };
}
