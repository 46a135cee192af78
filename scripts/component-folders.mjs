/**
 * A folder of components is a feature, or one of these, which features are built from.
 */
export const foundations = [
  "ui",
  "permissions",
  "shell",
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
  credentials: [],
  deliveries: ["runs"],
  events: ["runs", "subscriptions"],
  "event-types": [],
  home: ["hooks"],
  "hook-settings": ["hooks"],
  hooks: [],
  people: [],
  portal: ["runs", "subscriptions"],
  recipients: ["events", "subscriptions"],
  replay: [],
  runs: [],
  "sign-in": ["account"],
  subscriptions: ["actions", "runs"],
};
