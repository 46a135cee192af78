import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { checkInvariants } from "./check-invariants.ts";
import { readLedger, readSinkCalls, readStore, waitForDrain } from "./evidence.ts";
import { measurePace } from "./pace.ts";
import { startLedgerClient } from "./start-ledger-client.ts";

type MachineScenario = {
  readonly seed: number;
  readonly ratePerSecond: number;
  /** How long deliveries arrive before, between, and after the commands. */
  readonly pauseMs: number;
  readonly folder: string;
  say(line: string): void;
};

type MachineVerdict = {
  readonly invariant: string;
  readonly promise: string;
  readonly breaches: readonly string[];
};

/** The key is in the data folder, as without any configuration. */
const keyInFolder = { CATCHMENT_SECRET_KEY: "" };

/**
 * Backs up and replaces the secret key while deliveries arrive and run, then restores the backup into
 * another folder.
 */
export async function runMachineScenario(
  scenario: MachineScenario,
): Promise<readonly MachineVerdict[]> {
  const { folder, seed, ratePerSecond, pauseMs, say } = scenario;
  const [ledgerFile, sinkFile] = [join(folder, "ledger.tsv"), join(folder, "sink.tsv")];
  for (const file of [ledgerFile, sinkFile]) closeSync(openSync(file, "a"));
  // Slow enough that runs are open at any moment, also at that of the backup.
  const sink = await startSink({ file: sinkFile, delayMs: 300 });
  const access = makeAccess();
  const port = await findFreePort();
  const pace = measurePace();
  const server = await pace.time(() => startServer({ folder, port, env: keyInFolder }, access));
  const oldKey = readKey(server.dataFolder);
  const backup = join(server.dataFolder, "under-load.tar");
  try {
    const { path } = await setUpHook({ ...server, sinkUrl: sink.url, name: "machine ledger" });
    const tag = seed.toString(36);
    const client = startLedgerClient({ port, path, clients: 16, ratePerSecond, ledgerFile, tag });
    await delay(pauseMs);
    const before = readLedger(ledgerFile).length;
    say(await runCommand(server.dataFolder, "backup", backup));
    await delay(pauseMs);
    say(await runCommand(server.dataFolder, "rotate-key"));
    await delay(pauseMs);
    const report = await client.stop();
    await waitForDrain(server.databaseUrl(), 600_000);
    const acknowledged = readLedger(ledgerFile);
    const store = await readStore(server.databaseUrl());
    const calls = readSinkCalls(sinkFile);
    say(`acknowledged ${acknowledged.length}, ${before} of them before the backup began`);
    const slowestResponseMs = report.slowestResponseMs / pace.factor();
    const evidence = { ...report, slowestResponseMs, acknowledged, calls, ...store };
    const verdicts = checkInvariants(evidence);
    await server.stop();
    return [
      ...verdicts,
      await checkOldKey(folder, access, oldKey),
      ...(await checkRestored(
        { ...scenario, backup, oldKey, sinkFile },
        acknowledged.slice(0, before),
      )),
    ];
  } finally {
    await server.stop();
    sink.stop();
  }
}

async function checkOldKey(
  folder: string,
  access: ReturnType<typeof makeAccess>,
  oldKey: string,
): Promise<MachineVerdict> {
  const refused = await startServer({ folder, env: { CATCHMENT_SECRET_KEY: oldKey } }, access).then(
    async (server) => {
      await server.stop();
      return "it started";
    },
    (error: unknown) => String(error),
  );
  const isRejected = refused.includes("was replaced by rotate-key");
  const promise = "a start with the old key is refused";
  return { invariant: "M1", promise, breaches: isRejected ? [] : [refused] };
}

type Restore = MachineScenario & {
  readonly backup: string;
  readonly oldKey: string;
  readonly sinkFile: string;
};

/** The restored installation has everything from before the backup, and calls no one by itself. */
async function checkRestored(
  { folder, backup, oldKey, sinkFile, pauseMs, say }: Restore,
  before: ReturnType<typeof readLedger>,
): Promise<readonly MachineVerdict[]> {
  const other = join(folder, "restored");
  mkdirSync(join(other, "data"), { recursive: true });
  writeFileSync(join(other, "data", "secret-key"), `${oldKey}\n`, { mode: 0o600 });
  say(await runCommand(join(other, "data"), "restore", backup));
  const callsBefore = readSinkCalls(sinkFile).length;
  const server = await startServer({ folder: other, env: keyInFolder }, makeAccess());
  try {
    await delay(pauseMs);
    const { deliveries, runs } = await readStore(server.databaseUrl());
    const stored = new Set(deliveries.map(({ eventId, bodyHash }) => `${eventId} ${bodyHash}`));
    const withRun = new Set(runs.map(({ deliveryId }) => deliveryId));
    const open = runs.filter(({ state }) => state === "queued" || state === "retrying");
    const calls = readSinkCalls(sinkFile).length - callsBefore;
    return [
      {
        invariant: "M2",
        promise: "every delivery acknowledged before the backup is restored, byte for byte",
        breaches: before
          .filter(({ eventId, bodyHash }) => !stored.has(`${eventId} ${bodyHash}`))
          .map(({ eventId }) => `${eventId} is missing`),
      },
      {
        invariant: "M3",
        promise: "every restored delivery has its run, and none runs again by itself",
        breaches: [
          ...deliveries
            .filter(({ id, status }) => status === "accepted" && !withRun.has(id))
            .map(({ eventId }) => `${eventId} has no run`),
          ...open.map(({ id }) => `run ${id} is open`),
          ...(calls === 0 ? [] : [`${calls} calls were made`]),
        ],
      },
    ];
  } finally {
    await server.stop();
  }
}

function readKey(dataFolder: string): string {
  return readFileSync(join(dataFolder, "secret-key"), "utf8").trim();
}

/** Runs a command as the operator would. @returns what it printed in a line */
async function runCommand(dataFolder: string, ...args: readonly string[]): Promise<string> {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["server/cli/catchment-server.ts", ...args], {
    env: { PATH, HOME, TMPDIR, LANG, NODE_ENV: "production", CATCHMENT_DATA_DIR: dataFolder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exited,
  ]);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `${args[0]} (${seconds} s): ${stdout.trim().replaceAll("\n", " ")}`;
}
