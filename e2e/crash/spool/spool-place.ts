import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startBrokers } from "../broker/broker-cluster.ts";

/** Where the server under test has its spool. */
export type SpoolPlace = {
  /** For CATCHMENT_SPOOL_URL. */
  readonly url: string;
  /** False if something waits in it. It may also be true then. */
  seemsEmpty(): Promise<boolean>;
  /** Kills a part of it that it has to do without, or the whole. @returns what starts that again */
  kill?(isWhole: boolean): Promise<() => void>;
  stop(): Promise<void>;
};

export function makeFolderPlace(folder: string): SpoolPlace {
  const spool = join(folder, "data", "spool");
  return {
    url: pathToFileURL(spool).href,
    seemsEmpty: async () => countFiles(spool) === 0,
    stop: async () => {},
  };
}

export async function makeBrokerPlace(folder: string): Promise<SpoolPlace> {
  const brokers = await startBrokers(folder);
  return {
    url: brokers.url,
    seemsEmpty: brokers.seemsEmpty,
    kill: brokers.kill,
    stop: brokers.stop,
  };
}

function countFiles(spool: string): number {
  const writers = readdirSync(spool).filter((name) => name.startsWith("writer-"));
  const files = writers.flatMap((writer) => readdirSync(join(spool, writer)));
  return files.filter((name) => name.endsWith(".spool")).length;
}
