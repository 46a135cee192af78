import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { dashboardScript, pendingDashboardFile, projectRoot } from "#server/system/paths.ts";
import type { Banner } from "./banner.ts";

export type DashboardBuild = {
  /** How it ended. Null: it was stopped. */
  readonly ended: Promise<DashboardBuildEnd | null>;
  /** Ends it. Settles when it has. */
  stop(): Promise<void>;
};

type DashboardBuildEnd =
  | { readonly ok: true; readonly seconds: number }
  /** `output` is what Next printed. */
  | { readonly ok: false; readonly output: string };

/**
 * Builds the dashboard beside everything else, if set-up has left that for the start. It runs as the
 * user who installed Catchment, so it has to begin before root becomes another user. It ends when
 * the channel to us closes, since we couldn't signal it then.
 *
 * @returns undefined if the dashboard is built
 */
export function beginDashboardBuild(
  script = dashboardScript,
  pendingFile = pendingDashboardFile,
): DashboardBuild | undefined {
  if (!existsSync(pendingFile)) return undefined;
  const startedAt = performance.now();
  // Its own session, so that Ctrl-C in a terminal reaches only us.
  const child = spawn(process.execPath, [script], {
    cwd: projectRoot,
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let isStopping = false;
  const ended = waitForEnd(child).then(({ code, output }): DashboardBuildEnd | null => {
    if (isStopping) return null;
    const seconds = (performance.now() - startedAt) / 1_000;
    return code === 0 ? { ok: true, seconds } : { ok: false, output };
  });
  return {
    ended,
    async stop() {
      isStopping = true;
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/**
 * Says that the dashboard is being built, and opens it once it is.
 *
 * @param restartWeb starts the web process again, which serves the API alone until then
 */
export async function followDashboardBuild(
  build: DashboardBuild,
  banner: Banner,
  restartWeb: () => Promise<void>,
): Promise<void> {
  banner.line("  … The dashboard is being built. Deliveries, API calls, and actions work already.");
  const end = await build.ended;
  if (end === null) return;
  if (!end.ok) {
    log.error("dashboard.not_built", { output: end.output });
    banner.line(
      `${end.output}\n  ✗ The dashboard could not be built. Fix what is above, then run npm start again.`,
    );
    return;
  }
  try {
    await restartWeb();
    log.info("dashboard.built", { seconds: Math.round(end.seconds) });
    banner.line(`  ✓ Dashboard (${end.seconds.toFixed(1)} s)`);
  } catch (error) {
    // The supervisor starts it until it is ready.
    log.error("dashboard.not_ready", { error: toError(error) });
  }
}

const maxOutput = 64 * 1024;

async function waitForEnd(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-maxOutput);
  });
  const closed = child.stderr === null ? undefined : once(child.stderr, "close");
  try {
    // Not the "close" of the process: Node doesn't report it once we have disconnected.
    const [code] = (await once(child, "exit")) as [number | null];
    await closed;
    return { code, output };
  } catch (error) {
    return { code: null, output: toError(error).message };
  }
}
