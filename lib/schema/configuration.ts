/** An account's configuration as one file, which another account can import. */
import { z } from "zod";
import { credentialOrigin } from "#lib/schema/act/credential.ts";
import { destinationInputSchema } from "#lib/schema/act/destination.ts";
import { displayName } from "#lib/schema/field/common.ts";
import { hookInputSchema, hookStateSchema } from "#lib/schema/receive/hook.ts";
import { storedHookReplySchema } from "#lib/schema/receive/hook-reply.ts";
import { maskedFieldList } from "#lib/schema/receive/masked-fields.ts";
import { catalogTypeName, eventTypeSchema } from "#lib/schema/send/event-type.ts";
import { configuredVersions } from "#lib/schema/send/payload-version.ts";
import { recipientId, recipientSchema } from "#lib/schema/send/recipient.ts";
import { senderSettingsSchema } from "#lib/schema/send/settings.ts";
import { subscriptionInputSchema } from "#lib/schema/send/subscription.ts";
import { channelKinds, ruleInputSchema } from "#lib/schema/watch/alert.ts";

/** Marks the file. The number changes with the format. */
export const configurationFormat = "catchment.configuration/1";
export const maxConfigurationBytes = 32 * 1024 * 1024;

/** The name of something else in the file or the account, with ` #2` for the second of that name. */
const itemName = z
  .string()
  .min(1, "must not be empty")
  .max(300, "must have at most 300 characters");

/** Fields of an item that say which one of the account it is. Neither is stored. */
const isSecondOf = z
  .int("must be a whole number")
  .min(2, "must be 2 or more")
  .max(100_000, "must be 100,000 or less")
  .optional()
  .describe("2 for the second one of this name, in the order of creation, 3 for the third");
const formerName = itemName
  .optional()
  .describe("Its former name: it is renamed, and stays the same one");
const named = { number: isSecondOf, was: formerName };

/** The mark of a file on what it manages. */
const managerName = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._/-]{0,99}$/, "must have 1 to 100 letters, digits, and . _ - /")
  .describe("Marks what these files manage. With prune, only what has the mark is deleted");

const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.array(item).max(max, `must have at most ${max} items`).optional();

const { signingSecret, keyPrefix: _prefix, status: _status, ...hookFields } = hookInputSchema.shape;

/** The settings of a hook that the file has in the form of the API. */
export const hookFieldNames = Object.keys(hookFields) as (keyof typeof hookFields)[];

type EventTypeData = Pick<z.output<typeof eventTypeSchema>, "schema" | "example">;

/** With its versions, or with the data of the newest one. */
const eventTypeItem = z
  .strictObject({
    name: catalogTypeName,
    ...eventTypeSchema.shape,
    versions: configuredVersions
      .optional()
      .describe("All versions, oldest first, instead of `schema` and `example`"),
  })
  .refine(({ versions, schema }) => versions === undefined || schema === null, {
    error: "must not be given beside versions, which have their own",
    path: ["schema"],
  })
  .refine(({ versions, example }) => versions === undefined || example === null, {
    error: "must not be given beside versions, which have their own",
    path: ["example"],
  })
  .transform(({ schema, example, ...type }): Partial<EventTypeData> & typeof type => ({
    ...type,
    ...(type.versions === undefined ? { schema, example } : {}),
  }));

/** Secrets are only in `secrets`, encrypted, or where a person wrote them into the file. */
export const configurationSchema = z.strictObject({
  format: z.literal(configurationFormat, {
    error: `must be "${configurationFormat}": this isn't a configuration exported by Catchment`,
  }),
  managedBy: managerName.optional(),
  /** Parsed by the service of each kind of credential. Without a secret, it has to exist. */
  credentials: listOf(
    z.strictObject({
      name: displayName,
      ...named,
      origin: credentialOrigin,
      auth: z.looseObject({ type: z.string() }),
    }),
    1_000,
  ),
  destinations: listOf(
    destinationInputSchema
      .omit({ credentialId: true })
      .extend({ ...named, credential: itemName.nullable().default(null) }),
    1_000,
  ),
  hooks: listOf(
    z.strictObject({
      ...hookFields,
      ...named,
      signingSecret: signingSecret
        .unwrap()
        .nullable()
        .optional()
        .describe("Omitted: it stays. Null deletes all of the hook's secrets"),
      status: hookStateSchema.default("active"),
      reply: storedHookReplySchema
        .omit({ actionId: true })
        .extend({ action: itemName })
        .nullable()
        .default(null),
      /** In the form of `POST /hooks/{id}/actions`, with names instead of ids. */
      actions: listOf(z.looseObject({ name: displayName, ...named }), 100),
    }),
    10_000,
  ),
  eventTypes: listOf(eventTypeItem, 2_000),
  recipients: listOf(z.strictObject({ id: recipientId, ...recipientSchema.shape }), 100_000),
  subscriptions: listOf(
    subscriptionInputSchema.omit({ credentialId: true }).extend({
      ...named,
      credential: itemName.nullable().default(null),
      /** Null: the value isn't in the file. */
      headers: z.record(z.string(), z.string().nullable()).default({}),
      enabled: z.boolean({ error: "must be true or false" }).default(true),
    }),
    20_000,
  ),
  sending: senderSettingsSchema.optional(),
  maskedFields: maskedFieldList.optional(),
  /** In the form of `POST /alert-channels`. Without its URL, a channel has to exist. */
  alertChannels: listOf(
    z.looseObject({
      name: displayName,
      ...named,
      kind: z.enum(channelKinds, { error: `must be one of ${channelKinds.join(", ")}` }),
    }),
    20,
  ),
  alertRules: listOf(
    ruleInputSchema.omit({ channelIds: true }).extend({
      number: isSecondOf,
      channels: z.array(itemName).max(20, "must have at most 20 items"),
    }),
    100,
  ),
  /** The secrets that the passphrase opens. */
  secrets: z.unknown().optional(),
});
export type Configuration = z.output<typeof configurationSchema>;

const texts = z.record(z.string(), z.string());

/** The secrets of a file, by the name of what they belong to. */
export const configurationSecretsSchema = z.strictObject({
  credentials: z.record(z.string(), z.looseObject({ type: z.string() })),
  /** The last segment of the catch URL, and the newest signing secret. */
  hooks: z.record(
    z.string(),
    z.strictObject({
      key: z.string().regex(/^[a-z0-9-]{26,67}$/),
      signingSecret: z.string().optional(),
    }),
  ),
  /** By hook, action, and call. */
  actions: z.record(
    z.string(),
    z.record(z.string(), z.record(z.string(), z.looseObject({ type: z.string() }))),
  ),
  subscriptions: z.record(
    z.string(),
    z.strictObject({ secret: z.string().optional(), headers: texts }),
  ),
  alertChannels: z.record(
    z.string(),
    z.strictObject({
      url: z.string(),
      routingKey: z.string().optional(),
      secret: z.string().optional(),
    }),
  ),
});
export type ConfigurationSecrets = z.output<typeof configurationSecretsSchema>;
