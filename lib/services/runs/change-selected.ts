import { selectedSchema } from "#lib/schema/selected.ts";
import { changeEach } from "#lib/services/bulk-jobs/change-each.ts";
import { service } from "#lib/services/frame/service.ts";
import { cancelRun } from "./cancel-run.ts";
import { retryRun } from "./retry-run.ts";

/** Retries each of the selected runs now. */
export const retrySelectedRuns = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => retryRun(context, { id })),
});

/** Cancels those of the selected runs that haven't ended. */
export const cancelSelectedRuns = service({
  permission: "deliveries:write",
  input: selectedSchema,
  run: (context, { ids }) => changeEach(ids, (id) => cancelRun(context, { id })),
});
