import { readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerUrl } from "#lib/core/env/broker-url.ts";
import type { SpoolEnv } from "#lib/core/env/spool-env.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { errorCode } from "#lib/errors.ts";
import { toBrokerError } from "./broker-error.ts";
import { findRecord, readRecord } from "./record.ts";
import { segmentEnd } from "./segment.ts";

/** A delivery that couldn't be stored. */
export type SetAside = {
  /** The name of its file, or of its message. */
  readonly name: string;
  readonly bytes: number;
  /** Null: it was damaged, and can't be read. */
  readonly delivery: NewDelivery | null;
};

/** @returns true to remove the item */
export type VisitSetAside = (item: SetAside) => Promise<boolean>;

/** The folder of such deliveries in a spool's folder. */
export const setAsideFolder = "set-aside";

/** Calls `visit` for everything that was set aside, one after the other, also while Catchment runs. */
export async function visitSetAside(
  { folder, broker }: Pick<SpoolEnv, "folder" | "broker">,
  visit: VisitSetAside,
): Promise<void> {
  if (broker === undefined) await visitFolder(join(folder, setAsideFolder), visit);
  else await visitQueue(broker, visit);
}

async function visitFolder(folder: string, visit: VisitSetAside): Promise<void> {
  for (const name of await listNames(folder)) {
    const path = join(folder, name);
    const content = await readFile(path);
    const delivery = name.endsWith(segmentEnd) ? toDelivery(content) : null;
    if (await visit({ name, bytes: content.length, delivery })) await unlink(path);
  }
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Messages that aren't acknowledged go back into the queue at the end. */
async function visitQueue(broker: BrokerUrl, visit: VisitSetAside): Promise<void> {
  const { connectToAny } = await import("./broker-link.ts");
  const { nameSetAside } = await import("./broker-queues.ts");
  const connection = await connectToAny(broker);
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => {});
    const { queue, messageCount } = await channel.checkQueue(nameSetAside(broker.queue));
    for (let seen = 0; seen < messageCount; seen += 1) {
      const message = await channel.get(queue);
      if (message === false) break;
      const { content, properties } = message;
      const name = String(properties.messageId ?? "unknown");
      const item = { name, bytes: content.length, delivery: toDelivery(content) };
      if (await visit(item)) channel.ack(message);
    }
    await channel.close();
  } catch (error) {
    // Nothing was ever set aside, or the connection is gone.
    const { code, message } = toBrokerError(error);
    if (code !== "BROKER_SETUP" || !message.includes("NOT_FOUND")) throw error;
  } finally {
    await connection.close().catch(() => {});
  }
}

function toDelivery(content: Buffer): NewDelivery | null {
  const found = findRecord(content, 0);
  if (typeof found === "string") return null;
  return readRecord(content, 0, found).deliveries[0] ?? null;
}
