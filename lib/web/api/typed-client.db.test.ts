import { afterAll, beforeAll, expect, it } from "vitest";
import { routes } from "#lib/web/api/routes.ts";
import { isServed, type Route, type ServedRoute } from "#lib/web/route/route.ts";
import { rows, type Thing } from "#lib/web/testing/api-rows.ts";
import { createThings } from "#lib/web/testing/create-things.ts";
import { createOwnedAccount, openTestApi, type TestApi } from "#lib/web/testing/test-api.ts";
import {
  CatchmentError,
  type Client,
  createClient,
} from "../../../clients/typescript/src/index.ts";

type Call = (input: object) => PromiseLike<unknown> & AsyncIterable<unknown>;

/** `e2e/sending/typed-client.spec.ts` publishes, and `lib/web/listeners` tests what stays open. */
const served = routes.filter(isServed).filter(({ opens }) => opens === undefined);
let api: TestApi;
let client: Client;
let ids: Record<Thing, string>;

beforeAll(async () => {
  api = await openTestApi();
  const owner = await createOwnedAccount(api, "owner");
  ids = await createThings(api, owner);
  client = createClient({ url: "http://localhost:3000", token: owner.token, fetch: callApi });
});
afterAll(() => api.close());

async function callApi(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const sent = await request.text();
  const { status, headers, text } = await api.call(request.method, `${pathname}${search}`, {
    headers: Object.fromEntries(request.headers),
    ...(sent === "" ? {} : { text: sent }),
  });
  return new Response(status === 204 ? null : text, { status, headers });
}

/** Calls whose example is about something in another state. All others succeed. */
const rejected = {
  acceptDeliveries: "conflict",
  acceptDelivery: "conflict",
  acknowledgeDeliveries: "not_found",
  applyConfiguration: "conflict",
  cancelGap: "not_found",
  createErasure: "conflict",
  deleteAccount: "invalid_request",
  deleteRecipient: "conflict",
  disconnectListener: "not_found",
  findGap: "conflict",
  getAuditReceiver: "not_found",
  getGap: "not_found",
  getRegistration: "not_found",
  handOverDeliveries: "not_found",
  muteFailures: "not_found",
  pauseBulkJob: "conflict",
  putGapSchedule: "conflict",
  readHandshakeSecret: "not_found",
  recoverSubscription: "conflict",
  registerHook: "not_found",
  removeRegistration: "not_found",
  replayDeliveries: "not_found",
  replayMissing: "conflict",
  resendEvent: "conflict",
  resolveStep: "conflict",
  resumeBulkJob: "conflict",
  retryRun: "conflict",
  retryRuns: "conflict",
  takeInGap: "not_found",
  // No process catches here.
  testHook: "unavailable",
  transferAccount: "not_found",
  unmuteFailures: "not_found",
  updateEventTypeVersion: "not_found",
};

it("makes every call of the API with its documented example", { tags: "variant" }, async () => {
  const isDelete = ({ method }: Route) => method === "DELETE";
  // A hook takes its actions and deliveries with it, so it is deleted last.
  const inOrder = [
    ...served.filter((route) => !isDelete(route)),
    ...served.filter(isDelete).toReversed(),
  ];
  const failed: Record<string, string> = {};
  for (const route of inOrder) {
    const code = await codeOf(route);
    if (code !== null) failed[route.operationId] = code;
  }
  expect(failed).toEqual(rejected);
});

/** The code of its error, or null. */
async function codeOf(route: ServedRoute): Promise<string | null> {
  const row = rows.find(({ method, path }) => method === route.method && path === route.path);
  const id = row?.of === undefined ? row?.made : ids[row.of];
  const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const values = named.map((name) => [name, name === "number" ? 1 : id]);
  const call = client[route.operationId as keyof Client] as Call;
  try {
    const result = call({ ...route.example, ...Object.fromEntries(values) });
    if (route.isStreamed === true) for await (const _ of result);
    else await result;
    return null;
  } catch (error) {
    if (error instanceof CatchmentError) return error.code;
    throw error;
  }
}
