import type { Tool } from "../frame/tool.ts";
import { backtestMapping } from "./backtest-mapping.ts";
import { searchDeliveries } from "./deliveries.ts";
import { publishEvent, waitForEvent } from "./events.ts";
import { getDelivery } from "./get-delivery.ts";
import { getAction, getHook, listHooks } from "./hooks.ts";
import { listProblems } from "./list-problems.ts";
import { previewMapping } from "./preview-mapping.ts";
import { proposeMapping } from "./propose-mapping.ts";
import { replay } from "./replay.ts";
import { searchDocs } from "./search-docs.ts";
import { whoami } from "./whoami.ts";
import { why } from "./why.ts";

/** All tools, in the order of the list. People allow them by name, so that no name ever changes. */
export const tools: readonly Tool[] = [
  whoami,
  searchDeliveries,
  getDelivery,
  why,
  listProblems,
  listHooks,
  getHook,
  getAction,
  previewMapping,
  backtestMapping,
  proposeMapping,
  replay,
  publishEvent,
  waitForEvent,
  searchDocs,
];
