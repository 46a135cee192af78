import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerUrl } from "#lib/core/env/broker-url.ts";
import type { SpoolEnv } from "#lib/core/env/spool-env.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";
import { errorCode } from "#lib/errors.ts";
import { toBrokerError } from "./broker-error.ts";
import { findRecord, readRecord, SpoolVersionError } from "./record.ts";
import { segmentEnd } from "./segment.ts";

/** A delivery that couldn't be stored. */
export type SetAside = Content & {
  /** The name of its file, or of its message. */
  readonly name: string;
  readonly bytes: number;
};

type Content =
  | { readonly delivery: NewDelivery; readonly fault: null }
  | { readonly delivery: null; readonly fault: SetAsideFault };

/** Why it can't be stored again. */
type SetAsideFault = "damaged" | "not one delivery" | "of another version of Catchment";

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
    const file = await readIfThere(path);
    if (file === null) continue;
    const content = name.endsWith(segmentEnd) ? readContent(file) : damaged;
    if (await visit({ name, bytes: file.length, ...content })) await rm(path, { force: true });
  }
}

/** Null: another command has stored and removed it, or someone has deleted it. */
async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
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
      const item = { name, bytes: content.length, ...readContent(content) };
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

const damaged = { delivery: null, fault: "damaged" } as const;

/** Only one delivery is set aside at a time: others in the same file would be removed with it. */
function readContent(bytes: Buffer): Content {
  const found = findRecord(bytes, 0);
  if (typeof found === "string") return damaged;
  try {
    const [delivery, ...others] = readRecord(bytes, 0, found).deliveries;
    if (delivery === undefined || others.length > 0 || found.end !== bytes.length)
      return { delivery: null, fault: "not one delivery" };
    return { delivery, fault: null };
  } catch (error) {
    if (!(error instanceof SpoolVersionError)) throw error;
    return { delivery: null, fault: "of another version of Catchment" };
  }
}

/**
 * Asks for a delivery to be set aside that the database can't store now, and that holds up all behind
 * it. The request is a file of the spool's folder on this machine. It counts once this machine has
 * tried to store the delivery again.
 */
export async function requestAside(folder: string, deliveryId: string): Promise<void> {
  try {
    // Root writes through no link that another user has made.
    await writeFile(toRequest(folder, deliveryId), "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** The requests of this machine's operator. */
export class AsideRequests {
  readonly #folder: string;
  readonly #done = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(deliveryId: string): boolean {
    return existsSync(toRequest(this.#folder, deliveryId));
  }

  /** Call it for what was set aside. Until its batch is removed, it may be tried again. */
  done(deliveryId: string): void {
    this.#done.add(deliveryId);
  }

  /** Removes the requests that are done. One that can't be removed means nothing: no other delivery has its id. */
  async end(): Promise<void> {
    for (const id of this.#done)
      await rm(toRequest(this.#folder, id), { force: true }).catch(ignore);
    this.#done.clear();
  }
}

function toRequest(folder: string, deliveryId: string): string {
  return join(folder, `${deliveryId}.to-set-aside`);
}

function ignore(): void {}
