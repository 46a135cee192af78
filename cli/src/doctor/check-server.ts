import { readFileSync, realpathSync } from "node:fs";
import {
  type Finding,
  failure,
  ok,
  type Result,
  warning,
} from "../../../lib/base/command-line/finding.ts";
import type { Connection } from "../account/connect.ts";
import { explainConnection } from "../account/explain-connection.ts";
import type { Terminal } from "../frame/command.ts";
import { invocation } from "../frame/invocation.ts";

const timeoutMs = 10_000;
/** `fetch` of the library for proxies needs it. */
const proxyNode = [22, 19] as const;

/** Whether the proxy of the environment can be used. */
export function checkProxy(env: Terminal["env"], version = process.versions.node): Result[] {
  const name = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].find((one) => env[one]);
  if (name === undefined) return [ok("No proxy is set, so connections are direct.")];
  const proxy = URL.canParse(env[name] ?? "") ? new URL(env[name] ?? "") : null;
  if (proxy === null)
    return [failure(`${name} isn't a URL.`, `Set it as in http://proxy.example.com:3128.`)];
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < proxyNode[0] || (major === proxyNode[0] && minor < proxyNode[1]))
    return [failure(`Node ${version} can't use ${name}.`, "Update Node to 22.19 or newer.")];
  const except = env.NO_PROXY ?? env.no_proxy;
  const but = except ? `, but for ${except}` : "";
  // Its user and password are left out.
  return [ok(`${name}: connections go through ${proxy.host}${but}.`)];
}

/** Whether Catchment responds, whether the clocks agree, and whether this program fits. */
export async function checkServer(connection: Connection): Promise<Finding[]> {
  const { url } = connection;
  const sentAt = Date.now();
  const health = await get(connection, "/api/health");
  if (typeof health === "string")
    return [{ check: "Server", ...failure(`No connection: ${health}`, wayToServer) }];
  const server = evaluateHealth(url, health);
  if (server.level === "error") return [{ check: "Server", ...server }];
  return [
    { check: "Server", ...server },
    { check: "Clock", ...evaluateClock(health.headers.get("date"), sentAt, Date.now()) },
    { check: "Version", ...evaluateVersion(url, await get(connection, "/cli/catchment.mjs")) },
  ];
}

const wayToServer = "Correct this first, then run doctor again.";

type Received = { readonly status: number; readonly headers: Headers; readonly text: string };

/** The response, or why there is none. */
async function get({ url, fetch }: Connection, path: string): Promise<Received | string> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(new Request(`${url}${path}`, { redirect: "error", signal }));
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  } catch (error) {
    return explainConnection(error);
  }
}

function evaluateHealth(url: string, { status, text }: Received): Result {
  const health = readJson(text);
  if (status === 200 && health.status === "ok") return ok(`${url} catches deliveries.`);
  if (typeof health.detail === "string")
    return warning(`It can't store deliveries right now: ${health.detail}`, operator);
  const code = `HTTP ${status}`;
  return failure(`${url} isn't Catchment, or something in front of it responds: ${code}.`, sign);
}

const operator = "Ask its operator, who sees why by: npm run server -- doctor";
const sign = `Check the address: ${invocation} login https://your-server`;

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

const allowedSkewMs = 60_000;

/** Receivers compare the time of a signature with their clock: most allow 5 minutes. */
export function evaluateClock(date: string | null, sentAt: number, receivedAt: number): Result {
  const serverAt = Date.parse(date ?? "");
  if (Number.isNaN(serverAt)) return warning("The server doesn't say its time.", operator);
  // It has whole seconds, and was written at some time in between.
  const aheadMs =
    sentAt > serverAt + 1_000 ? sentAt - serverAt : Math.min(0, receivedAt - serverAt);
  if (Math.abs(aheadMs) <= allowedSkewMs) return ok("The clock agrees with the server's.");
  const minutes = Math.max(1, Math.round(Math.abs(aheadMs) / 60_000));
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return warning(
    `The clock is ${minutes} min ${side} the server's, so signatures may seem too old or too new.`,
    "Set the clock of this machine by the network.",
  );
}

/** The server offers the version that fits it, so this program should have the same bytes. */
function evaluateVersion(url: string, offered: Received | string): Result {
  if (typeof offered === "string" || offered.status !== 200)
    return warning("The server offers no command line.", operator);
  const own =
    process.argv[1] === undefined ? "" : readFileSync(realpathSync(process.argv[1]), "utf8");
  if (own === offered.text) return ok("This is the version that the server offers.");
  return warning(
    "The server offers another version than this one.",
    `Take that one: curl -fsSO ${url}/cli/catchment.mjs`,
  );
}
