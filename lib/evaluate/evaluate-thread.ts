import { serveTasks } from "#lib/threads/serve-tasks.ts";
import { readEventsTask } from "./read-events-task.ts";

/** The threads of the catch process. */
serveTasks({ readEvents: readEventsTask });
