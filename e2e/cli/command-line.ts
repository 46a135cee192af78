import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { waitUntil } from "#e2e/harness/wait-until.ts";

export const bundle = fileURLToPath(new URL("../../public/cli/catchment.mjs", import.meta.url));

type Said = Readonly<Record<string, unknown>>;

/** The command line in a process of its own, as a person's shell starts it. */
export type RunningCommand = {
  readonly process: ChildProcess;
  /** Its JSON lines on stdout so far. */
  readonly said: readonly Said[];
  readonly errors: () => string;
  /** Waits for lines of this type. */
  until(type: string, count?: number, maxMs?: number): Promise<void>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
};

type CommandOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of what it remembers. Omitted: a new one. */
  readonly folder?: string;
};

export function makeConfigFolder(): string {
  return mkdtempSync(join(tmpdir(), "catchment-cli-"));
}

/** Starts `catchment ARGS`. */
export function startCommand(
  args: readonly string[],
  { env = {}, folder = makeConfigFolder() }: CommandOptions = {},
): RunningCommand {
  const { PATH = "", NODE_ENV } = process.env;
  const child = spawn(process.execPath, [bundle, ...args], {
    env: { PATH, NODE_ENV, CATCHMENT_CONFIG_DIR: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  killWithUs(child);
  const said: Said[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) said.push(JSON.parse(line));
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    process: child,
    said,
    errors: () => errors,
    until: async (type, count = 1, maxMs = 120_000) => {
      const isSaid = () => said.filter((line) => line.type === type).length >= count || undefined;
      const what = () => `${count} × ${type} of ${args.join(" ")}\n${errors}`;
      await waitUntil("", maxMs, isSaid).catch((error: Error) => {
        throw new Error(`${what()}${error.message}`);
      });
    },
    ended,
  };
}

const running = new Set<ChildProcess>();

/** One that listens comes back for as long as it lives. */
function killWithUs(child: ChildProcess): void {
  if (running.size === 0 && process.listenerCount("exit", killRunning) === 0)
    process.on("exit", killRunning);
  running.add(child);
  child.once("exit", () => running.delete(child));
}

function killRunning(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Ends it as Ctrl+C does. */
export async function stopCommand({
  process: child,
  ended,
}: RunningCommand): Promise<number | null> {
  child.kill("SIGINT");
  return await ended;
}
