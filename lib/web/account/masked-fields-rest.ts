import { z } from "zod";
import { getMaskedFields, putMaskedFields } from "#lib/services/masked-fields.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { view } from "#lib/web/route/view.ts";

const maskedFieldsView = view(
  z
    .object({
      fields: z
        .array(z.string())
        .readonly()
        .describe("Such as `**.email` and `data.object.card.*`"),
    })
    .meta({ id: "MaskedFields" }),
  (fields: readonly string[]) => ({ fields }),
);

export const maskedFieldRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/masked-fields",
    operationId: "getMaskedFields",
    summary: "Get the masked fields",
    description: "The fields of payloads that viewers see masked.",
    service: getMaskedFields,
    view: maskedFieldsView,
  }),
  route({
    method: "PUT",
    path: "/masked-fields",
    operationId: "putMaskedFields",
    summary: "Replace the masked fields",
    description: "All of them at once, at most 50. An empty list masks nothing.",
    service: putMaskedFields,
    view: maskedFieldsView,
    example: { fields: ["**.email", "data.object.card.*"] },
  }),
];
