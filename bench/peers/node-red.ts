import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "#server/system/free-port.ts";
import { installPackages, type Peer, type PeerKind, startProgram } from "./peer.ts";

const name = "Node-RED 5";
let installed = "";

/**
 * Node-RED with one flow: catch, call the receiver, respond. Without an editor, a log, or a
 * database, and with connections to the receiver kept open: as fast as it gets.
 */
export const nodeRed: PeerKind = {
  name,
  keeps: "nothing. It checks no signature, and every copy of an event runs",
  target: 2,
  processorTarget: null,
  async install(say) {
    installed = await installPackages("node-red", ["node-red@5.0.7"], say);
  },
  async start({ folder, sinkUrl, shape }): Promise<Peer> {
    const port = await findFreePort();
    const home = join(folder, "node-red");
    const settingsFile = join(home, "settings.cjs");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "flows.json"), JSON.stringify(makeFlow(sinkUrl, shape.actions)));
    writeFileSync(settingsFile, `module.exports = ${JSON.stringify(settings)};\n`);
    const program = join(installed, "node_modules/node-red/red.js");
    const { pid, stop } = await startProgram({
      name: "node-red",
      command: [process.execPath, program, "-u", home, "-s", settingsFile, "-p", String(port)],
      folder: home,
      isUp: () => isUp(port),
    });
    return {
      name,
      port,
      path: "/catch",
      pids: [pid],
      sharesPostgres: false,
      folder: home,
      shape,
      stop,
    };
  },
};

async function isUp(port: number): Promise<true | undefined> {
  const request = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  const response = await fetch(`http://127.0.0.1:${port}/catch`, request).catch(() => undefined);
  return response?.status === 200 ? true : undefined;
}

const settings = {
  flowFile: "flows.json",
  uiHost: "127.0.0.1",
  httpAdminRoot: false,
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: "warn", metrics: false, audit: false } },
};

/**
 * The flow makes one call after the other, if there are several. The response to the caller comes
 * last.
 */
function makeFlow(sinkUrl: string, actions: number) {
  const tab = { id: "flow", type: "tab", label: "flow" };
  const common = { z: "flow", x: 0, y: 0 };
  const catching = { ...common, id: "in", type: "http in", url: "/catch", method: "post" };
  const calls = Array.from({ length: actions }, (_, index) => ({
    ...common,
    id: `call${index}`,
    type: "http request",
    method: "POST",
    ret: "txt",
    url: sinkUrl,
    persist: true,
    wires: [[index + 1 < actions ? `call${index + 1}` : "out"]],
  }));
  const response = { ...common, id: "out", type: "http response", statusCode: "200", wires: [] };
  return [tab, { ...catching, wires: [["call0"]] }, ...calls, response];
}
