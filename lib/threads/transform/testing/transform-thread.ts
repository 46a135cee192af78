import { serveTasks } from "../../serve-tasks.ts";
import { transformTasks } from "../transform-task.ts";

serveTasks(transformTasks);
