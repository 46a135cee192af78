import { connect as openSocket } from "node:net";
import { failure, ok, type Result } from "../../../lib/base/command-line/finding.ts";
import { explainConnection } from "../account/explain-connection.ts";
import { readTarget } from "../listen/target.ts";

const timeoutMs = 5_000;

/** Whether anything listens where `listen --to` would send deliveries. Sends nothing. */
export async function checkTarget(to: string): Promise<Result[]> {
  const { hostname, port, protocol, host } = readTarget(to, true);
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  const error = await tryConnection(hostname.replace(/^\[|\]$/g, ""), number);
  if (error === null) return [ok(`A program listens at ${host}.`)];
  const reason = /nothing listens/.test(explainConnection(error))
    ? `Nothing listens at ${host}.`
    : `${host}: ${explainConnection(error)}`;
  return [failure(reason, "Start your program, or name its port, such as --to 3000.")];
}

function tryConnection(host: string, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = openSocket({ host, port, timeout: timeoutMs });
    const end = (error: unknown) => {
      socket.destroy();
      resolve(error);
    };
    socket.once("connect", () => end(null)).once("error", end);
    socket.once("timeout", () => end(new Error("no response in time")));
  });
}
