import { z } from "zod";
import { exportFormat, maxImportBytes } from "#lib/schema/act/transfer.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import type { ActionPreview } from "#lib/services/actions/build-preview.ts";
import { duplicateAction, importAction } from "#lib/services/actions/copy-actions.ts";
import {
  exportAction,
  getAction,
  getVersion,
  listActions,
  listVersions,
} from "#lib/services/actions/read-actions.ts";
import type { SavedStepPreview } from "#lib/services/actions/steps/preview-step.ts";
import { previewAction } from "#lib/services/actions/steps/try-steps.ts";
import {
  closeActionBreaker,
  createAction,
  deleteAction,
  restoreVersion,
  updateAction,
} from "#lib/services/actions/write-actions.ts";
import { fieldErrorSchema } from "#lib/web/route/field-error.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { asIs, pageView, view } from "#lib/web/route/view.ts";
import {
  actionView,
  actionWithBreakerView,
  breakerStateSchema,
  importedActionView,
  restoredActionView,
} from "./action-view.ts";
import { exportView } from "./export-view.ts";
import { storedVersionView, versionView } from "./versions.ts";

const previewSchema = z
  .object({
    ok: z.boolean(),
    code: z.string().optional().describe("Why nothing would be sent"),
    errors: z.array(fieldErrorSchema).readonly().optional(),
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        rawHeaders: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
        body: z.string().nullable(),
        bodyEncoding: z.enum(["utf8", "base64"]).describe("base64: it isn't UTF-8"),
      })
      .optional(),
    value: z.string().optional().describe("The value of a step that calls nothing, as JSON"),
  })
  .meta({ id: "ActionPreview" });

/** The request that an action would send for a delivery, or why it would send none. */
const previewView = view(
  previewSchema,
  (preview: ActionPreview | SavedStepPreview): z.output<typeof previewSchema> => preview,
);

const request = { method: "POST", url: "https://example.com/orders" };

export const actionRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/hooks/{id}/actions",
    operationId: "createAction",
    errors: ["template_invalid"],
    summary: "Create an action",
    description: "It comes last, unless it has a `position`.",
    service: createAction,
    status: 201,
    exactNumbers: true,
    view: actionView,
    example: { name: "Post order", request },
  }),
  route({
    method: "GET",
    path: "/hooks/{id}/actions",
    operationId: "listActions",
    summary: "List the actions of a hook",
    description: "Newest first, whatever their `position`.",
    service: listActions,
    view: pageView(actionView),
  }),
  route({
    method: "GET",
    path: "/actions/{id}",
    operationId: "getAction",
    summary: "Get an action",
    service: getAction,
    view: actionWithBreakerView,
  }),
  route({
    method: "PATCH",
    path: "/actions/{id}",
    operationId: "updateAction",
    errors: ["template_invalid"],
    summary: "Change an action",
    description:
      "Changes the given fields. `request`, `steps`, and `retry` are " +
      "replaced completely, except for credentials that a call omits. `note` says why, for the " +
      "version that the change makes.",
    service: updateAction,
    exactNumbers: true,
    view: actionView,
    example: { enabled: false },
  }),
  route({
    method: "DELETE",
    path: "/actions/{id}",
    operationId: "deleteAction",
    summary: "Delete an action",
    description: "Deletes its credentials, cancels its open runs, and keeps its history.",
    service: deleteAction,
    view: null,
  }),
  route({
    method: "POST",
    path: "/actions/{id}/preview",
    operationId: "previewAction",
    summary: "Show what an action would send",
    description:
      "Sends nothing. For a delivery, which also needs the scope `deliveries:read`, " +
      "or for a made-up `payload` with `headers`. With several steps, `step` is the " +
      "key of one, and `item` the number of an item, from 0.",
    service: previewAction,
    exactNumbers: true,
    maxBodyBytes: maxApiBodyBytes,
    view: previewView,
    example: { payload: { id: "evt_1" } },
  }),
  route({
    method: "POST",
    path: "/actions/{id}/breaker/close",
    operationId: "closeActionBreaker",
    summary: "Close the breaker of an action",
    description: "Starts the runs that it holds. Also releases an action that is held.",
    service: closeActionBreaker,
    view: asIs(breakerStateSchema),
  }),
  route({
    method: "POST",
    path: "/actions/{id}/duplicate",
    operationId: "duplicateAction",
    summary: "Duplicate an action",
    description:
      "With its credentials, to the same hook or to `hookId`, under " +
      '`name` or its name with "(copy)". The copy is disabled.',
    service: duplicateAction,
    status: 201,
    view: actionView,
    example: { name: "Post order to staging" },
  }),
  route({
    method: "GET",
    path: "/actions/{id}/export",
    operationId: "exportAction",
    summary: "Export an action",
    description: "As a document without secrets, to import into another hook.",
    service: exportAction,
    view: exportView,
  }),
  route({
    method: "POST",
    path: "/hooks/{id}/actions/import",
    operationId: "importAction",
    errors: ["template_invalid"],
    summary: "Import an action",
    description:
      "Creates an exported action, disabled. Says which calls need credentials, " +
      "and which come without their destination. At most 1 MiB.",
    service: importAction,
    status: 201,
    maxBodyBytes: maxImportBytes,
    exactNumbers: true,
    view: importedActionView,
    example: { format: exportFormat, name: "Post order", request },
  }),
  route({
    method: "GET",
    path: "/actions/{id}/versions",
    operationId: "listActionVersions",
    summary: "List the versions of an action",
    description: "Newest first.",
    service: listVersions,
    view: pageView(versionView),
  }),
  route({
    method: "GET",
    path: "/actions/{id}/versions/{number}",
    operationId: "getActionVersion",
    summary: "Get a version of an action",
    description:
      "With its `content`, and its `changes` against the version before, or against the one that " +
      "`against` names.",
    service: getVersion,
    view: storedVersionView,
  }),
  route({
    method: "POST",
    path: "/actions/{id}/versions/{number}/restore",
    operationId: "restoreActionVersion",
    summary: "Restore a version of an action",
    description:
      "The action does again what it did then: a new version. Says which calls need their credentials again.",
    service: restoreVersion,
    view: restoredActionView,
  }),
];
