import { serveTasks } from "#lib/threads/serve-tasks.ts";
import { webTasks } from "./web-tasks.ts";

/** The threads of the web process. */
serveTasks(webTasks);
