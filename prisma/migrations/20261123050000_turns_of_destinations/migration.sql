-- One worker at a time starts runs of the actions that share a destination.
INSERT INTO "target_turns" ("target_id") SELECT "id" FROM "destinations";
