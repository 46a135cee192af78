import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.getdbt.com/docs/deploy/webhooks */
export const dbtCloudSamples: SampleEvents = [
  { type: "job.run.started", make: (fresh) => run(fresh, "job.run.started", "Running") },
  { type: "job.run.completed", make: (fresh) => run(fresh, "job.run.completed", "Success") },
  { type: "job.run.errored", make: (fresh) => run(fresh, "job.run.errored", "Errored") },
];

function run(fresh: Fresh, eventType: string, runStatus: string): SampleContent {
  return {
    json: {
      accountId: 1,
      webhookId: "wsu_12345abcde",
      eventId: `wev_${fresh.text(27)}`,
      timestamp: fresh.iso,
      eventType,
      webhookName: "catchment",
      data: {
        jobId: "123",
        jobName: "Daily job (dbt build)",
        runId: "12345",
        environmentId: "1234",
        environmentName: "Production",
        dbtVersion: "1.9.0",
        projectName: "Orders",
        projectId: "167194",
        runStatus,
        runStatusCode: "3",
        runStatusMessage: "None",
        runReason: "Scheduled",
        runStartedAt: fresh.isoSeconds,
      },
    },
  };
}
