"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from "#lib/services/bulk-jobs.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function cancelJobCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(cancelBulkJob, { id }, nothing);
}

export async function pauseJobCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(pauseBulkJob, { id }, nothing);
}

export async function resumeJobCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(resumeBulkJob, { id }, nothing);
}
