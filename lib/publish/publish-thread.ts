import { serveTasks } from "#lib/threads/serve-tasks.ts";
import { readBody } from "./publish-tasks.ts";

/** The threads of the publish path. */
serveTasks({ readBody });
