import { apiRoute } from "#lib/web/rest/api-route.ts";
import { getBacktestResults } from "#lib/web/rest/calls/action/backtests.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiRoute({
  GET: getBacktestResults,
});
