"use server";

import {
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from "#lib/services/alerts/alert-channels.ts";
import { createRule, deleteRule, updateRule } from "#lib/services/alerts/alert-rules.ts";
import { muteFailures, unmuteFailures } from "#lib/services/failures.ts";
import {
  acknowledgeProblem,
  resolveProblem,
  seeProblems,
  updateProblem,
} from "#lib/services/problems.ts";
import { ask, change, form } from "#lib/web/auth/run-service.ts";

export const createChannelCommand = change(createChannel, [form], ({ secret }) => ({ secret }));
export const saveChannelCommand = change(updateChannel, ["id", form]);
export const deleteChannelCommand = change(deleteChannel, ["id"]);
export const testChannelCommand = change(testChannel, ["id"], (result) => result);

export const createRuleCommand = change(createRule, [form]);
export const saveRuleCommand = change(updateRule, ["id", form]);
export const deleteRuleCommand = change(deleteRule, ["id"]);

export const acknowledgeProblemCommand = change(acknowledgeProblem, ["id"]);
export const resolveProblemCommand = change(resolveProblem, ["id"]);

export const saveProblemCommand = change(updateProblem, ["id", form]);
export const seeProblemsCommand = ask(seeProblems, []);

export const muteFailuresCommand = change(muteFailures, ["..."]);
export const unmuteFailuresCommand = change(unmuteFailures, ["..."]);
