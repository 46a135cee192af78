/**
 * A folder of components is a feature, or one of these, which features are built from.
 */
export const foundations = [
  "ui",
  "permissions",
  "shell",
  "palette",
  "status",
  "lists",
  "payload",
  "template",
  "providers",
  "step-map",
];
/** feature → other features that it may show */
export const features = {
  account: ["portal"],
  backtest: [],
  actions: ["backtest", "credentials"],
  alerts: ["problems"],
  audit: ["subscriptions"],
  credentials: [],
  deliveries: ["listeners", "runs"],
  docs: [],
  events: ["runs", "subscriptions"],
  "event-types": [],
  failures: ["runs"],
  home: ["hooks"],
  "hook-settings": ["hooks"],
  hooks: [],
  listeners: ["runs"],
  people: [],
  plots: [],
  portal: ["runs", "subscriptions"],
  problems: [],
  recipients: ["subscriptions"],
  replay: [],
  runs: [],
  "sign-in": ["account"],
  subscriptions: ["actions", "credentials", "event-types", "runs"],
};
