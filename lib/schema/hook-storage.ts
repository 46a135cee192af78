import { z } from "zod";

/** Whether the fields of a hook's deliveries are indexed. */
const fields = {
  /** Whether the fields of its payloads are indexed for the search. */
  fieldSearch: z.boolean({ error: "must be true or false" }),
};

/** For a new hook. */
export const hookStorageInput = {
  fieldSearch: fields.fieldSearch.default(false),
};

/** For a change. */
export const hookStoragePatch = z.object(fields).partial().shape;
