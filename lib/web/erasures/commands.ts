"use server";

import { cancelErasure, createErasure, deleteErasureRule } from "#lib/services/erasures.ts";
import { change, form } from "#lib/web/auth/run-service.ts";

export const startErasureCommand = change(createErasure, [form]);
export const cancelErasureCommand = change(cancelErasure, ["id"]);
export const removeErasureRuleCommand = change(deleteErasureRule, ["id"]);
