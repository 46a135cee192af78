import {
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from "#lib/services/alerts/alert-channels.ts";
import { createRule, deleteRule, updateRule } from "#lib/services/alerts/alert-rules.ts";
import { getChannel, getRule, listChannels, listRules } from "#lib/services/alerts/read-alerts.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { channelTestView, channelView, newChannelView, ruleView } from "./alert-views.ts";

export const alertRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/alert-channels",
    operationId: "createAlertChannel",
    summary: "Add an alert channel",
    description:
      "`problems` are the kinds that it is told about: their rules name it too, and a kind without rules gets one. " +
      "Without `problems`, the first channel is told about all kinds, and others about none.",
    service: createChannel,
    status: 201,
    view: newChannelView,
    example: { name: "On call", kind: "slack", url: "https://example.com/services/T0/B0/x" },
  }),
  route({
    method: "GET",
    path: "/alert-channels",
    operationId: "listAlertChannels",
    summary: "List alert channels",
    description: "Newest first.",
    service: listChannels,
    view: pageView(channelView),
  }),
  route({
    method: "GET",
    path: "/alert-channels/{id}",
    operationId: "getAlertChannel",
    summary: "Get an alert channel",
    service: getChannel,
    view: channelView,
  }),
  route({
    method: "PATCH",
    path: "/alert-channels/{id}",
    operationId: "updateAlertChannel",
    summary: "Change an alert channel",
    description: "Changes the given fields. The kind never changes.",
    service: updateChannel,
    view: channelView,
    example: { name: "Night shift" },
  }),
  route({
    method: "DELETE",
    path: "/alert-channels/{id}",
    operationId: "deleteAlertChannel",
    summary: "Delete an alert channel",
    description: "Its messages that weren't sent yet are lost.",
    service: deleteChannel,
    view: null,
  }),
  route({
    method: "POST",
    path: "/alert-channels/{id}/test",
    operationId: "testAlertChannel",
    summary: "Send a test message",
    description: "At once. A message that couldn't be sent is a 200 with `ok` false.",
    service: testChannel,
    view: channelTestView,
  }),
  route({
    method: "POST",
    path: "/alert-rules",
    operationId: "createAlertRule",
    summary: "Add an alert rule",
    service: createRule,
    status: 201,
    view: ruleView,
    example: { kind: "action_failing", threshold: 5, withinSeconds: 300, channelIds: [] },
  }),
  route({
    method: "GET",
    path: "/alert-rules",
    operationId: "listAlertRules",
    summary: "List alert rules",
    description: "Newest first.",
    service: listRules,
    view: pageView(ruleView),
  }),
  route({
    method: "GET",
    path: "/alert-rules/{id}",
    operationId: "getAlertRule",
    summary: "Get an alert rule",
    service: getRule,
    view: ruleView,
  }),
  route({
    method: "PATCH",
    path: "/alert-rules/{id}",
    operationId: "updateAlertRule",
    summary: "Change an alert rule",
    description: "Changes the given fields. The kind never changes.",
    service: updateRule,
    view: ruleView,
    example: { threshold: 10 },
  }),
  route({
    method: "DELETE",
    path: "/alert-rules/{id}",
    operationId: "deleteAlertRule",
    summary: "Delete an alert rule",
    service: deleteRule,
    view: null,
  }),
];
