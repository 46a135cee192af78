"use server";

import { askReader, stay } from "#lib/web/auth/run-service.ts";
import { readTrier } from "./read-trier.ts";

export const readTrierCommand = stay(askReader(readTrier));
