import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/**
 * https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations
 */
export const hcpTerraformSamples: SampleEvents = [
  { type: "run:completed", make: (fresh) => run(fresh, "run:completed", "applied") },
  { type: "run:errored", make: (fresh) => run(fresh, "run:errored", "errored") },
];

function run(fresh: Fresh, trigger: string, status: string): SampleContent {
  const id = `run-${fresh.text(16)}`;
  return {
    json: {
      payload_version: 1,
      notification_configuration_id: "nc-AeUQ2zfKZzW9TiGZ",
      run_url: `https://app.terraform.io/app/acme/orders/runs/${id}`,
      run_id: id,
      run_message: "Add five queue workers",
      run_created_at: fresh.iso,
      run_created_by: "jenny",
      workspace_id: "ws-XdeUVMWShTesDMME",
      workspace_name: "orders",
      organization_name: "acme",
      notifications: [
        {
          message: "Run changed",
          trigger,
          run_status: status,
          run_updated_at: fresh.iso,
          run_updated_by: "jenny",
        },
      ],
    },
  };
}
