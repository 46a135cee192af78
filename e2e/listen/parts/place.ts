import { makeConfigFolder, type RunningCommand, startCommand } from "#e2e/cli/command-line.ts";
import { type CutProxy, startCutProxy } from "#e2e/cli/cut-proxy.ts";
import { startTarget, type Target } from "#e2e/cli/target.ts";
import { kill } from "#e2e/crash/kill.ts";
import { createThroughApi } from "#e2e/harness/post-to-api.ts";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";
import { findFreePort } from "#server/system/free-port.ts";

type Hook = { readonly id: string; readonly name: string; readonly catchUrl: string };

type PlaceOptions = {
  /** For the server's data and its log. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** A server, a network that can go away in front of it, and a program on a developer's machine. */
export type Place = {
  readonly server: () => ServerUnderTest;
  readonly network: CutProxy;
  readonly target: Target;
  makeHook(fields: Readonly<Record<string, unknown>> & { readonly name: string }): Promise<Hook>;
  /** Starts `catchment listen …` behind the network, with what it remembers of an earlier start. */
  listen(args: readonly string[], env?: Readonly<Record<string, string>>): RunningCommand;
  /** Kills the server with its database at once, and starts it again. */
  killServer(): Promise<void>;
  stop(): Promise<void>;
};

export async function startPlace({ folder, env = {} }: PlaceOptions): Promise<Place> {
  const access = makeAccess();
  const port = await findFreePort();
  const start = () => startServer({ folder, port, env }, access);
  let server = await start();
  const target = await startTarget();
  const network = await startCutProxy(server.origin);
  const remembered = makeConfigFolder();
  const commands: RunningCommand[] = [];
  return {
    server: () => server,
    network,
    target,
    async makeHook(fields) {
      // Events of tests are named by their `id`.
      const byId = fields.provider === undefined ? { dedupe: { from: "body", path: "id" } } : {};
      const made = await createThroughApi(server, "/api/v1/hooks", { ...byId, ...fields });
      return { id: String(made.id), name: String(made.name), catchUrl: String(made.catchUrl) };
    },
    listen(args, more = {}) {
      const known = { CATCHMENT_URL: network.origin, CATCHMENT_TOKEN: access.apiToken };
      const all = ["listen", ...args, "--to", target.url];
      const command = startCommand(all, { env: { ...known, ...more }, folder: remembered });
      commands.push(command);
      return command;
    },
    async killServer() {
      await kill(server, "everything");
      server = await start();
    },
    async stop() {
      for (const { process: child } of commands) child.kill("SIGKILL");
      network.stop();
      target.stop();
      await server.stop();
    },
  };
}
