import { serveTasks } from "#lib/threads/serve-tasks.ts";
import { readEventsTask } from "./read-large.ts";

/** The threads of the catch process. */
serveTasks({ readEvents: readEventsTask });
