import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.sonarsource.com/sonarqube-server/discovering/integrations/webhooks */
export const sonarqubeSamples: SampleEvents = [
  { type: "OK", make: (fresh) => analysis("OK", fresh.text(20), fresh.isoSeconds) },
  { type: "ERROR", make: (fresh) => analysis("ERROR", fresh.text(20), fresh.isoSeconds) },
];

function analysis(status: string, taskId: string, changedAt: string): SampleContent {
  return {
    headers: { "x-sonarqube-project": "orders" },
    json: {
      serverUrl: "https://sonarqube.example.com",
      taskId,
      status: "SUCCESS",
      analysedAt: changedAt,
      changedAt,
      revision: "c739069ec7105e01303e8b3065a81141aad9f129",
      project: {
        key: "orders",
        name: "Orders",
        url: "https://sonarqube.example.com/dashboard?id=orders",
      },
      branch: { name: "main", type: "BRANCH", isMain: true },
      qualityGate: {
        name: "SonarQube way",
        status,
        conditions: [
          {
            metric: "new_coverage",
            operator: "LESS_THAN",
            status,
            value: "85",
            errorThreshold: "80",
          },
        ],
      },
      properties: {},
    },
  };
}
